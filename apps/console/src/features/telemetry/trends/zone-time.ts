import { formatLocalTime } from "@busbar/contract/values/format-local-time.ts";
import { wallClock } from "@busbar/contract/values/local-time.ts";

/** Epoch seconds, the first and the one after the last. */
export interface TimeSpan {
  from: number;
  to: number;
}

export const daySeconds = 86_400;

/** The first epoch second at which a zone's clocks show `wall` (counted as if it were UTC), or a moment that they skip has passed. */
export function instantAt(wall: number, timezone: string): number {
  const offsets = [wall - daySeconds, wall + daySeconds].map((near) => wallClock(near, timezone) - near).toSorted((a, b) => b - a);
  const shown = offsets.map((offset) => wall - offset).find((instant) => wallClock(instant, timezone) === wall);
  return shown ?? wall - (offsets[1] ?? 0);
}

/** The same time of another day. */
export const addDays = (timestamp: number, days: number, timezone: string): number =>
  instantAt(wallClock(timestamp, timezone) + days * daySeconds, timezone);

/** The same time of another month; the last day of a month that is shorter. */
export function addMonths(timestamp: number, months: number, timezone: string): number {
  const wall = new Date(wallClock(timestamp, timezone) * 1000);
  const first = new Date(Date.UTC(wall.getUTCFullYear(), wall.getUTCMonth() + months, 1));
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const days = Math.min(wall.getUTCDate(), length) - 1;
  return instantAt(first.getTime() / 1000 + days * daySeconds + ((wall.getTime() / 1000) % daySeconds), timezone);
}

export type CalendarUnit = "day" | "week" | "month" | "year";

/** When the day, week (of Mondays), month or year began, `ago` of them before. */
export function startOf(unit: CalendarUnit, timestamp: number, timezone: string, ago = 0): number {
  const wall = new Date(wallClock(timestamp, timezone) * 1000);
  const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()];
  const sinceMonday = (wall.getUTCDay() + 6) % 7;
  const starts: Record<CalendarUnit, number> = {
    day: Date.UTC(year, month, day - ago),
    week: Date.UTC(year, month, day - sinceMonday - 7 * ago),
    month: Date.UTC(year, month - ago, 1),
    year: Date.UTC(year - ago, 0, 1),
  };
  return instantAt(starts[unit] / 1000, timezone);
}

/** The letters of the zone at a moment, such as `CDT`. */
export const zoneLetters = (timestamp: number, timezone: string): string =>
  formatLocalTime(timestamp, timezone).slice("yyyy-MM-dd HH:mm:ss ".length);

/** The letters that hold in a span: two where the clocks change within it. */
export function lettersIn({ from, to }: TimeSpan, timezone: string): string[] {
  const steps = Math.min(24, Math.max(1, Math.ceil((to - from) / (30 * daySeconds))));
  const times = Array.from({ length: steps + 1 }, (_, index) => from + ((to - from) * index) / steps);
  return [...new Set(times.map((time) => zoneLetters(time, timezone)))];
}

export interface TimeTick {
  at: number;
  /** Two lines where a day, a month, a year or other letters of the zone begin. */
  label: string;
}

const minute = 60;
const hour = 3_600;
const evenSteps = [
  1,
  2,
  5,
  10,
  15,
  30,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  3 * hour,
  6 * hour,
  12 * hour,
];
const daySteps = [1, 2, 7];
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120];
const monthSeconds = 30.4 * daySeconds;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** Round times of a zone's clocks within a span, at most so many, with what an axis says at them. */
export function timeTicks(span: TimeSpan, timezone: string, most: number): TimeTick[] {
  const least = (span.to - span.from) / Math.max(1, most);
  const even = evenSteps.find((step) => step >= least);
  if (even !== undefined) return labelled(evenTimes(span, timezone, even), timezone, clockLabel(even));
  const days = daySteps.find((step) => step * daySeconds >= least);
  if (days !== undefined) return labelled(dayTimes(span, timezone, days), timezone, dayLabel);
  const step = monthSteps.find((count) => count * monthSeconds >= least) ?? 240;
  return labelled(monthTimes(span, timezone, step), timezone, step < 12 ? monthLabel : yearLabel, false);
}

/** Steps within a day; where the clocks change they go on with the clocks. */
function evenTimes({ from, to }: TimeSpan, timezone: string, step: number): number[] {
  const times: number[] = [];
  const first = Math.ceil(from);
  const behind = wallClock(first, timezone) % step;
  let at = behind === 0 ? first : first + step - behind;
  while (at <= to) {
    times.push(at);
    at += step;
    const ahead = wallClock(at, timezone) % step;
    if (ahead !== 0) at += ahead < step / 2 ? -ahead : step - ahead;
  }
  return times;
}

/** Days that begin; every second one, or Mondays. */
function dayTimes({ from, to }: TimeSpan, timezone: string, step: number): number[] {
  const times: number[] = [];
  const origin = step === 7 ? 4 : 0;
  const day = Math.floor(wallClock(from, timezone) / daySeconds);
  let next = day - ((((day - origin) % step) + step) % step);
  for (let at = instantAt(next * daySeconds, timezone); at <= to; at = instantAt(next * daySeconds, timezone)) {
    if (at >= from) times.push(at);
    next += step;
  }
  return times;
}

function monthTimes({ from, to }: TimeSpan, timezone: string, step: number): number[] {
  const times: number[] = [];
  const wall = new Date(wallClock(from, timezone) * 1000);
  let month = Math.floor((wall.getUTCFullYear() * 12 + wall.getUTCMonth()) / step) * step;
  const startOfMonth = () => instantAt(Date.UTC(Math.floor(month / 12), month % 12, 1) / 1000, timezone);
  for (let at = startOfMonth(); at <= to; at = startOfMonth()) {
    if (at >= from) times.push(at);
    month += step;
  }
  return times;
}

/** The words at a moment, and those of the line below, which are said where they change. */
type TickWords = (wall: Date) => [words: string, below: string];

const clockLabel =
  (step: number): TickWords =>
  (wall) => [
    wall.toISOString().slice(11, step < minute ? 19 : 16),
    `${weekdays[wall.getUTCDay()]} ${wall.getUTCDate()} ${months[wall.getUTCMonth()]}`,
  ];
const dayLabel: TickWords = (wall) => [
  `${weekdays[wall.getUTCDay()]} ${wall.getUTCDate()}`,
  `${months[wall.getUTCMonth()]} ${wall.getUTCFullYear()}`,
];
const monthLabel: TickWords = (wall) => [months[wall.getUTCMonth()] ?? "", String(wall.getUTCFullYear())];
const yearLabel: TickWords = (wall) => [String(wall.getUTCFullYear()), ""];

function labelled(times: readonly number[], timezone: string, wordsOf: TickWords, saysLetters = true): TimeTick[] {
  let before = "";
  let offset: number | undefined;
  return times.map((at) => {
    const wall = wallClock(at, timezone);
    const [words, below] = wordsOf(new Date(wall * 1000));
    const hasChanged = saysLetters && offset !== undefined && offset !== wall - at && below === before;
    const second = hasChanged ? zoneLetters(at, timezone) : below === before ? "" : below;
    before = below;
    offset = wall - at;
    return { at, label: second === "" ? words : `${words}\n${second}` };
  });
}
