import { beforeEach, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "#testing/manual-clock.ts";
import { createGapRecount, type GapRecount } from "./gap-recount.ts";
import type { LiveState } from "./live-state.ts";
import type { RecountRequest } from "./scalars.store.ts";

let clock: ManualClock;
let asked: (readonly RecountRequest[])[];
let isAway: boolean;
let recount: GapRecount;
beforeEach(() => {
  clock = createManualClock(Date.parse("2026-06-02T03:00:00Z"));
  asked = [];
  isAway = false;
  recount = createGapRecount(clock, (requests) => {
    if (isAway) return Promise.reject(new Error("away"));
    asked.push(requests);
    return Promise.resolve(new Map(requests.map(({ serial }) => [serial, { count: serial, platformCount: 1 }])));
  });
});

const stateOf = (serial: number, fields: Partial<LiveState> = {}) =>
  ({
    serial,
    timezone: "America/Chicago",
    scalarIntervalSeconds: 10,
    newestStoredMs: Date.parse("2026-06-01T12:00:00Z"),
    missing: { day: "2026-05-31", count: 99, platformCount: 9 },
    ...fields,
  }) as LiveState;

test("the day of its place in which the newest scalar lies is counted, and is the node's from then on", async () => {
  const [first, empty] = [stateOf(1), stateOf(2, { newestStoredMs: undefined })];
  recount.request([first, empty]);
  await recount.run();
  const day = { day: "2026-06-01", dayStartSeconds: Date.parse("2026-06-01T05:00:00Z") / 1000, intervalSeconds: 10 };
  // Without a scalar it is today's, which in Chicago is still yesterday.
  expect(asked).toEqual([
    [
      { serial: 1, ...day },
      { serial: 2, ...day },
    ],
  ]);
  expect([first.missing, empty.missing, recount.waiting]).toEqual([
    { day: "2026-06-01", count: 1, platformCount: 1 },
    { day: "2026-06-01", count: 2, platformCount: 1 },
    0,
  ]);
});

test("a node of which no day is counted yet is passed over", async () => {
  const fresh = stateOf(1, { missing: { day: undefined, count: 0, platformCount: 0 } });
  recount.request([fresh]);
  await recount.run();
  expect([asked, fresh.missing.day, recount.waiting]).toEqual([[[]], undefined, 0]);
});

test("a hundred nodes once a second at most, the first to ask first", async () => {
  recount.request(Array.from({ length: 150 }, (_, index) => stateOf(index)));
  await recount.run();
  clock.advance(0.999);
  await recount.run();
  expect([asked.map((each) => each.length), recount.waiting]).toEqual([[100], 50]);
  clock.advance(0.001);
  await recount.run();
  expect([asked.map((each) => each.length), asked[1]![0]!.serial, recount.waiting]).toEqual([[100, 50], 100, 0]);
});

test("what could not be counted waits for the next time", async () => {
  isAway = true;
  recount.request([stateOf(1), stateOf(2)]);
  await expect(recount.run()).rejects.toThrow("away");
  isAway = false;
  clock.advance(1);
  await recount.run();
  expect(asked.map((each) => each.map(({ serial }) => serial))).toEqual([[1, 2]]);
});
