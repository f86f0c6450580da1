import { wallClock } from "@busbar/contract/values/local-time.ts";

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

const knownZones = new Map<string, string>();

/** The zone; UTC for a place without one, and for one that this program does not know (any more): its day goes on all the same. */
export function zoneOrUtc(timezone: string | null): string {
  if (timezone === null) return "UTC";
  let zone = knownZones.get(timezone);
  if (zone === undefined) {
    zone = canFormat(timezone) ? timezone : "UTC";
    knownZones.set(timezone, zone);
  }
  return zone;
}

function canFormat(timezone: string): boolean {
  try {
    return wallClock(0, timezone) !== undefined;
  } catch {
    return false;
  }
}

function computeDay(timezone: string, epochSeconds: number): { start: number; date: string } {
  const wall = wallClock(epochSeconds, timezone);
  const midnight = Math.floor(wall / 86_400) * 86_400;
  let start = Math.floor(epochSeconds) - (wall - midnight);
  // The offset at midnight may differ from the offset now: correct by what the guess misses.
  const missed = wallClock(start, timezone) - midnight;
  if (missed !== 0) start -= missed > 43_200 ? missed - 86_400 : missed;
  return { start, date: new Date(midnight * 1000).toISOString().slice(0, 10) };
}
