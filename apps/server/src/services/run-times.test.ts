import { expect, test } from "vitest";
import { longestRunSeconds, nextRunAt } from "./run-times.ts";

test("a run may take ten intervals, at least ten minutes and at most an hour", () => {
  const bounds = [5, 60, 61, 300, 360, 3_600, 86_400].map((intervalSeconds) => longestRunSeconds({ intervalSeconds }));
  expect(bounds).toEqual([600, 600, 610, 3_000, 3_600, 3_600, 3_600]);
});

test("the next run is an interval later; what failed is tried within five minutes", () => {
  expect(nextRunAt({ intervalSeconds: 60 }, 1_000.5, false)).toBe(1_060.5);
  expect(nextRunAt({ intervalSeconds: 60 }, 1_000, true)).toBe(1_060);
  expect(nextRunAt({ intervalSeconds: 86_400 }, 1_000, true)).toBe(1_300);
});

test("a job of the day runs at its time, however long the last run took and whenever it was requested", () => {
  const daily = { intervalSeconds: 86_400, offsetSeconds: 43_200 };
  const noon = 10 * 86_400 + 43_200;
  for (const now of [noon - 86_399.9, noon - 1, noon - 0.001]) expect([now, nextRunAt(daily, now, false)]).toEqual([now, noon]);
  for (const now of [noon, noon + 0.5, noon + 40_000]) expect([now, nextRunAt(daily, now, false)]).toEqual([now, noon + 86_400]);
  expect(nextRunAt(daily, noon - 100, true)).toBe(noon);
});

test("what was set aside is tried again at its time, where that comes first, and at once where it is past", () => {
  const minute = { intervalSeconds: 60 };
  expect([1_030, 1_060, 1_090, 900].map((at) => nextRunAt(minute, 1_000, false, at))).toEqual([1_030, 1_060, 1_060, 1_000]);
});
