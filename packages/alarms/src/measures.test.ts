import { describe, expect, test } from "vitest";
import type { Triple } from "./alarm-settings.ts";
import {
  hasVoltage,
  imbalancePercent,
  isLoaded,
  isRunning,
  lostPhase,
  meanOf,
  missingLoadPercent,
  voltageDeviationPercent,
} from "./measures.ts";
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
  test("cannot be computed below the noise or with a channel left out", () => {
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

describe("channels that are not active", () => {
  const none = { ...settings, activeVoltages: [false, false, false], activeCurrents: [false, false, false] } as const;
  test("have no part in a mean; without any there is none", () => {
    expect(meanOf([10, 20, 90], [true, true, false])).toBe(15);
    expect(meanOf([10, 20, 90], none.activeCurrents)).toBeUndefined();
  });
  test("leave nothing to judge", () => {
    expect([hasVoltage(healthy, none), isRunning(healthy, none)]).toEqual([false, false]);
    expect(voltageDeviationPercent(healthy, none, 1)).toBeUndefined();
    expect(missingLoadPercent(healthy, none)).toBeUndefined();
    // A channel without a sensor reads 0, which is no lost phase.
    const readings = { ...healthy, currents: [172, 174, 0] as Triple };
    expect(lostPhase(readings, { ...settings, activeCurrents: [true, true, false] })).toBeUndefined();
  });
});

test("voltage and current count from above their noise on, load from above a quarter of the full load", () => {
  const at = (volts: number, amps: number) => ({ voltages: [volts, volts, volts] as Triple, currents: [amps, amps, amps] as Triple });
  expect([5, 5.1].map((volts) => hasVoltage(at(volts, 0), settings))).toEqual([false, true]);
  expect([100, 100.1].map((volts) => hasVoltage(at(volts, 0), { ...settings, viMinimumVoltageThreshold: 100 }))).toEqual([false, true]);
  expect([1, 1.1].map((amps) => isRunning(at(460, amps), settings))).toEqual([false, true]);
  expect([25, 25.1, undefined].map((amps) => isLoaded(amps, settings))).toEqual([false, true, false]);
  expect(isLoaded(1_000, { ...settings, npCurrent: undefined })).toBe(false);
});

test("what is missing to the full load: 30 of 100 A lack 70 %", () => {
  const readings = { ...healthy, currents: [30, 30, 30] as Triple };
  expect(missingLoadPercent(readings, settings)).toBeCloseTo(70, 9);
  for (const npCurrent of [undefined, 0]) expect(missingLoadPercent(readings, { ...settings, npCurrent })).toBeUndefined();
});
