import { createBoundedMap } from "./bounded-map.ts";
import type { Clock } from "./clock.ts";
import { tooManyRequests } from "./errors.ts";

const windowMs = 60_000;

/** Counts by name (an address, a key) in this process, `perMinute` at most; old names are forgotten when there are too many. */
export function createTriesLimiter(clock: Clock, perMinute: number, refusal: string) {
  const windows = createBoundedMap<string, { count: number; startedAt: number }>(10_000);
  return {
    /** @throws AppError 429 when there were too many */
    count(name: string): void {
      const now = clock.monotonic();
      const window = windows.get(name);
      const running = window && now - window.startedAt < windowMs ? window : { count: 0, startedAt: now };
      running.count++;
      if (running !== window) windows.set(name, running);
      if (running.count > perMinute) throw tooManyRequests(refusal, Math.ceil((windowMs - (now - running.startedAt)) / 1000));
    },
  };
}
