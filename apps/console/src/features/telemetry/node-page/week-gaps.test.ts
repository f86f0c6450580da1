import { describe, expect, test } from "vitest";
import { drawnGaps, isDuring, laneText, lengthText } from "./week-gaps.ts";

const gap = (fromTimestamp: number, toTimestamp: number, count: number | null = null) => ({ fromTimestamp, toTimestamp, count });

describe("drawn gaps", () => {
  test("those that would lie on each other are one, with the sum of what they lack", () => {
    const gaps = [gap(0, 10, 1), gap(15, 20, 2), gap(40, 50, 1)];
    expect(drawnGaps(gaps, { from: 0, to: 2_000 })).toEqual([
      { from: 0, to: 20, gaps: 2, seconds: 15, missing: 3 },
      { from: 40, to: 50, gaps: 1, seconds: 10, missing: 1 },
    ]);
  });
  test("gaps without a count have none", () => {
    expect(drawnGaps([gap(0, 10), gap(12, 20)], { from: 0, to: 2_000 })[0]).toMatchObject({ missing: null, gaps: 2 });
  });
});

test.each([
  [20, "20 s"],
  [60, "1 min"],
  [3_599, "1 h"],
  [3_600 + 240, "1 h 4 min"],
  [86_400, "1 day"],
  [2 * 86_400 + 3 * 3_600, "2 days 3 h"],
])("%s seconds are %s", (seconds, text) => {
  expect(lengthText(seconds)).toBe(text);
});

test("a lane says what it lacks", () => {
  const week = { from: 0, to: 604_800 };
  expect(laneText({ knownFromTimestamp: 60, gaps: [] }, week)).toBe("whole since it is known");
  expect(laneText({ knownFromTimestamp: null, gaps: [] }, week)).toBe("nothing yet");
  expect(laneText({ knownFromTimestamp: 0, gaps: [] }, week)).toBe("whole");
  expect(laneText({ knownFromTimestamp: 0, gaps: [gap(0, 720)] }, week)).toBe("12 min");
  expect(laneText({ knownFromTimestamp: 0, gaps: [gap(0, 720), gap(900, 960)] }, week)).toBe("13 min in 2 gaps");
  expect(laneText({ knownFromTimestamp: 0, gaps: [gap(0, 900, 1_200)] }, week)).toBe("1,200 missing");
});

test("a gap is the platform's when it lies in a time in which the platform was away", () => {
  const away = [{ fromTimestamp: 100, toTimestamp: 200 }];
  expect(isDuring({ from: 100, to: 200 }, away)).toBe(true);
  expect(isDuring({ from: 99, to: 200 }, away)).toBe(false);
});
