import { describe, expect, test } from "vitest";
import { missedInGap, outagesBetween, type PresencePeriod } from "./platform-outages.ts";

describe("the breaks in which no ingest process listened", () => {
  const period = (startedAt: number, aliveAt: number): PresencePeriod => ({ startedAt, aliveAt });
  const now = 10_000;
  test.each<[string, PresencePeriod[], { start: number; end: number }[]]>([
    ["nothing is known", [], []],
    ["one that listens", [period(1_000, now)], []],
    ["it was alive 15 s ago", [period(1_000, now - 15)], []],
    ["and 16 s ago", [period(1_000, now - 16)], [{ start: now - 26, end: now }]],
    [
      "it came back: what came 10 s before may be lost, and nodes need two minutes",
      [period(1_000, 2_000), period(3_000, now)],
      [{ start: 1_990, end: 3_120 }],
    ],
    ["it came back in the same second", [period(1_000, 2_000), period(2_000, now)], []],
    ["others went on", [period(1_000, 2_000), period(500, 5_000), period(3_000, now)], []],
    ["whichever is named first", [period(3_000, now), period(1_000, 2_000)], [{ start: 1_990, end: 3_120 }]],
    [
      "two of which the second begins before nodes are back",
      [period(1_000, 2_000), period(3_000, 3_130), period(3_200, now)],
      [{ start: 1_990, end: 3_320 }],
    ],
    [
      "two apart",
      [period(1_000, 2_000), period(3_000, 3_131), period(3_200, now)],
      [
        { start: 1_990, end: 3_120 },
        { start: 3_121, end: 3_320 },
      ],
    ],
    ["a short one within", [period(1_000, 9_000), period(2_000, 3_000)], [{ start: 8_990, end: now }]],
  ])("%s", (_what, periods, outages) => expect(outagesBetween(periods, now)).toEqual(outages));

  test("how long it may be silent can be said", () => {
    expect(outagesBetween([period(1_000, now - 60)], now, 60)).toEqual([]);
    expect(outagesBetween([period(1_000, now - 61)], now, 60)).toEqual([{ start: now - 71, end: now }]);
  });
});

describe("the scalars that a gap lacks", () => {
  test.each([
    ["two that are one interval apart", 10, [], 0, 0],
    ["nearly two", 14, [], 0, 0],
    ["two", 15, [], 1, 0],
    ["none at all", 0, [], 0, 0],
    ["five", 60, [], 5, 0],
    ["all in an outage", 60, [{ start: 900, end: 2_000 }], 0, 5],
    ["an outage from one that was due to another", 60, [{ start: 1_020, end: 1_040 }], 2, 3],
    ["just inside of them", 60, [{ start: 1_021, end: 1_039 }], 4, 1],
    ["between two", 60, [{ start: 1_021, end: 1_029 }], 5, 0],
    [
      "before and after",
      60,
      [
        { start: 0, end: 999 },
        { start: 1_060, end: 2_000 },
      ],
      5,
      0,
    ],
    [
      "two outages",
      60,
      [
        { start: 1_000, end: 1_010 },
        { start: 1_050, end: 1_051 },
      ],
      3,
      2,
    ],
  ])("%s", (_what, seconds, outages, count, platformCount) => {
    expect(missedInGap(1_000, 1_000 + seconds, 10, outages)).toEqual({ count, platformCount });
  });
});
