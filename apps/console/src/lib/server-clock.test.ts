import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createServerClock } from "./server-clock.ts";

const serverMs = 1_795_000_000_400;
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An answer with a `Date` header that took 80 ms, on a computer whose clock is `fast` ahead of the server's. */
const answered = (fast: number, at = serverMs) => ({
  reportedMs: Math.floor(at / 1000) * 1000,
  precisionMs: 1000,
  requestedAtMs: at + fast - 40,
  seenAtMs: at + fast + 40,
});

test.each([20 * 60_000, -20 * 60_000, 25 * 3_600_000])("a computer that is %i ms off shows the server's time within a second", (fast) => {
  vi.setSystemTime(serverMs + fast);
  const clock = createServerClock();
  clock.note(answered(fast));
  expect(Math.abs(clock.nowSeconds() - serverMs / 1000)).toBeLessThan(1);
  expect(Math.abs(clock.secondsAt(serverMs + fast - 5_000) - (serverMs / 1000 - 5))).toBeLessThan(1);
});

test("a clock that agrees is taken as it is, however the answers come", () => {
  vi.setSystemTime(serverMs);
  const clock = createServerClock();
  for (const at of [serverMs, serverMs + 599, serverMs + 3_000]) clock.note(answered(0, at));
  expect(clock.nowSeconds()).toBe(serverMs / 1000);
});

test("a clock that is set right meanwhile is followed; what is no time is not", () => {
  const clock = createServerClock();
  clock.note(answered(3_600_000));
  vi.setSystemTime(serverMs);
  clock.note(answered(0));
  clock.note({ ...answered(0), reportedMs: NaN });
  expect(Math.abs(clock.nowSeconds() - serverMs / 1000)).toBeLessThan(1);
});
