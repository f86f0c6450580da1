import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "#lib/log.ts";
import type { PresencePeriod } from "#lib/platform-outages.ts";
import type { IngestPresenceStore } from "#shared/ingest-presence.store.ts";
import { createManualClock, type ManualClock } from "#testing/manual-clock.ts";
import { createIngestPresence, type IngestPresence } from "./ingest-presence.ts";

let clock: ManualClock;
let calls: string[];
let periods: PresencePeriod[];
let isAway: boolean;
let isListening: boolean;
let presence: IngestPresence;

beforeEach(() => {
  vi.useFakeTimers();
  clock = createManualClock(1_000_000);
  [calls, periods, isAway, isListening] = [[], [], false, true];
  const called = <Value>(name: string, value: Value) => {
    if (isAway) return Promise.reject(new Error("away"));
    calls.push(name);
    return Promise.resolve(value);
  };
  const store: IngestPresenceStore = {
    begin: (nowMs) => {
      periods.push({ startedAt: nowMs / 1000, aliveAt: nowMs / 1000 });
      return called(`begin ${periods.length}`, String(periods.length));
    },
    beat: (period, nowMs) => {
      periods[Number(period) - 1]!.aliveAt = nowMs / 1000;
      return called(`beat ${period}`, undefined);
    },
    periods: () => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(periods)),
  };
  presence = createIngestPresence({ store, clock, log: silentLog, isListening: () => isListening });
});
afterEach(async () => {
  await presence.stop();
  vi.useRealTimers();
});

const beats = async (count: number) => {
  for (let beat = 0; beat < count; beat++) {
    clock.advance(5);
    await vi.advanceTimersByTimeAsync(5_000);
  }
};

test("a period grows each five seconds while it listens, and after a time in which it did not another one begins", async () => {
  await presence.start();
  await beats(2);
  isListening = false;
  await beats(20);
  isListening = true;
  await beats(2);
  expect(calls).toEqual(["begin 1", "beat 1", "beat 1", "begin 2", "beat 2"]);
  expect(presence.outages()).toHaveLength(1);
});

test("what could not be written down ends the period: it may have been away longer than it knows", async () => {
  await presence.start();
  await beats(1);
  isAway = true;
  await beats(10);
  isAway = false;
  periods.splice(1);
  await beats(2);
  expect(calls).toEqual(["begin 1", "beat 1", "begin 2", "beat 2"]);
});

test("once it is stopped nothing is written any more", async () => {
  await presence.start();
  await presence.stop();
  await beats(3);
  expect(calls).toEqual(["begin 1"]);
});
