import { array, assert, double, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { downsample } from "./downsample.ts";

test("keeps the lowest and the highest sample of any range, in the order of time", () => {
  assert(
    property(
      array(double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 400 }),
      integer({ min: 1, max: 40 }),
      (samples, columns) => {
        const times = Float64Array.from(samples, (_, index) => index);
        const plot = downsample(times, samples, 0, samples.length - 1, columns);
        const values = plot.values.filter((value) => value !== null);
        expect(Math.min(...values)).toBe(Math.min(...samples));
        expect(Math.max(...values)).toBe(Math.max(...samples));
        expect(plot.times.toSorted((a, b) => a - b)).toEqual(plot.times);
        expect(plot.times.length).toBeLessThanOrEqual(2 * Math.max(columns, 1));
      },
    ),
  );
});

test("a range as it is when it fits; missing samples are gaps", () => {
  const times = Float64Array.from([0, 1, 2, 3]);
  expect(downsample(times, [1, Number.NaN, 3, 4], 0, 2, 10)).toEqual({ times: [0, 1, 2], values: [1, null, 3] });
  const long = Array.from({ length: 40 }, (_, index) => (index < 20 ? Number.NaN : index));
  expect(downsample(Float64Array.from(long.keys()), long, 0, 39, 4).values).toEqual([null, null, 20, 29, 30, 39]);
});
