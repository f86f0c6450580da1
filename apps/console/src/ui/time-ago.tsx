import { useClock } from "#lib/clock.ts";
import { timeAgo } from "#lib/time-ago.ts";

/** COM-05, ticking; renders only when its words change. */
export function TimeAgo({ timestamp }: { timestamp: number }) {
  return <>{useClock((now) => timeAgo(timestamp, now))}</>;
}
