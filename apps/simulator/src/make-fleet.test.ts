import { expect, test } from "vitest";
import { equipmentTypes, timezones } from "@busbar/contract/values/option-lists.ts";
import { makeFleet } from "./make-fleet.ts";
import { startMethodOf } from "./node-model/starting.ts";

const fleet = makeFleet({ seed: 1, count: 2000, firstSerial: 10_000 });

test("the same seed gives the same fleet, and a longer one begins with the shorter one", () => {
  expect(makeFleet({ seed: 1, count: 20, firstSerial: 10_000 })).toEqual(fleet.slice(0, 20));
  expect(makeFleet({ seed: 2, count: 20, firstSerial: 10_000 })).not.toEqual(fleet.slice(0, 20));
});

test("every node is plausible", () => {
  for (const node of fleet) {
    expect(equipmentTypes).toContain(node.equipmentType);
    expect(timezones).toContain(node.timezone);
    expect(node.npCurrent, `${node.serial}`).toBeGreaterThan(3);
    expect(node.npCurrent, `${node.serial}`).toBeLessThan(1000);
    expect(node.npFrequency === 0).toBe(node.equipmentType === "DCMotor");
    expect(node.secret).toMatch(/^[0-9a-f]{32}$/);
  }
  expect(new Set(fleet.map(({ serial }) => serial)).size).toBe(2000);
});

test("nodes of one facility share its time zone, and the mix has all kinds", () => {
  for (let i = 0; i < 2000; i += 12) {
    const members = fleet.slice(i, i + 12);
    expect(new Set(members.map(({ timezone }) => timezone)).size).toBe(1);
    expect(new Set(members.map(({ facilityKey }) => facilityKey)).size).toBe(1);
  }
  const share = (isOne: (node: (typeof fleet)[number]) => boolean) => fleet.filter(isOne).length / 2000;
  expect(share(({ shift }) => shift === "continuous")).toBeGreaterThan(0.45);
  expect(share(({ starter }) => startMethodOf(starter) === "drive")).toBeGreaterThan(0.18);
  expect(share(({ equipmentType }) => equipmentType === "DCMotor")).toBeGreaterThan(0.01);
  expect(share(({ npVoltage }) => npVoltage > 1000)).toBeGreaterThan(0.01);
});
