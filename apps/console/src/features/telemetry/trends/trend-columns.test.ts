import { expect, test } from "vitest";
import { columnsOf, type Frame } from "./trend-columns.ts";
import type { TrendLine } from "./trend-lines.ts";

/** A pixel for each second and unit, upside down as on a canvas. */
const frame: Frame = { from: 0, to: 20, x: (time) => time, y: (value) => 100 - value };

const line = (points: readonly (readonly [time: number, low: number, mean: number, high: number])[], step: number) =>
  ({
    times: points.map(([time]) => time),
    minimum: points.map(([, low]) => low),
    mean: points.map(([, , mean]) => mean),
    maximum: points.map(([, , , high]) => high),
    step,
  }) as unknown as TrendLine;

test("a line between two points is in every column that it crosses, and its band with it", () => {
  const columns = columnsOf(
    line(
      [
        [1, 0, 10, 20],
        [5, 40, 50, 60],
      ],
      4,
    ),
    frame,
    2,
  );
  expect(columns).toEqual({
    width: 2,
    left: [0, 2, 4],
    top: [70, 50, 40],
    bottom: [100, 90, 70],
    from: [80, 60, 50],
    to: [90, 80, 60],
  });
});

test("many points of one column are one column, from the lowest to the highest", () => {
  const columns = columnsOf(
    line(
      [
        [4, 1, 5, 9],
        [4.5, 0, 3, 4],
        [5, 6, 7, 30],
      ],
      0.5,
    ),
    frame,
    2,
  );
  expect(columns).toEqual({ width: 2, left: [4], top: [70], bottom: [100], from: [93], to: [97] });
});

test("a gap has no columns, and a point by itself has one", () => {
  const columns = columnsOf(
    line(
      [
        [0, 1, 2, 3],
        [10, 1, 2, 3],
        [11, 1, 2, 3],
      ],
      1,
    ),
    frame,
    1,
  );
  expect(columns.left).toEqual([0, 10, 11]);
});

test("between points far outside there are columns in sight only", () => {
  const columns = columnsOf(
    line(
      [
        [-1e9, 0, 0, 0],
        [1e9, 50, 50, 50],
      ],
      2e9,
    ),
    frame,
    4,
  );
  expect(columns.left).toEqual([-1e9, 0, 4, 8, 12, 16, 20, 1e9]);
});
