import { expect, test } from "vitest";
import { sparkPath } from "./spark-path.ts";

const size = { width: 100, height: 24 };

test("spans the width by time, not by count, and breaks where a value is missing", () => {
  expect(sparkPath([0, 10, 20, 100], [0, null, 10, 5], { low: 0, high: 10 }, size)).toBe("M0.0 22.0M20.0 2.0L100.0 12.0");
});

test("a still line is in the middle, and noise is not drawn as a movement", () => {
  expect(sparkPath([0, 100], [480, 480], { low: 480, high: 480 }, size)).toBe("M0.0 12.0L100.0 12.0");
  const [, low = 0, high = 0] = /M0.0 ([\d.]+)L100.0 ([\d.]+)/
    .exec(sparkPath([0, 100], [480, 481], { low: 480, high: 481 }, size))!
    .map(Number);
  expect(low - high).toBeLessThan(4);
});

test("one value is a point in the middle", () => {
  expect(sparkPath([50], [1], { low: 1, high: 1 }, size)).toBe("M50.0 12.0");
});
