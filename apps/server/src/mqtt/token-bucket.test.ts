import { describe, expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createConnectLimit } from "./connect-limit.ts";
import { createTokenBucket } from "./token-bucket.ts";

describe("so many a second", () => {
  test("what is saved up goes at once, then the taker is ahead of its rate by more each time", () => {
    const bucket = createTokenBucket(10, 2);
    expect([1, 2, 3, 4].map(() => bucket.take(1_000))).toEqual([0, 0, 100, 200]);
    expect(bucket.take(1_300)).toBe(0);
    expect(bucket.take(1_300)).toBe(100);
  });

  test("no more is saved up than it may, without a figure that of a second", () => {
    const bucket = createTokenBucket(3);
    expect([bucket.take(0), bucket.take(0), bucket.take(0)]).toEqual([0, 0, 0]);
    const later = 3_600_000;
    expect([1, 2, 3, 4].map(() => bucket.take(later) > 0)).toEqual([false, false, false, true]);
  });

  test("nothing is owed for longer than ten seconds", () => {
    const bucket = createTokenBucket(2, 1);
    let ahead = 0;
    for (let count = 0; count < 100; count++) ahead = bucket.take(0);
    expect(ahead).toBe(10_000);
    expect([bucket.tryTake(10_499), bucket.tryTake(10_500), bucket.tryTake(10_500)]).toEqual([false, true, false]);
  });

  test("one that only tries owes nothing", () => {
    const bucket = createTokenBucket(1, 1);
    expect([bucket.tryTake(0), bucket.tryTake(0), bucket.tryTake(999), bucket.tryTake(1_000)]).toEqual([true, false, false, true]);
  });
});

test("A-40 a node connects sixty times at once and then once a second; others are not held up by it", () => {
  const clock = createManualClock();
  const mayConnect = createConnectLimit(clock);
  expect(Array.from({ length: 61 }, () => mayConnect("10234")).filter(Boolean)).toHaveLength(60);
  expect(mayConnect("10235")).toBe(true);
  clock.advance(1);
  expect([mayConnect("10234"), mayConnect("10234")]).toEqual([true, false]);
});
