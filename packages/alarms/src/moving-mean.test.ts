import { expect, test } from "vitest";
import { createMovingMean } from "./moving-mean.ts";

/** A mean over a minute of samples every 10 s, fed with one value at each time. */
function meanAfter(times: readonly number[], valueAt: (at: number) => number = () => 1): number | undefined {
  const mean = createMovingMean(60, 10);
  for (const at of times) mean.add(at, valueAt(at));
  return mean.value();
}
const every10 = (from: number, to: number) => Array.from({ length: (to - from) / 10 + 1 }, (_, index) => from + 10 * index);

test("is there once samples cover the whole period, not before", () => {
  expect(meanAfter([])).toBeUndefined();
  expect(meanAfter(every10(1_000, 1_040))).toBeUndefined();
  expect(meanAfter(every10(1_000, 1_050))).toBe(1);
});

test("forgets what is older than the period, also after thousands of samples", () => {
  expect(meanAfter(every10(1_000, 1_110), (at) => (at <= 1_050 ? 500 : 7))).toBe(7);
  expect(meanAfter(every10(1_000, 1_100), (at) => (at <= 1_050 ? 500 : 7))).toBeCloseTo((500 + 5 * 7) / 6, 9);
  expect(meanAfter(every10(0, 50_000), (at) => at % 60)).toBeCloseTo(25, 9);
});

test("bears a gap of a fifth, not a larger one", () => {
  const whole = every10(1_000, 1_200);
  expect(meanAfter(whole.filter((at) => at !== 1_180))).toBe(1);
  expect(meanAfter(whole.filter((at) => at < 1_170 || at > 1_180))).toBeUndefined();
});
