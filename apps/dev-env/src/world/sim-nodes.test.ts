import { createPlant } from "@busbar/simulator/node-model/plant.ts";
import { createScalarRow, scalarField } from "@busbar/simulator/node-model/scalar-row.ts";
import { expect, test } from "vitest";
import { createDemoWorld, withoutStops } from "./demo-world.ts";
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

test("without stops every machine runs at any hour of any day", () => {
  const start = Date.UTC(2026, 10, 1) / 1000;
  const nodes = toSimNodes(withoutStops(createDemoWorld()).nodes, new Map());
  const plant = createPlant({ seed: 268, nodes, faultScale: 0, script: [] });
  const row = createScalarRow();
  const stopped = nodes.filter(({ serial }) =>
    Array.from({ length: 14 * 24 }, (_, hour) => start + hour * 3_600).some((at) => {
      plant.nodes.get(serial)!.model.scalarAt(at, row);
      return row[scalarField.running] === 0;
    }),
  );
  expect(stopped).toEqual([]);
});
