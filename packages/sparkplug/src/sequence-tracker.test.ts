import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSequenceTracker } from "./sequence-tracker.ts";

test("256 messages in order wrap without a gap", () => {
  const tracker = createSequenceTracker(0);
  for (let count = 1; count <= 600; count++) expect(tracker.take(count & 255, count, count)).toBe("in-order");
  expect(tracker.lastSeq).toBe(600 & 255);
  expect(tracker.gapSinceMs).toBeUndefined();
});

test("messages that overtake each other close the gap that they opened", () => {
  fc.assert(
    fc.property(
      fc.nat(255),
      fc.integer({ min: 1, max: 100 }).chain((count) => fc.shuffledSubarray(range(count), { minLength: count, maxLength: count })),
      (start, order) => {
        const tracker = createSequenceTracker(start);
        for (const step of order) tracker.take((start + 1 + step) & 255, 1_000 + step, 0);
        expect(tracker.lastSeq).toBe((start + order.length) & 255);
        expect(tracker.gapSinceMs).toBeUndefined();
      },
    ),
  );
});

test("a message that comes twice opens no gap", () => {
  const tracker = createSequenceTracker(9);
  for (const seq of [10, 11, 12]) tracker.take(seq, seq, 0);
  expect(tracker.take(11, 11, 0)).toBe("late");
  expect(tracker.take(12, 12, 0)).toBe("late");
  expect(tracker.gapSinceMs).toBeUndefined();
});

test("the lost messages are counted when the gap is given up", () => {
  const tracker = createSequenceTracker(250);
  for (const seq of [253, 255, 1]) expect(tracker.take(seq, seq + 1_000, 77)).toBe("ahead");
  expect(tracker.gapSinceMs).toBe(77);
  expect(tracker.giveUp()).toBe(4); // 251, 252, 254, 0
  expect(tracker.lastSeq).toBe(1);
  expect(tracker.take(2, 2_000, 0)).toBe("in-order");
  // The farthest is the new baseline, whichever came last.
  for (const seq of [9, 5]) expect(tracker.take(seq, seq + 3_000, 0)).toBe("ahead");
  expect(tracker.giveUp()).toBe(5); // 3, 4, 6, 7, 8
  expect(tracker.lastSeq).toBe(9);
});

test("a loss of more than half the counter is still a gap", () => {
  const tracker = createSequenceTracker(0);
  tracker.take(1, 1_000, 0);
  expect(tracker.take(201, 3_000, 0)).toBe("ahead");
});

test("many late messages in a row are a gap: the node's clock went back", () => {
  const tracker = createSequenceTracker(0);
  tracker.take(1, 9_000, 0);
  const answers = range(20).map((step) => tracker.take(50 + step, 1_000 + step, 5));
  expect(answers.slice(0, 16).every((answer) => answer === "late")).toBe(true);
  expect(answers.slice(16)).toContain("ahead");
});

test("what waits ahead of a gap and comes again is late, and a message without a time stamp is judged by its number", () => {
  const tracker = createSequenceTracker(0);
  expect(tracker.take(2, undefined, 7)).toBe("ahead");
  expect([tracker.take(2, undefined, 8), tracker.gapSinceMs]).toEqual(["late", 7]);
  expect(tracker.take(1, undefined, 9)).toBe("in-order");
  expect([tracker.lastSeq, tracker.gapSinceMs]).toEqual([2, undefined]);
  expect(tracker.take(2, undefined, 10)).toBe("ahead");
});

test("a gap that was given up or born again is forgotten with all that waited behind it", () => {
  for (const end of ["giveUp", "reset"] as const) {
    const tracker = createSequenceTracker(0);
    tracker.take(5, 5_000, 1);
    if (end === "giveUp") tracker.giveUp();
    else tracker.reset(5);
    expect([tracker.lastSeq, tracker.gapSinceMs]).toEqual([5, undefined]);
    // Had 5 been remembered, it would count as late when the counter comes round.
    for (let seq = 6; seq < 5 + 256; seq++) expect(tracker.take(seq & 255, 6_000 + seq, 2)).toBe("in-order");
    expect(tracker.take(5, 7_000, 3)).toBe("in-order");
  }
});

test("a gap stays open until its last missing message has come", () => {
  const tracker = createSequenceTracker(0);
  tracker.take(2, 2_000, 10);
  tracker.take(4, 4_000, 20);
  expect(tracker.take(1, 1_000, 30)).toBe("in-order");
  expect([tracker.lastSeq, tracker.gapSinceMs]).toEqual([2, 10]);
  expect(tracker.take(3, 3_000, 40)).toBe("in-order");
  expect([tracker.lastSeq, tracker.gapSinceMs]).toEqual([4, undefined]);
});

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
