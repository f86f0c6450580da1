import { expect, test } from "vitest";
import { minutesUntil, noteMinute, type QuarterMinutes } from "./scalar-coverage.ts";

const start = 1_790_000_100 - (1_790_000_100 % 900);
const first = start / 900;

/** What is noted of scalars at these seconds. */
function noted(seconds: readonly number[], { interval = 10, isHistorical = false, known = [] as readonly QuarterMinutes[] } = {}) {
  const said: [number, boolean, boolean][] = [];
  let minutes = known;
  for (const second of seconds)
    minutes = noteMinute(minutes, { atMs: (start + second) * 1000, isHistorical }, interval, ({ quarter, isWhole, isBackfilled }) =>
      said.push([quarter - first, isWhole, isBackfilled]),
    );
  return said;
}
const every = (step: number, to = 900, from = 0) => Array.from({ length: (to - from) / step }, (_, index) => from + index * step);

test("a quarter of an hour is noted at its first scalar and once it is whole, whatever the order and how often they come", () => {
  const once = [
    [0, false, false],
    [0, true, false],
  ];
  expect(noted(every(10))).toEqual(once);
  expect(noted([...every(10).toReversed(), ...every(10)])).toEqual(once);
  expect(noted(every(10, 700))).toEqual(once);
  expect(noted(every(10, 660))).toEqual([[0, false, false]]);
});

test("nodes with long intervals are whole with fewer, and one scalar stands for the quarters of its interval", () => {
  expect(noted(every(300), { interval: 300 }).at(-1)).toEqual([0, true, false]);
  expect(noted([0, 3_600], { interval: 3_600 })).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((quarter) => [quarter, true, false]));
});

test("what mostly came from the node's store is backfilled, the last two minutes that it sends again are not", () => {
  expect(noted(every(10), { isHistorical: true }).at(-1)).toEqual([0, true, true]);
  let known: readonly QuarterMinutes[] = [];
  const said: boolean[] = [];
  for (const second of every(10))
    known = noteMinute(known, { atMs: (start + second) * 1000, isHistorical: second < 120 }, 10, ({ isBackfilled }) =>
      said.push(isBackfilled),
    );
  expect(said).toEqual([false, false]);
});

test("a start in the middle of a quarter makes no hole of it", () => {
  expect(noted(every(10, 900, 400), { known: minutesUntil((start + 390) * 1000) })).toEqual([[0, true, false]]);
  expect(noted(every(10, 900, 600), { known: minutesUntil((start + 60) * 1000) })).toEqual([]);
});
