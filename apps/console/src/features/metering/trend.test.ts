import type { Metering } from "@busbar/contract/metering.ts";
import { expect, test } from "vitest";
import { addToTrend, describeTrend } from "./trend.ts";
import type { TrendPoint } from "./trend.ts";

const at = (timestamp: number | null, current = 1, kw: number | null = 2) =>
  ({ timestamp, current1: current, current2: current, current3: null, powerKw: kw }) as Metering;
const add = (...readings: Metering[]) => readings.reduce<TrendPoint[]>(addToTrend, []);

test("a value counts once, and only when it is newer", () => {
  expect(add(at(null), at(100), at(100, 9), at(99, 9), at(101, 3))).toEqual([
    { at: 100, currents: [1, 1, null], kw: 2 },
    { at: 101, currents: [3, 3, null], kw: 2 },
  ]);
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
