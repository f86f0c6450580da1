import { useClock } from "#lib/clock.ts";
import { serverClock } from "#lib/server-clock.ts";
import { timeAgo } from "#lib/time-ago.ts";

/** COM-05, ticking; renders only when its words change. */
export function TimeAgo({ timestamp }: { timestamp: number }) {
  return <>{useClock((now) => timeAgo(timestamp, now))}</>;
}

/** The same of a moment in epoch milliseconds that this computer's clock read, such as when an answer came. */
export function OwnTimeAgo({ ms }: { ms: number }) {
  return <>{useClock((now) => timeAgo(serverClock.secondsAt(ms), now))}</>;
}
