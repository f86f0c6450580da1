import type { Metering } from "@busbar/contract/telemetry/metering.ts";
import { expect, test, vi } from "vitest";
import { addToTrend, describeTrend, notesOfTrend, trendRange, valueRange, type TrendPoint } from "./trend.ts";

const at = (timestamp: number | null, current = 1, kw: number | null = 2) =>
  ({ timestamp, current1: current, current2: current, current3: null, powerKw: kw }) as Metering;
const add = (...readings: Metering[]) => readings.reduce<TrendPoint[]>(addToTrend, []);

test("a value counts once, and only when it is newer", () => {
  expect(add(at(null), at(100), at(100, 9), at(99, 9), at(101, 3))).toEqual([
    { at: 100, currents: [1, 1, null], kw: 2 },
    { at: 101, currents: [3, 3, null], kw: 2 },
  ]);
});

test("a plot shows the minute up to its newest value, also of one value and of none", () => {
  expect(trendRange([1_000])).toEqual([940, 1_000]);
  expect(trendRange([950, 1_000])).toEqual([940, 1_000]);
  vi.spyOn(Date, "now").mockReturnValueOnce(5_000_000);
  expect(trendRange([])).toEqual([4_940, 5_000]);
});

test("A-29 the trend at standstill is held against the noise, so that noise is a flat line", () => {
  const [low, high] = valueRange(0.02, 0.2, 2.25);
  expect(0.18 / (high - low)).toBeLessThan(0.05);
  const [from, to] = valueRange(33, 38, 2.25);
  expect([from, to]).toEqual([32.5, 38.5]);
});

test("a minute is kept", () => {
  const trend = add(...Array.from({ length: 200 }, (_, second) => at(1_000 + second)));
  expect([trend.length, trend[0]?.at, trend.at(-1)?.at]).toEqual([60, 1_140, 1_199]);
});

test("in words", () => {
  expect(describeTrend([], "A")).toBe("Currents of the last minute: no values yet");
  expect(describeTrend(add(at(1, 5), at(2, 7.25)), "A")).toBe("Currents of the last minute: 2 values from 5.0 to 7.3 A");
  expect(describeTrend(add(at(1, 5, null)), "kW")).toBe("Power of the last minute: no values yet");
});

test("NOT-04 notes of the plotted minute are on the currents when they are flagged for them, and are read out", () => {
  const trend = add(at(1_000, 5), at(1_050, 7));
  const note = (id: number, timestamp: number, showInCurrentPlot = true) => ({
    id,
    timestamp,
    note: `n${id}`,
    showInCurrentPlot,
    showInVoltagePlot: true,
    showInAccumulatedAmpHoursPlot: true,
  });
  const notes = [note(1, 989), note(2, 990), note(3, 1_020, false), note(4, 1_050), note(5, 1_051)];
  const shown = notesOfTrend(trend, "A", notes);
  expect(shown.map(({ id }) => id)).toEqual([2, 4]);
  expect([notesOfTrend(trend, "kW", notes), notesOfTrend([], "A", notes)]).toEqual([[], []]);
  expect(describeTrend(trend, "A", shown)).toBe("Currents of the last minute: 2 values from 5.0 to 7.0 A; note: n2; note: n4");
});
