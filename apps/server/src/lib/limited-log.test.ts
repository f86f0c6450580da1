import { expect, test, vi } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createLimitedLog } from "./limited-log.ts";
import type { Log } from "./log.ts";

test("a line for each kind and interval; the next one says how many were left out", () => {
  const clock = createManualClock();
  const log = { info: vi.fn<() => void>(), warn: vi.fn<() => void>() };
  const limitedLog = createLimitedLog(log as unknown as Log, clock, 5_000);
  limitedLog("warn", "a", { n: 1 }, "first");
  limitedLog("warn", "a", { n: 2 }, "left out");
  limitedLog("info", "b", { n: 3 }, "another kind");
  clock.advance(4.999);
  limitedLog("warn", "a", { n: 4 }, "left out");
  clock.advance(0.001);
  limitedLog("warn", "a", { n: 5 }, "again");
  limitedLog("warn", "a", { n: 6 }, "left out");
  clock.advance(5);
  limitedLog("warn", "a", { n: 7 }, "third");
  clock.advance(5);
  limitedLog("warn", "a", { n: 8 }, "fourth");
  expect(log.warn.mock.calls).toEqual([
    [{ n: 1 }, "first"],
    [{ n: 5, suppressed: 2 }, "again"],
    [{ n: 7, suppressed: 1 }, "third"],
    [{ n: 8 }, "fourth"],
  ]);
  expect(log.info.mock.calls).toEqual([[{ n: 3 }, "another kind"]]);
});

test("without an interval of its own it is ten seconds", () => {
  const clock = createManualClock();
  const log = { info: vi.fn<() => void>() };
  const limitedLog = createLimitedLog(log as unknown as Log, clock);
  for (const seconds of [0, 9.999, 0.001]) {
    clock.advance(seconds);
    limitedLog("info", "a", {}, "line");
  }
  expect(log.info).toHaveBeenCalledTimes(2);
});
