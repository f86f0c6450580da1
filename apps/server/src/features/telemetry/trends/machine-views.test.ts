import { quantityOf } from "@busbar/contract/telemetry/quantities.ts";
import { expect, test } from "vitest";
import type { Grid } from "./grid.ts";
import { durationOf, machineDays, profileOf, scatterOf } from "./machine-views.ts";
import { dayGrid } from "./node-grids.ts";
import { figuresOf, sumOf } from "./range-figures.ts";

type Time = readonly [covered: number, mean: number, minimum?: number, maximum?: number];
/** Nothing is known of it, whatever is written there. */
const none: Time = [0, 1_000, -1_000, 1_000];
const at = (time: string) => Date.parse(`${time}Z`) / 1000;

function gridOf(start: number, step: number, times: readonly Time[]): Grid {
  const column = (index: number) => Float64Array.from(times, (time) => time[index] ?? time[1]);
  return { start, step, covered: column(0), mean: column(1), minimum: column(2), maximum: column(3) };
}
const cellsOf = (grid: Grid, total: "mean" | "sum", zone: string) =>
  profileOf(grid, total, zone).map(({ weekday, hour, mean, coveredSeconds }) => [
    weekday,
    hour,
    Math.round(mean * 100) / 100,
    coveredSeconds,
  ]);

test("A-63 a profile has the hours of the place's week, each weighed by what is known of it, and of what adds up so much an hour", () => {
  // Late on a Sunday in Denver.
  const halves = gridOf(at("2026-03-02T06:00"), 1_800, [[1_800, 1], [900, 4], none, [1_800, 7]]);
  expect(cellsOf(halves, "mean", "America/Denver")).toEqual([
    [1, 0, 7, 1_800],
    [7, 23, 2, 2_700],
  ]);
  expect(cellsOf(halves, "sum", "America/Denver")).toEqual([
    [1, 0, 14, 1_800],
    [7, 23, 6.67, 2_700],
  ]);
  expect(cellsOf(halves, "mean", "UTC")).toEqual([
    [1, 6, 2, 2_700],
    [1, 7, 7, 1_800],
  ]);
  const weekLater = gridOf(at("2026-03-02T06:00"), 3_600, [[3_600, 1], ...Array.from({ length: 167 }, () => none), [3_600, 3]]);
  expect(cellsOf(weekLater, "mean", "UTC")).toEqual([[1, 6, 2, 7_200]]);
  // From one to three in the morning at once.
  const skipped = gridOf(at("2026-03-08T08:30"), 1_800, [
    [1_800, 1],
    [1_800, 2],
  ]);
  expect(cellsOf(skipped, "mean", "America/Denver")).toEqual([
    [7, 1, 1, 1_800],
    [7, 3, 2, 1_800],
  ]);
  expect(cellsOf(gridOf(0, 60, []), "mean", "UTC")).toEqual([]);
});

test("A-63 so much of the known time does not exceed so much", () => {
  const { percentiles, coveredSeconds } = durationOf(gridOf(0, 60, [[10, 5], [30, 1], none, [60, 3]]));
  expect(coveredSeconds).toBe(100);
  expect(percentiles).toEqual([
    ...Array.from({ length: 31 }, () => 1),
    ...Array.from({ length: 60 }, () => 3),
    ...Array.from({ length: 10 }, () => 5),
  ]);
  expect(durationOf(gridOf(0, 60, [none]))).toEqual({ percentiles: [], coveredSeconds: 0 });
});

test("A-63 two quantities meet in the times that both have", () => {
  const x = gridOf(0, 50, [[50, 1], none, [50, 3], [50, 5], none, none]);
  const y = gridOf(0, 50, [none, none, [50, 4], [50, 6], [50, 8], none]);
  expect(scatterOf(x, y, [0, 100, 200, 300], ["mean", "sum"])).toEqual({ timestamps: [100], x: [4], y: [10] });
  expect(scatterOf(x, y, [0, 100, 200, 300], ["sum", "mean"])).toEqual({ timestamps: [100], x: [8], y: [5] });
});

test("A-63 days of a machine are those of which anything is known, as long as they are there", () => {
  const starts = ["2026-03-07T07:00", "2026-03-08T07:00", "2026-03-09T06:00", "2026-03-10T06:00", "2026-03-11T06:00"].map(at);
  const daysOf = (times: readonly Time[]) => ({ ...gridOf(starts[0]!, 86_400, times), starts: dayGrid(starts).starts! });
  const sums = {
    energy: daysOf([[900, 10], none, none, none]),
    running: daysOf([none, [900, 3_600], none, none]),
    starts: daysOf([none, none, none, [900, 0]]),
  };
  const day = { energyKwh: null, costCents: null, runSeconds: null, starts: null };
  const days = [
    { ...day, date: "2026-03-07", timestamp: starts[0], lengthSeconds: 86_400, energyKwh: 10, costCents: 125 },
    { ...day, date: "2026-03-08", timestamp: starts[1], lengthSeconds: 82_800, runSeconds: 3_600 },
    { ...day, date: "2026-03-10", timestamp: starts[3], lengthSeconds: 86_400, starts: 0 },
  ];
  expect(machineDays(sums, "America/Denver", 12.5)).toEqual(days);
  expect(machineDays(sums, "America/Denver", null)).toEqual(days.map((each) => ({ ...each, costCents: null })));
});

test("A-63 the figures of a range are of what is known of it alone", () => {
  const grid = gridOf(0, 60, [[30, 2, 1, 3], none, [10, 6, 5, 9]]);
  expect(figuresOf(grid, quantityOf("current")!)).toEqual({
    coveredSeconds: 40,
    minimum: 1,
    mean: 3,
    maximum: 9,
    percentile95: 6,
    total: null,
  });
  expect(figuresOf(grid, quantityOf("kwh")!)).toEqual({ coveredSeconds: 40, minimum: 1, mean: 4, maximum: 9, percentile95: 6, total: 8 });
  const many = gridOf(0, 60, [none, ...Array.from({ length: 40 }, (_, index): Time => [60, 40 - index])]);
  expect(figuresOf(many, quantityOf("current")!).percentile95).toBe(38);
  const nothing = { coveredSeconds: 0, minimum: null, mean: null, maximum: null, percentile95: null, total: null };
  expect([figuresOf(gridOf(0, 60, [none]), quantityOf("kwh")!), sumOf(gridOf(0, 60, [none])), sumOf(grid)]).toEqual([nothing, null, 8]);
});
