import { describe, expect, test } from "vitest";
import type { Triple } from "./alarm-settings.ts";
import { imbalancePercent, lostPhase, voltageDeviationPercent } from "./measures.ts";
import { healthy, settings } from "./testing/feed.ts";

const all = [true, true, true];

describe("imbalance (NEMA MG-1)", () => {
  test.each<[Triple, number]>([
    [[480, 476, 472], 0.8403],
    [[460, 467, 450], 1.9608],
    [[462, 463, 455], 1.087],
    [[460, 460, 460], 0],
    [[101, 100, 90], 7.2165],
    [[0, 86.6, 86.6], 100],
    [[100, 90, 110], 10],
  ])("%j is %d %%", (values, percent) => {
    expect(imbalancePercent(values, all, 1)).toBeCloseTo(percent, 4);
  });
  test("cannot be told below the noise or with a channel left out", () => {
    expect(imbalancePercent([1, 1, 1], all, 1)).toBeUndefined();
    expect(imbalancePercent([480, 476, 472], [true, true, false], 1)).toBeUndefined();
  });
});

describe("deviation from the nameplate's voltage", () => {
  test.each<[Triple, 1 | -1, number]>([
    [[460, 496.8, 460], 1, 8],
    [[460, 500, 460], 1, 8.696],
    [[414, 460, 460], -1, 10],
    [[410, 460, 460], -1, 10.87],
  ])("%j, sign %d, is %d %%", (voltages, sign, percent) => {
    expect(voltageDeviationPercent({ ...healthy, voltages }, settings, sign)).toBeCloseTo(percent, 3);
  });
  test("is the worst of the active lines only", () => {
    const readings = { ...healthy, voltages: [500, 460, 470] as Triple };
    expect(voltageDeviationPercent(readings, { ...settings, activeVoltages: [false, true, true] }, 1)).toBeCloseTo(2.174, 3);
    expect(voltageDeviationPercent(readings, { ...settings, npVoltage: undefined }, 1)).toBeUndefined();
  });
});

test.each<[Triple, number | undefined]>([
  [[0.2, 172, 174], 1],
  [[172, 0.5, 174], 2],
  [[172, 174, 1], 3],
  [[172, 174, 1.1], undefined],
  [[0, 0, 174], undefined],
  [[0, 0, 0], undefined],
])("the phase without current of %j is %j", (currents, phase) => {
  expect(lostPhase({ ...healthy, currents }, settings)).toBe(phase);
});
