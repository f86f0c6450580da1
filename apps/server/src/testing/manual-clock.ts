import type { Clock } from "#lib/clock.ts";

export interface ManualClock extends Clock {
  /** Both clocks move. */
  advance(seconds: number): void;
}

/** A clock that moves only when a test says so; it starts at the real time, because the database has its own. */
export function createManualClock(startMs = Date.now()): ManualClock {
  let elapsedMs = 0;
  return {
    now: () => startMs + elapsedMs,
    monotonic: () => 1_000_000 + elapsedMs,
    advance(seconds) {
      elapsedMs += seconds * 1000;
    },
  };
}
