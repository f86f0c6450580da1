import { expect, test } from "vitest";
import { createDemoWorld } from "./demo-world.ts";
import { toSimNodes } from "./sim-nodes.ts";

test("a field winding has a voltage and a current of its own, far below its machine's", () => {
  const nodes = toSimNodes(createDemoWorld().nodes, new Map());
  const fields = nodes.filter(({ role }) => role === "field");
  expect(fields.length).toBeGreaterThan(3);
  for (const field of fields) {
    const machine = nodes.find(({ serial }) => serial === field.machineSerial)!;
    expect(field.npVoltage).toBeLessThan(machine.npVoltage);
    expect(field.npVoltage).toBeLessThanOrEqual(250);
    expect(field.npVoltage * field.npCurrent).toBeLessThan(50 * machine.hp);
  }
});
