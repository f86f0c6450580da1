import { describe, expect, test } from "vitest";
import { orderOf, signaturePercent } from "./harmonic-signature.ts";
import { judgeRecord, type DataRecord } from "./record-alarms.ts";
import { namesOf, settings } from "./testing/feed.ts";

const spectrum = (fundamental: number, harmonics: Record<number, number> = {}) =>
  Array.from({ length: 25 }, (_, index) => (index === 0 ? fundamental : (harmonics[index + 1] ?? 0.1)));

const healthy: DataRecord = {
  at: 900,
  voltageThd: [3, 3, 3],
  currentThd: [4, 4, 4],
  meanCurrent: 80,
  startsPerHour: 0,
  lineFrequency: 60,
  currentHarmonics: [spectrum(80), spectrum(80), spectrum(80)],
};
const bearing = [{ name: "Bearing", frequencies: [300, 420] }];
const judge = (record: Partial<DataRecord>, open: string[] = [], changed: Partial<typeof settings> = {}) =>
  judgeRecord({ ...healthy, ...record }, { ...settings, ...changed }, bearing, new Set(open));

test("a healthy record changes nothing", () => {
  expect(judge({})).toEqual([]);
});

describe("distortion", () => {
  test("is that of the worst active channel, the current's only under load", () => {
    const worst = { voltageThd: [3, 4, 30], currentThd: [40, undefined, undefined] };
    expect(namesOf(judge(worst, [], { activeVoltages: [true, true, false] }))).toEqual(["currentThd raised"]);
    expect(namesOf(judge({ ...worst, meanCurrent: 25 }))).toEqual(["voltageThd raised"]);
    expect(namesOf(judge({ ...worst, meanCurrent: undefined }, ["currentThd"]))).toEqual(["voltageThd raised", "currentThd cleared"]);
  });

  test("at the limit raises nothing, and clears from 95 % of it on", () => {
    expect(judge({ voltageThd: [10, 1, 1] })).toEqual([]);
    expect(judge({ voltageThd: [10.01, 1, 1] })).toEqual([{ kind: "voltageThd", change: "raised", at: 900, value: 10.01, limit: 10 }]);
    expect(judge({ voltageThd: [12, 1, 1] }, ["voltageThd"])).toEqual([]);
    expect(judge({ voltageThd: [9.6, 1, 1] }, ["voltageThd"])).toEqual([]);
    expect(namesOf(judge({ voltageThd: [9.5, 1, 1] }, ["voltageThd"]))).toEqual(["voltageThd cleared"]);
    const unknown = judge({ voltageThd: [undefined, undefined, undefined] }, ["voltageThd"]);
    expect(unknown).toEqual([{ kind: "voltageThd", change: "cleared", at: 900, value: undefined, limit: 10 }]);
  });
});

test("without a value of an active channel, and with signatures that cannot be computed, nothing is raised", () => {
  expect(judge({ voltageThd: [undefined, undefined, 30] }, [], { activeVoltages: [true, true, false] })).toEqual([]);
  const signatures = [{ name: "Bars", frequencies: [57.6] }, ...bearing];
  const currentHarmonics = [spectrum(100, { 5: 9, 7: 9 })];
  expect(judgeRecord({ ...healthy, currentHarmonics }, settings, signatures, new Set())).toMatchObject([{ name: "Bearing" }]);
  expect(judgeRecord({ ...healthy, currentHarmonics }, settings, signatures.slice(0, 1), new Set())).toEqual([]);
  const holes = [
    [undefined, ...spectrum(9).slice(1)],
    spectrum(100, { 5: 9, 7: 9 }).map((amps, index) => (index === 4 ? undefined : amps)),
  ];
  expect(signaturePercent(bearing[0]!, 60, holes)).toBe(0);
});

test("more starts in an hour than allowed", () => {
  expect(judge({ startsPerHour: 6 })).toEqual([]);
  expect(judge({ startsPerHour: 7 })).toMatchObject([{ kind: "frequentStarts", change: "raised", value: 7, limit: 6 }]);
  expect(namesOf(judge({ startsPerHour: 5 }, ["frequentStarts"]))).toEqual(["frequentStarts cleared"]);
});

describe("a signature", () => {
  test("shows as strong as the weakest of its frequencies: 4 % and 3.2 % make 3.2 %", () => {
    const currents = [spectrum(100, { 5: 4, 7: 3.2 }), spectrum(100, { 5: 1 }), spectrum(0, { 5: 50, 7: 50 })];
    expect(signaturePercent(bearing[0]!, 60, currents)).toBeCloseTo(3.2, 9);
    const [change, ...others] = judge({ currentHarmonics: currents });
    expect(change).toMatchObject({ kind: "harmonicSignature", change: "raised", limit: 3, name: "Bearing" });
    expect([change?.value, others]).toEqual([expect.closeTo(3.2, 9), []]);
    expect(judge({ currentHarmonics: [spectrum(100, { 5: 9, 7: 2.9 })] })).toEqual([]);
    expect(judge({ currentHarmonics: currents, meanCurrent: 20 })).toEqual([]);
  });

  test("counts the phases that are active", () => {
    const currentHarmonics = [spectrum(100), spectrum(100), spectrum(100, { 5: 9, 7: 9 })];
    expect(judge({ currentHarmonics }, [], { activeCurrents: [true, true, false] })).toEqual([]);
    expect(judge({ currentHarmonics })).toHaveLength(1);
  });

  test.each([
    [300, 5],
    [307.5, 5],
    [292.5, 5],
    [308, undefined],
    [60, undefined],
    [-300, undefined],
    [29.5, undefined],
    [0, undefined],
    [1_500, 25],
    [1_560, undefined],
  ])("frequency %f Hz falls into order %s", (frequency, order) => {
    expect(orderOf(frequency, 60, 25)).toBe(order);
  });

  test("between the orders, or of a supply without frequency, is not computed", () => {
    expect(signaturePercent({ name: "Bars", frequencies: [57.6, 62.4] }, 60, healthy.currentHarmonics)).toBeUndefined();
    expect(signaturePercent(bearing[0]!, 0, healthy.currentHarmonics)).toBeUndefined();
    expect(judge({ lineFrequency: undefined, currentHarmonics: [spectrum(100, { 5: 9, 7: 9 })] })).toEqual([]);
  });
});
