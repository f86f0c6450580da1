import { readLocalDateTime, wallClock } from "@busbar/contract/values/local-time.ts";

/** FIL-02: the current year and the six before it. */
export function yearChoices(now: number, timezone: string): number[] {
  const current = new Date(wallClock(now, timezone) * 1000).getUTCFullYear();
  return Array.from({ length: 7 }, (_, back) => current - back);
}

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** FIL-02: 01:00 of a day by the clocks of a zone; the first one where they show it twice, the hour after where they skip it. */
export function oneOClock(year: number, month: number, day: number, timezone: string): number {
  for (const hour of [1, 2]) {
    const read = readLocalDateTime(`${year}-${month}-${day} ${hour}:00:00`, timezone);
    if ("timestamp" in read) return read.timestamp;
  }
  return Date.UTC(year, month - 1, day, 1) / 1000;
}
