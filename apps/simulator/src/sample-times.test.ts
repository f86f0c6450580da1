import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createSampleTimes } from "./sample-times.ts";

function drain(times: ReturnType<typeof createSampleTimes>): number[] {
  const all: number[] = [];
  for (let t = times.shift(); t !== undefined; t = times.shift()) all.push(t);
  return all;
}

test("gives back what was pushed, in order, whatever the spacing", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40 })), (list) => {
      const times = createSampleTimes();
      for (const t of list) times.push(t);
      expect(times.size).toBe(list.length);
      expect(drain(times)).toEqual(list);
      expect(times.size).toBe(0);
    }),
  );
});

test("trimming drops the old ones of an ascending queue", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 200 })), fc.integer({ min: 0, max: 200 }), (list, limit) => {
      const ascending = list.toSorted((a, b) => a - b);
      const times = createSampleTimes();
      for (const t of ascending) times.push(t);
      times.trimBefore(limit);
      expect(times.size).toBe(ascending.filter((t) => t >= limit).length);
      expect(drain(times)).toEqual(ascending.filter((t) => t >= limit));
    }),
  );
});

test("takes another queue's entries to its front", () => {
  const sent = createSampleTimes();
  const waiting = createSampleTimes();
  for (const t of [10, 20, 30]) sent.push(t);
  for (const t of [40, 50]) waiting.push(t);
  waiting.takeAll(sent);
  expect(sent.size).toBe(0);
  expect(waiting.size).toBe(5);
  expect(drain(waiting)).toEqual([10, 20, 30, 40, 50]);
});
