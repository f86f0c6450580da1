import { wallClock } from "@busbar/contract/values/local-time.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { instantOf } from "#lib/entered-instant.ts";

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;
/** When people are at work again. */
const morning = "07:00:00";

export interface MutePreset {
  label: string;
  untilTimestamp: number;
}

/** A day of a zone's calendar, so many days after the one of an instant, as `yyyy-MM-dd`. */
const dayAfter = (now: number, days: number, timezone: string): string =>
  new Date((wallClock(now, timezone) + days * daySeconds) * 1000).toISOString().slice(0, 10);

/** A time of day of a zone; where its clocks skip it, the hour after it. */
function instantAt(day: string, time: string, timezone: string, fallback: number): number {
  const read = instantOf(`${day} ${time}`, timezone);
  return "timestamp" in read ? read.timestamp : fallback;
}

/**
 * Ends of a mute that begins now: hours as they pass, mornings and weeks as the clocks of the place show them, so that a night in which they are
 * set makes the span an hour shorter or longer. A time that they skip is taken as so much time as it would have been without.
 * @param now epoch seconds
 */
export function mutePresets(now: number, timezone: string): MutePreset[] {
  const begin = Math.floor(now);
  const time = formatDateTime(begin, timezone).slice("yyyy-MM-dd ".length, "yyyy-MM-dd HH:mm:ss".length);
  return [
    { label: "1 hour", untilTimestamp: begin + hourSeconds },
    { label: "8 hours", untilTimestamp: begin + 8 * hourSeconds },
    {
      label: "Until tomorrow morning",
      untilTimestamp: instantAt(dayAfter(begin, 1, timezone), morning, timezone, begin + daySeconds),
    },
    { label: "1 week", untilTimestamp: instantAt(dayAfter(begin, 7, timezone), time, timezone, begin + 7 * daySeconds) },
  ];
}
