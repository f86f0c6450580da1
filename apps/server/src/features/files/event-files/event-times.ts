import type { EventSpan } from "@busbar/contract/files/recorded-events.ts";
import { readLocalDateTime } from "@busbar/contract/values/local-time.ts";
import { localDay, zoneOrUtc } from "#lib/local-day.ts";

/** Epoch seconds, the end not included. */
export interface ZoneTimes {
  zone: string;
  start: number;
  end: number;
}

export interface AskedTimes {
  span: EventSpan | undefined;
  /** Days as `yyyy-mm-dd`, both included. */
  from: string | undefined;
  to: string | undefined;
}

const always = { start: 0, end: 1e11 };
const nightBegins = "18:00:00";
const nightEnds = "08:00:00";
/** Days back from today: the first, and the first that is no more of it. */
const spans: Record<Exclude<EventSpan, "lastNight">, [first: number, end: number]> = {
  today: [0, -1],
  yesterday: [1, 0],
  week: [6, -1],
  month: [29, -1],
};

/** When it is that for the clocks of each zone; undefined for any time. */
export function timesOf({ span, from, to }: AskedTimes, zones: readonly string[], now: number): ZoneTimes[] | undefined {
  if (span === undefined && from === undefined && to === undefined) return undefined;
  return zones.map((name) => {
    const zone = zoneOrUtc(name);
    const today = localDay(zone, now).date;
    const back = (days: number, time = "") => instantOf(dayBefore(today, days), time, zone);
    const [first, end] = span === undefined || span === "lastNight" ? [0, 0] : spans[span];
    const spanned =
      span === undefined
        ? always
        : span === "lastNight"
          ? { start: back(1, nightBegins), end: back(0, nightEnds) }
          : { start: back(first), end: back(end) };
    return {
      zone: name,
      start: Math.max(spanned.start, from === undefined ? 0 : instantOf(from, "", zone)),
      end: Math.min(spanned.end, to === undefined ? always.end : instantOf(dayBefore(to, -1), "", zone)),
    };
  });
}

function dayBefore(date: string, days: number): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1, day - days)).toISOString().slice(0, 10);
}

/** Where the clocks skip midnight, the day begins an hour later. */
function instantOf(date: string, time: string, zone: string): number {
  for (const each of [time || "00:00:00", "01:00:00"]) {
    const instant = readLocalDateTime(`${date} ${each}`, zone);
    if ("timestamp" in instant) return instant.timestamp;
  }
  return Date.parse(`${date}T00:00:00Z`) / 1000;
}
