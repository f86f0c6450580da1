import { expect, test } from "vitest";
import { emptyGrid, type Grid } from "./grid.ts";
import { daysOfMonth, minutesOfHour, packPoints, quartersOfDay, unpackPoints, type PackedShape } from "./packed-points.ts";

interface Point {
  covered: number;
  minimum: number;
  mean: number;
  maximum: number;
}

function gridOf(length: number, points: Readonly<Record<number, Point>>): Grid {
  const grid = emptyGrid(0, length, 1);
  for (const [index, { covered, minimum, mean, maximum }] of Object.entries(points)) {
    grid.covered[Number(index)] = covered;
    grid.minimum[Number(index)] = minimum;
    grid.mean[Number(index)] = mean;
    grid.maximum[Number(index)] = maximum;
  }
  return grid;
}
const pointsOf = ({ covered, minimum, mean, maximum }: Grid) =>
  Object.fromEntries(
    [...covered.entries()].flatMap(([index, seconds]) =>
      seconds === 0 ? [] : [[index, { covered: seconds, minimum: minimum[index]!, mean: mean[index]!, maximum: maximum[index]! }]],
    ),
  );
const all = (value: number, covered = 60): Point => ({ covered, minimum: value, mean: value, maximum: value });

test.each<[string, PackedShape, Record<number, Point>, bytes: number]>([
  ["one list where all are alike", minutesOfHour, { 0: all(1.5), 9: all(-2), 59: all(0) }, 1 + 8 + 3 * (1 + 4)],
  ["three where a maximum differs", minutesOfHour, { 0: all(1), 1: { ...all(2), maximum: 3 } }, 1 + 8 + 2 * (1 + 12)],
  ["three where a minimum differs", minutesOfHour, { 8: { ...all(2), minimum: 1 } }, 1 + 8 + (1 + 12)],
  ["seconds of a quarter", quartersOfDay, { 0: all(4, 900), 95: all(5, 1) }, 1 + 12 + 2 * (2 + 4)],
  ["seconds of a day, also one of 25 hours", daysOfMonth, { 0: all(4, 90_000), 30: all(5, 86_400) }, 1 + 4 + 2 * (4 + 4)],
])("A-63 points are packed and read again: %s", (_, shape, points, bytes) => {
  const packed = packPoints(gridOf(shape.count, points), 0, shape)!;
  expect(packed.length).toBe(bytes);
  const grid = emptyGrid(0, shape.count, 1);
  unpackPoints(packed, shape, grid, 0);
  expect(pointsOf(grid)).toEqual(points);
});

test("A-63 a run has the points from its place on, and none where there are none", () => {
  const grid = gridOf(150, { 59: all(1), 60: all(2), 119: all(3), 120: all(4) });
  const packed = packPoints(grid, 60, minutesOfHour)!;
  const read = emptyGrid(0, 70, 1);
  unpackPoints(packed, minutesOfHour, read, 10);
  expect(pointsOf(read)).toEqual({ 10: all(2), 69: all(3) });
  expect(packPoints(grid, 121, minutesOfHour)).toBeNull();
});

test("A-63 what lies before and after a grid is left out; what was there is replaced, and stays where there is no point", () => {
  const packed = packPoints(gridOf(60, { 0: all(1), 5: all(2), 59: all(3) }), 0, minutesOfHour)!;
  const grid = gridOf(10, { 1: all(7), 2: all(8) });
  unpackPoints(packed, minutesOfHour, grid, -4);
  expect(pointsOf(grid)).toEqual({ 1: all(2), 2: all(8) });
});

test("A-63 seconds are rounded, and no more than there is room for", () => {
  const packed = packPoints(gridOf(60, { 0: all(1, 59.6), 1: all(1, 300) }), 0, minutesOfHour)!;
  const grid = emptyGrid(0, 60, 1);
  unpackPoints(packed, minutesOfHour, grid, 0);
  expect(Array.from(grid.covered).slice(0, 2)).toEqual([60, 255]);
});
