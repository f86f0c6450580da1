import type { Task } from "./service.ts";

type Timed = Pick<Task, "intervalSeconds" | "offsetSeconds">;

const shortestBoundSeconds = 600;
const longestBoundSeconds = 3_600;
const boundIntervals = 10;
const longestRetrySeconds = 300;

/** How long a run may take before it is stopped: ten intervals, at least ten minutes, at most an hour. */
export function longestRunSeconds({ intervalSeconds }: Timed): number {
  return Math.min(Math.max(boundIntervals * intervalSeconds, shortestBoundSeconds), longestBoundSeconds);
}

/**
 * Epoch seconds of the run after one that ended `now`. What failed is tried again within five minutes.
 * @param tryAgainAt when something that was set aside is due, before the regular time perhaps
 */
export function nextRunAt({ intervalSeconds, offsetSeconds }: Timed, now: number, hasFailed: boolean, tryAgainAt = Infinity): number {
  const sincePoint = offsetSeconds === undefined ? 0 : (now - offsetSeconds) % intervalSeconds;
  const regular = now - sincePoint + intervalSeconds;
  return Math.min(regular, hasFailed ? now + longestRetrySeconds : Infinity, Math.max(tryAgainAt, now));
}
