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

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
