import { quantityOf } from "@busbar/contract/telemetry/quantities.ts";
import { expect, test } from "vitest";
import {
  addGrid,
  coveredSecondsOf,
  emptyGrid,
  joinInto,
  keepWithin,
  preferFuller,
  putMinutes,
  putValues,
  secondsOnlyIn,
  type Grid,
} from "./grid.ts";

type Time = readonly [covered: number, mean: number, minimum: number, maximum: number];
const none: Time = [0, 0, 0, 0];

function gridOf(start: number, step: number, times: readonly Time[]): Grid {
  const column = (index: number) => Float64Array.from(times, (time) => time[index]!);
  return { start, step, covered: column(0), mean: column(1), minimum: column(2), maximum: column(3) };
}
/** What is known of each time; undefined where nothing is. */
const timesOf = ({ covered, mean, minimum, maximum }: Grid) =>
  [...covered].map((seconds, index) => (seconds === 0 ? undefined : [seconds, mean[index], minimum[index], maximum[index]]));

test.each([
  ["on its steps", 120, 240, [120, 2]],
  ["begins within one", 119, 240, [60, 3]],
  ["ends within one", 120, 241, [120, 3]],
  ["nothing of a step", 120, 120, [120, 0]],
  ["the end before the beginning", 240, 120, [240, 0]],
])("A-63 a grid by the minute: %s", (_what, from, to, [start, length]) => {
  const grid = emptyGrid(from, to, 60);
  expect([grid.start, grid.covered.length, grid.minimum.length]).toEqual([start, length, length]);
});

test.each<[string, string, number, (readonly number[] | undefined)[]]>([
  ["a mean, with the least and the most", "current", 10, [[20, 3, 2, 4], undefined, [30, 5, 1, 9]]],
  ["what comes together is the least and the most too", "kwh", 10, [[20, 6, 6, 6], undefined, [30, 15, 15, 15]]],
  ["of the seconds it ran so much of the time there was", "runningSeconds", 10, [[20, 60, 60, 60], undefined, [30, 150, 150, 150]]],
  ["never more seconds than there are", "current", 40, [[60, 3, 2, 4], undefined, [60, 5, 1, 9]]],
])("A-63 values of a grid's times: %s", (_what, id, interval, expected) => {
  const grid = emptyGrid(60, 240, 60);
  const values: [number, number][] = [
    [59, 100],
    [60, 4],
    [90, NaN],
    [119.9, 2],
    [180, 5],
    [190, 9],
    [239, 1],
    [240, 100],
  ];
  const column = (index: 0 | 1) => Float64Array.from(values, (value) => value[index]);
  putValues(grid, column(0), column(1), quantityOf(id)!, interval);
  expect(timesOf(grid)).toEqual(expected);
  expect(coveredSecondsOf(grid)).toBe(expected.reduce((sum, time) => sum + (time?.[0] ?? 0), 0));
});

test("A-63 of two grids each time is of the one that knows more of it", () => {
  const own = gridOf(60, 60, [none, [30, 1, 1, 1], [30, 2, 2, 2]]);
  preferFuller(
    own,
    gridOf(0, 60, [
      [60, 100, 99, 101],
      [10, 3, 2, 4],
      [30, 50, 49, 51],
      [31, 6, 5, 7],
      [60, 100, 99, 101],
    ]),
  );
  expect(timesOf(own)).toEqual([
    [10, 3, 2, 4],
    [30, 1, 1, 1],
    [31, 6, 5, 7],
  ]);
});

test.each<["mean" | "sum", (readonly number[] | undefined)[]]>([
  ["mean", [[10, 1, 0, 2], [20, 3, 2, 4], [40, 6, 1, 9], undefined]],
  // An amount is its own least and most.
  ["sum", [[10, 1, 0, 2], [20, 3, 3, 3], [40, 10, 10, 10], undefined]],
])("A-63 nodes one after the other at a place: %s", (total, expected) => {
  const own = gridOf(0, 60, [[10, 1, 0, 2], none, [10, 3, 2, 4], none]);
  addGrid(own, gridOf(0, 60, [none, [20, 3, 2, 4], [30, 7, 1, 9], none]), total);
  expect(timesOf(own)).toEqual(expected);
});

test.each<["mean" | "sum", number, (readonly number[] | undefined)[]]>([
  ["mean", 1, [[80, 2.5, 0, 9], undefined, [60, 5, 4, 6]]],
  ["sum", 1, [[80, 4, 4, 4], undefined, [60, 5, 5, 5]]],
  // A minute stands for the two of the interval, yet not for more than there are.
  ["mean", 120, [[160, 2.5, 0, 9], undefined, [120, 5, 4, 6]]],
  ["mean", 600, [[180, 2.5, 0, 9], undefined, [180, 5, 4, 6]]],
])("A-63 minutes of longer times: %s of a scalar each %i s", (total, interval, expected) => {
  const grid = emptyGrid(180, 720, 180);
  // What was there of a time is replaced.
  grid.covered[0] = 180;
  const before: Time = [60, 100, 100, 100];
  putMinutes(
    grid,
    gridOf(120, 60, [before, [60, 3, 2, 9], none, [20, 1, 0, 2], none, none, none, none, none, [60, 5, 4, 6]]),
    total,
    interval,
  );
  expect(timesOf(grid)).toEqual(expected);
});

test("A-63 what is not wholly within a node's stay goes", () => {
  const full: Time[] = Array.from({ length: 5 }, () => [60, 1, 1, 1]);
  const left = (windows: [number, number][]) => {
    const grid = gridOf(60, 60, full);
    keepWithin(grid, windows);
    return [...grid.covered];
  };
  expect(left([[60, 360]])).toEqual([60, 60, 60, 60, 60]);
  expect(left([[61, 360]])).toEqual([0, 60, 60, 60, 60]);
  expect(left([[60, 359]])).toEqual([60, 60, 60, 60, 0]);
  const apart: [number, number][] = [
    [0, 150],
    [180, 250],
  ];
  expect(left(apart)).toEqual([60, 0, 60, 0, 0]);
  expect(left([])).toEqual([0, 0, 0, 0, 0]);
});

test("A-63 times joined go by where each begins, also those that are not equally long", () => {
  const times: Time[] = [[60, 100, 100, 100], [60, 2, 1, 3], [20, 6, 5, 9], none, [60, 4, 4, 4], [60, 100, 100, 100]];
  const grid = gridOf(0, 60, times);
  const bounds = [60, 180, 240, 300];
  expect(joinInto(grid, bounds, "mean")).toEqual({
    timestamps: [60, 240],
    covered: [80, 60],
    mean: [3, 4],
    minimum: [1, 4],
    maximum: [9, 4],
  });
  expect(joinInto(grid, bounds, "sum")).toEqual({
    timestamps: [60, 240],
    covered: [80, 60],
    mean: [8, 4],
    minimum: [8, 4],
    maximum: [8, 4],
  });
  const days = { ...grid, starts: [0, 100, 180, 181, 182, 300, 360] };
  expect(joinInto(days, [100, 180, 300], "sum")).toMatchObject({ timestamps: [100, 180], mean: [2, 10] });
  expect(joinInto(grid, [], "mean").timestamps).toEqual([]);
});

test("A-63 seconds that only the coarser grid has are those of its times in which the finer one has nothing", () => {
  const hours = gridOf(0, 100, [
    [90, 1, 1, 1],
    [80, 1, 1, 1],
    [70, 1, 1, 1],
  ]);
  const known = (...covered: number[]) =>
    gridOf(
      100,
      50,
      covered.map((seconds): Time => [seconds, 1, 1, 1]),
    );
  expect(secondsOnlyIn(hours, known(0, 0, 0, 0))).toBe(240);
  expect(secondsOnlyIn(hours, known(0, 1, 0, 0))).toBe(160);
  expect(secondsOnlyIn(hours, known(0, 0, 1, 0))).toBe(170);
});
