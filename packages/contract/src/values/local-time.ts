const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timezone: string): Intl.DateTimeFormat {
  let format = formats.get(timezone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-CA", {
      timeZone: timezone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formats.set(timezone, format);
  }
  return format;
}

/** Wall-clock time of a zone at an epoch second, counted as if it were UTC. */
export function wallClock(timestamp: number, timezone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(timezone).formatToParts(timestamp * 1000)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

const daySeconds = 86_400;

/** The first epoch second at which the zone's clocks show `wall`; undefined where they skip it. */
function firstInstantOf(wall: number, timezone: string): number | undefined {
  // Zones change at most once in two days, so one of these two offsets holds. The larger offset gives the earlier instant.
  const offsets = [wall - daySeconds, wall + daySeconds].map((near) => wallClock(near, timezone) - near).toSorted((a, b) => b - a);
  return offsets.map((offset) => wall - offset).find((instant) => wallClock(instant, timezone) === wall);
}

// COM-08: year 2010 to 2059, month and day of 1 or 2 digits, optionally H:MM:SS
const dateTimePattern = /^(20[1-5]\d)-(\d{1,2})-(\d{1,2})(?: +(\d{1,2}):(\d{2}):(\d{2}))?$/;

export const dateTimeForm = "yyyy-M-d or yyyy-M-d H:MM:SS, years 2010 to 2059";

export type LocalDateTime = { timestamp: number } | { problem: string };

/**
 * COM-08: reads a date, optionally with a time, as the clocks of a zone show it. A time that they skip is refused, one that they
 * show twice is the first of the two. The timestamp is in epoch seconds.
 */
export function readLocalDateTime(text: string, timezone: string): LocalDateTime {
  const match = dateTimePattern.exec(text.trim());
  if (!match) return { problem: `Write it as ${dateTimeForm}` };
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map((part) => Number(part ?? 0));
  const wall = Date.UTC(year, month - 1, day) / 1000;
  const date = new Date(wall * 1000);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return { problem: "There is no such day" };
  if (hour > 23 || minute > 59 || second > 59) return { problem: "There is no such time of day" };
  const timestamp = firstInstantOf(wall + hour * 3_600 + minute * 60 + second, timezone);
  return timestamp === undefined ? { problem: `Clocks in ${timezone} skip this time` } : { timestamp };
}

/** Whether an instant can be entered in a zone (COM-08). */
export function isEnterable(timestamp: number, timezone: string): boolean {
  const year = new Date(wallClock(timestamp, timezone) * 1000).getUTCFullYear();
  return year >= 2010 && year <= 2059;
}
