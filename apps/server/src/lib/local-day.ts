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

/** Wall-clock time of a zone, read as if it were UTC, in epoch seconds. */
function wallSeconds(timezone: string, epochSeconds: number): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(timezone).formatToParts(epochSeconds * 1000)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
}

/**
 * First second of the local day that holds `epochSeconds`, and that day as `yyyy-mm-dd`.
 * Days of 23 and 25 hours are right; where midnight is skipped the day starts at the first instant after it.
 */
export function localDay(timezone: string, epochSeconds: number): LocalDay {
  const known = days.get(timezone);
  if (known && epochSeconds >= known.start && epochSeconds < known.end) return known;
  const { start, date } = computeDay(timezone, epochSeconds);
  // No day is longer than 25 hours, none shorter than 23.
  const day = { start, date, end: computeDay(timezone, start + 26 * 3_600).start };
  days.set(timezone, day);
  return day;
}

export interface LocalDay {
  start: number;
  /** First second of the next day. */
  end: number;
  date: string;
}

const days = new Map<string, LocalDay>();

function computeDay(timezone: string, epochSeconds: number): { start: number; date: string } {
  const wall = wallSeconds(timezone, epochSeconds);
  const midnight = Math.floor(wall / 86_400) * 86_400;
  let start = Math.floor(epochSeconds) - (wall - midnight);
  // The offset at midnight may differ from the offset now: correct by what the guess misses.
  const missed = wallSeconds(timezone, start) - midnight;
  if (missed !== 0) start -= missed > 43_200 ? missed - 86_400 : missed;
  return { start, date: new Date(midnight * 1000).toISOString().slice(0, 10) };
}
