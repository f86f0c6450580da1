import { array, assert, double, integer, property, tuple } from "fast-check";
import { expect, test } from "vitest";
import { downsample } from "./downsample.ts";

const indexes = (length: number) => Float64Array.from({ length }, (_, index) => index);

test("keeps the lowest and the highest sample of any range for every channel, in the order of time", () => {
  const sample = double({ min: -1e6, max: 1e6, noNaN: true });
  assert(
    property(array(tuple(sample, sample), { minLength: 1, maxLength: 400 }), integer({ min: 1, max: 40 }), (rows, columns) => {
      const channels = [rows.map(([a]) => a), rows.map(([, b]) => b)];
      const plot = downsample(indexes(rows.length), channels, 0, rows.length - 1, columns);
      for (const [place, samples] of channels.entries()) {
        expect(Math.min(...plot.values[place]!)).toBe(Math.min(...samples));
        expect(Math.max(...plot.values[place]!)).toBe(Math.max(...samples));
        expect(plot.values[place]).toHaveLength(plot.times.length);
      }
      expect(plot.times.toSorted((a, b) => a - b)).toEqual(plot.times);
      expect(plot.times.length).toBeLessThanOrEqual(2 * columns);
    }),
  );
});

test("A-63 the highest sample of a column comes first where it was first", () => {
  const samples = Array.from({ length: 40 }, (_, index) => (index < 20 ? index : 40 - index));
  expect(downsample(indexes(40), [samples], 0, 39, 4).values[0]).toEqual([0, 9, 10, 19, 20, 11, 10, 1]);
});

test("an extreme is within a column of its time", () => {
  const samples = Array.from({ length: 1_000 }, (_, index) => (index === 637 ? 9 : 0));
  const plot = downsample(indexes(1_000), [samples], 0, 999, 20);
  expect(Math.abs(plot.times[plot.values[0]!.indexOf(9)]! - 637)).toBeLessThanOrEqual(50);
});

test("a range as it is when it fits; missing samples are gaps; nothing of an empty range", () => {
  const times = indexes(4);
  expect(downsample(times, [[1, Number.NaN, 3, 4]], 0, 2, 10)).toEqual({
    times: [0, 1, 2],
    values: [[1, Number.NaN, 3]],
    isEverySample: true,
  });
  const long = Array.from({ length: 40 }, (_, index) => (index < 15 ? Number.NaN : index));
  const plot = downsample(indexes(40), [long], 0, 39, 4);
  expect([plot.values[0], plot.isEverySample]).toEqual([[Number.NaN, Number.NaN, 15, 19, 20, 29, 30, 39], false]);
  expect(downsample(times, [[1, 2, 3, 4]], 2, 1, 4)).toEqual({ times: [], values: [[]], isEverySample: true });
});
