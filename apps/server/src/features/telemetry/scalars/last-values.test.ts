import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mergeLastValues, noLastValues, oldestValueMs, readLastValues, textOfTimes, textOfValues } from "./last-values.ts";
import { slotCount } from "./scalar-slots.ts";
import type { ScalarReading } from "./telemetry.ts";

const none = Array.from({ length: slotCount }, () => Number.NaN);
const part = (atMs: number, values: Record<number, number>): ScalarReading => ({
  atMs,
  isHistorical: false,
  values: none.map((missing, slot) => values[slot] ?? missing),
});
const merged = (parts: readonly ScalarReading[]) => parts.reduce((last, each) => mergeLastValues(last, each), noLastValues);

test("A-24 what a message leaves out keeps its value and its own time", () => {
  const last = merged([part(1_000, { 2: 60, 3: 80, 6: 480 }), part(9_000, { 3: 81 })]);
  expect([last.values[2], last.values[3], last.values[6]]).toEqual([60, 81, 480]);
  expect([last.timesMs[2], last.timesMs[3], oldestValueMs(last)]).toEqual([1_000, 9_000, 1_000]);
  expect(textOfValues(last)).toBe(`,,9000,60,81,,,480${",".repeat(11)}`);
});

test("A-24 a value that was reported as none is none", () => {
  const last = merged([part(1_000, { 2: 60, 3: 80 }), { ...part(2_000, {}), nulls: 1 << 2 }]);
  expect([last.values[2], last.values[3]]).toEqual([Number.NaN, 80]);
  expect(mergeLastValues(last, part(1_500, { 2: 59 })).values[2]).toBeNaN();
});

test("A-24 any split of scalars over any messages in any order ends in the same values and times", () => {
  const scalar = fc.dictionary(fc.integer({ min: 0, max: slotCount - 1 }).map(String), fc.integer({ min: -9, max: 9 }), { minKeys: 1 });
  fc.assert(
    fc.property(
      fc.array(scalar, { minLength: 1, maxLength: 6 }),
      fc.infiniteStream(fc.nat(3)),
      fc.infiniteStream(fc.nat()),
      (scalars, shares, order) => {
        const whole = scalars.map((values, index) => part(1_000 * (index + 1), values as Record<number, number>));
        const pieces = whole.flatMap((reading) => {
          const shareOf = none.map(() => shares.next().value);
          return [0, 1, 2, 3].map((share) => ({
            ...reading,
            values: reading.values.map((value, slot) => (shareOf[slot] === share ? value : Number.NaN)),
          }));
        });
        const shuffled = pieces.map((piece) => ({ piece, key: order.next().value })).toSorted((a, b) => a.key - b.key);
        expect(merged(shuffled.map(({ piece }) => piece))).toEqual(merged(whole));
      },
    ),
  );
});

test("A-24 the last values survive a restart; those of before each had its time have the time of the whole", () => {
  const last = merged([part(1_000, { 0: 1, 2: 60.5, 17: 0.9 }), part(2_000, { 3: 81 })]);
  expect(readLastValues(textOfValues(last), textOfTimes(last))).toEqual(last);
  const old = readLastValues(textOfValues(last), "");
  expect([old.timesMs[2], old.timesMs[3], old.timesMs[4]]).toEqual([2_000, 2_000, Number.NaN]);
  expect(readLastValues("", "")).toEqual(noLastValues);
});
