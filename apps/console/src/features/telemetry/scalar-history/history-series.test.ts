import type { ScalarHistoryRow } from "@busbar/contract/telemetry/scalar-history.ts";
import { expect, test } from "vitest";
import { describePanel, notesOf, panelsOf } from "./history-series.ts";

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
  const colors = ["var(--phase-1)", "var(--phase-2)", "var(--phase-3)"];
  expect(panels.map(({ series }) => series.map(({ color }) => color))).toEqual([colors, colors, ["var(--phase-lf)"], colors]);
  expect(panels.map(({ title }) => title)).toEqual(["Current", "Voltage, line to line", "Line frequency", "Accumulated amp hours"]);
});

test("one scalar and none make a plot too", () => {
  expect(panelsOf([row(100, 1)]).times).toEqual([100]);
  expect(panelsOf([]).times).toEqual([]);
});

test("a panel says in words what it shows", () => {
  const { panels } = panelsOf([row(110, null), row(100, null)]);
  expect(panels.map((panel) => describePanel(panel))).toEqual([
    "Current: I1 no values, I2 2.00 to 2.00 A, I3 3.00 to 3.00 A",
    "Voltage, line to line: V1 480.00 to 480.00 V, V2 481.00 to 481.00 V, V3 482.00 to 482.00 V",
    "Line frequency: LF 60.00 to 60.00 Hz",
    "Accumulated amp hours: I1 no values, I2 0.00 to 0.01 Ah, I3 0.00 to 0.01 Ah",
  ]);
});

test("amp hours add up from the oldest sample on, and not over what is missing", () => {
  const rows = [row(7_200, 100), row(3_600, 100), row(0, 0)];
  const ah = (list: ScalarHistoryRow[]) => panelsOf(list).panels[3]?.series[0]?.values;
  expect(ah(rows)).toEqual([0, 50, 150]);
  expect(ah([row(40, 360), row(30, 360), row(10, 360), row(0, 360)])).toEqual([0, 1, null, 1, 2]);
});

test("NOT-04 each plot shows the notes that are flagged for it, the line frequency none", () => {
  const flags = { showInVoltagePlot: false, showInCurrentPlot: false, showInAccumulatedAmpHoursPlot: false };
  const notes = [
    { id: 1, timestamp: 1, note: "volts", ...flags, showInVoltagePlot: true },
    { id: 2, timestamp: 2, note: "amps", ...flags, showInCurrentPlot: true },
    { id: 3, timestamp: 3, note: "charge", ...flags, showInAccumulatedAmpHoursPlot: true },
    { id: 4, timestamp: 4, note: "everywhere", showInVoltagePlot: true, showInCurrentPlot: true, showInAccumulatedAmpHoursPlot: true },
  ];
  const { panels } = panelsOf([row(110, 1), row(100, 1)]);
  expect(panels.map((panel) => notesOf(panel, notes).map(({ note }) => note))).toEqual([
    ["amps", "everywhere"],
    ["volts", "everywhere"],
    [],
    ["charge", "everywhere"],
  ]);
  expect(describePanel(panels[0]!, notes.slice(1, 2))).toMatch(/^Current: .*; note: amps$/);
});
