import { useClock } from "#lib/clock.ts";

const lateIntervals = 3;

/** Whether a value is older than three of its intervals: then it fades and says so. What never came is not late. */
export function useIsLate(timestamp: number | null, intervalSeconds: number): boolean {
  return useClock((now) => timestamp !== null && now - timestamp > lateIntervals * intervalSeconds);
}
