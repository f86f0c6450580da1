import type { Timer, TimerWheel } from "./timer-wheel.ts";

/** The time of a node and its timers; delays are milliseconds of that time. */
export interface SimClock {
  /** Milliseconds since the epoch. */
  now(): number;
  after(delayMs: number, run: () => void): Timer;
}

/** A clock that begins at `startMs` and runs `speed` times as fast as real time. */
export function createClock(wheel: TimerWheel, { startMs, speed }: { startMs: number; speed: number }): SimClock {
  const origin = performance.now();
  return {
    now: () => startMs + (performance.now() - origin) * speed,
    after: (delayMs, run) => wheel.after(delayMs / speed, run),
  };
}
