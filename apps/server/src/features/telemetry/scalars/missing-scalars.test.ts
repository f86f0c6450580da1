import { describe, expect, test } from "vitest";
import { missedInGap } from "#lib/platform-outages.ts";
import { countMissing } from "./missing-scalars.ts";

const none = { day: undefined, count: 0, platformCount: 0 };
const at = (text: string) => Date.parse(text);

test.each([
  [0, 0],
  [10, 0],
  [14.9, 0],
  [15, 1],
  [20, 1],
  [24, 1],
  [60, 5],
  [86_400, 8_639],
])("a gap of %d s misses %d scalars of 10 s", (gap, missing) => {
  expect(missedInGap(0, gap, 10, [])).toEqual({ count: missing, platformCount: 0 });
});

describe("the count of a local day", () => {
  test("the first scalar of a node misses nothing", () => {
    expect(countMissing(none, undefined, at("2026-06-01T12:00:00Z"), "UTC", 10, [])).toEqual({
      day: "2026-06-01",
      count: 0,
      platformCount: 0,
    });
  });

  test("gaps of one day add up", () => {
    const first = countMissing(
      { day: "2026-06-01", count: 2, platformCount: 0 },
      at("2026-06-01T12:00:00Z"),
      at("2026-06-01T12:01:00Z"),
      "UTC",
      10,
      [],
    );
    expect(first).toEqual({ day: "2026-06-01", count: 7, platformCount: 0 });
  });

  test("midnight of the node's zone starts at zero, and a gap over midnight counts from there", () => {
    const before = { day: "2026-06-01", count: 500, platformCount: 0 };
    const last = at("2026-06-01T22:00:00-05:00");
    expect(countMissing(before, last, at("2026-06-02T00:01:00-05:00"), "America/Chicago", 10, [])).toEqual({
      day: "2026-06-02",
      count: 5,
      platformCount: 0,
    });
    expect(countMissing(before, last, at("2026-06-02T00:00:05-05:00"), "America/Chicago", 10, [])).toEqual({
      day: "2026-06-02",
      count: 0,
      platformCount: 0,
    });
  });

  test("a day of 25 hours is one day", () => {
    const before = { day: "2026-11-01", count: 0, platformCount: 0 };
    const gap = countMissing(before, at("2026-11-01T00:30:00-05:00"), at("2026-11-01T23:30:00-06:00"), "America/Chicago", 3_600, []);
    expect(gap).toEqual({ day: "2026-11-01", count: 23, platformCount: 0 });
  });
});
