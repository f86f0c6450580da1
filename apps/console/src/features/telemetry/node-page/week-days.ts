import { formatDateTime } from "#lib/format-date.ts";
import type { Span } from "./week-gaps.ts";

const hour = 3_600;
const names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** The days of a place within a time, each with where it begins: days of a change to summer time are shorter or longer. */
export function weekDays({ from, to }: Span, timezone: string): { at: number; name: string }[] {
  const days: { at: number; name: string }[] = [];
  let dayBefore = dateOf(from, timezone);
  // A quarter of an hour is the finest offset of a zone.
  for (let at = Math.ceil(from / (hour / 4)) * (hour / 4); at < to; at += hour / 4) {
    const date = dateOf(at, timezone);
    if (date !== dayBefore) days.push({ at, name: `${names[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${Number(date.slice(8))}` });
    dayBefore = date;
  }
  return days;
}

const dateOf = (at: number, timezone: string): string => formatDateTime(at, timezone).slice(0, 10);
