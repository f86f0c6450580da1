import type { ScalarHistoryRow } from "@busbar/contract/scalar-history.ts";
import { expect, test } from "vitest";
import { describePanel, panelsOf } from "./history-series.ts";

const row = (timestamp: number, current1: number | null): ScalarHistoryRow => ({
  timestamp,
  version: 1,
  flag: 1,
  lineFrequency: 60,
  current1,
  current2: 2,
  current3: 3,
  voltage1: 480,
  voltage2: 481,
  voltage3: 482,
});

test("a plot reads from the oldest on, and its line breaks where scalars are missing", () => {
  const { times, panels } = panelsOf([row(160, 5), row(150, 4), row(120, 3), row(110, 2), row(100, 1)]);
  expect(times).toEqual([100, 110, 120, 135, 150, 160]);
  expect(panels[0]?.series[0]?.values).toEqual([1, 2, 3, null, 4, 5]);
  expect(panels.map(({ title }) => title)).toEqual(["Current", "Voltage, line to line", "Line frequency"]);
});

test("one scalar and none make a plot too", () => {
  expect(panelsOf([row(100, 1)]).times).toEqual([100]);
  expect(panelsOf([]).times).toEqual([]);
});

test("a panel says in words what it shows", () => {
  const { panels } = panelsOf([row(110, null), row(100, null)]);
  expect(panels.map(describePanel)).toEqual([
    "Current: I1 no values, I2 2.00 to 2.00 A, I3 3.00 to 3.00 A",
    "Voltage, line to line: V1 480.00 to 480.00 V, V2 481.00 to 481.00 V, V3 482.00 to 482.00 V",
    "Line frequency: LF 60.00 to 60.00 Hz",
  ]);
});
