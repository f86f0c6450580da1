import { readLocalDateTime } from "@busbar/contract/values/local-time.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { addDays, addMonths, daySeconds, startOf, type CalendarUnit, type TimeSpan } from "./zone-time.ts";

const hour = 3_600;

/** Days and weeks by the clocks of a place: the present one, or that before. */
export const calendarRanges = ["today", "yesterday", "this-week", "last-week", "this-month", "last-month"] as const;
export type CalendarRange = (typeof calendarRanges)[number];

const calendar: Record<CalendarRange, { unit: CalendarUnit; ago: number }> = {
  today: { unit: "day", ago: 0 },
  yesterday: { unit: "day", ago: 1 },
  "this-week": { unit: "week", ago: 0 },
  "last-week": { unit: "week", ago: 1 },
  "this-month": { unit: "month", ago: 0 },
  "last-month": { unit: "month", ago: 1 },
};

/** What is looked at: the time up to now, a part of a place's calendar, or a span that stays. */
export type TrendRange = { last: number } | { calendar: CalendarRange } | TimeSpan;

export const weekRange: TrendRange = { last: 7 * daySeconds };

/** In the order in which they are offered. */
export const presets: readonly { code: string; label: string }[] = [
  { code: "1h", label: "last hour" },
  { code: "24h", label: "last 24 hours" },
  { code: "7d", label: "last 7 days" },
  { code: "30d", label: "last 30 days" },
  { code: "365d", label: "last year" },
  { code: "today", label: "today at the place" },
  { code: "yesterday", label: "yesterday at the place" },
  { code: "last-week", label: "last week at the place" },
  { code: "last-month", label: "last month at the place" },
];

const shortest = 60;
const longest = 20 * 366 * daySeconds;
/** COM-08: times before it cannot be entered. */
const earliest = Date.UTC(2010, 0, 1) / 1000;

const unitSeconds: Record<string, number> = { m: 60, h: hour, d: daySeconds };

const isCalendar = (text: string): text is CalendarRange => (calendarRanges as readonly string[]).includes(text);

/** From the address; undefined for what is no range. */
export function rangeOfCode(code: string): TrendRange | undefined {
  if (isCalendar(code)) return { calendar: code };
  const [, count = "", unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(code) ?? [];
  const seconds = Number(count) * (unitSeconds[unit] ?? 0);
  if (seconds > 0) return seconds <= longest ? { last: seconds } : undefined;
  const [, from = "", to = ""] = /^(\d{1,11})-(\d{1,11})$/.exec(code) ?? [];
  if (from === "") return undefined;
  const span = { from: Number(from), to: Number(to) };
  return span.from >= earliest && span.to - span.from >= shortest && span.to - span.from <= longest ? span : undefined;
}

export function codeOfRange(range: TrendRange): string {
  if ("calendar" in range) return range.calendar;
  if ("from" in range) return `${Math.round(range.from)}-${Math.round(range.to)}`;
  const { last } = range;
  if (last % daySeconds === 0 && last > daySeconds) return `${last / daySeconds}d`;
  return last % hour === 0 ? `${last / hour}h` : `${Math.max(1, Math.round(last / 60))}m`;
}

/** How often a range up to now goes on: never so often that no line of pixels would be new. */
export const liveStepSeconds = (last: number): number => Math.min(60, Math.max(5, Math.round(last / 1_500 / 5) * 5));

/** The span of a range; what ends now ends with the step that is over. */
export function spanOf(range: TrendRange, timezone: string, now: number): TimeSpan {
  if ("from" in range) return range;
  if ("last" in range) {
    const step = liveStepSeconds(range.last);
    const to = Math.floor(now / step) * step;
    return { from: to - range.last, to };
  }
  const { unit, ago } = calendar[range.calendar];
  const from = startOf(unit, now, timezone, ago);
  return { from, to: ago === 0 ? Math.floor(now / 60) * 60 + 60 : startOf(unit, now, timezone, ago - 1) };
}

/** Within the times that there can be, and not beyond now. */
export function within({ from, to }: TimeSpan, now: number): TimeSpan {
  const length = Math.min(Math.max(to - from, shortest), longest, now - earliest);
  const middle = (from + to) / 2;
  const start = Math.max(earliest, Math.min(middle - length / 2, now - length));
  return { from: start, to: start + length };
}

/** Shorter below 1; the moment stays where it is. */
export const zoomed = ({ from, to }: TimeSpan, factor: number, around: number): TimeSpan => ({
  from: around - (around - from) * factor,
  to: around + (to - around) * factor,
});

export const panned = ({ from, to }: TimeSpan, seconds: number): TimeSpan => ({ from: from + seconds, to: to + seconds });

/** The range before or after it: whole days, weeks and months of the place go by its clocks. */
export function neighbour(span: TimeSpan, direction: -1 | 1, timezone: string): TimeSpan {
  const { from, to } = span;
  for (const months of [1, 12]) {
    const isWhole = startOf("month", from, timezone) === from && addMonths(from, months, timezone) === to;
    if (isWhole) return { from: addMonths(from, direction * months, timezone), to: addMonths(to, direction * months, timezone) };
  }
  const days = Math.round((to - from) / daySeconds);
  if (days >= 1 && addDays(from, days, timezone) === to)
    return { from: addDays(from, direction * days, timezone), to: addDays(to, direction * days, timezone) };
  return panned(span, direction * (to - from));
}

/** What a range is compared with. */
export const comparisons = ["before", "day", "week", "month", "year"] as const;
export type Comparison = (typeof comparisons)[number];
export const comparisonLabels: Record<Comparison, string> = {
  before: "the time before",
  day: "a day earlier",
  week: "a week earlier",
  month: "4 weeks earlier",
  year: "a year earlier",
};

/** The earlier span; as long as this one, and of the same times of the clock. */
export function earlierSpan(span: TimeSpan, comparison: Comparison, timezone: string): TimeSpan {
  const { from, to } = span;
  const starts: Record<Comparison, () => number> = {
    before: () => neighbour(span, -1, timezone).from,
    day: () => addDays(from, -1, timezone),
    week: () => addDays(from, -7, timezone),
    month: () => addDays(from, -28, timezone),
    year: () => addMonths(from, -12, timezone),
  };
  const start = starts[comparison]();
  return { from: start, to: start + (to - from) };
}

const counts: readonly { name: string; seconds: number }[] = [
  { name: "day", seconds: daySeconds },
  { name: "hour", seconds: hour },
  { name: "minute", seconds: 60 },
];

/** What is written of a range: `last 7 days`, `yesterday`, `2026-11-01 to 2026-11-08`: its last day is a whole one, as it is read. */
export function rangeText(range: TrendRange, timezone: string): string {
  if ("calendar" in range) return range.calendar.replace("-", " ");
  if ("last" in range) {
    const { name, seconds } = counts.find(
      (each) => range.last % each.seconds === 0 && (range.last > each.seconds || each.seconds < daySeconds),
    ) ?? {
      name: "second",
      seconds: 1,
    };
    const count = range.last / seconds;
    return count === 1 ? `last ${name}` : `last ${count} ${name}s`;
  }
  const [from, to] = [dateAndTime(range.from, timezone), dateAndTime(range.to, timezone)];
  const isWholeDays = from.isMidnight && to.isMidnight;
  const last = isWholeDays ? dateAndTime(addDays(range.to, -1, timezone), timezone).date : `${to.date} ${to.time}`;
  if (isWholeDays && last === from.date) return last;
  return `${from.isMidnight ? from.date : `${from.date} ${from.time}`} to ${last}`;
}

/** Whole minutes without seconds. */
function dateAndTime(timestamp: number, timezone: string) {
  const [date = "", time = ""] = formatDateTime(timestamp, timezone).split(" ");
  return { date, time: time.endsWith(":00") ? time.slice(0, 5) : time, isMidnight: time === "00:00:00" };
}

export type ReadRange = { range: TrendRange } | { problem: string };

const howToWrite = "Write it as last 7 days, yesterday, 2026-11-01 or 2026-11-01 8:00 to 2026-11-02 16:30";
const words: Record<string, number> = {
  minute: 60,
  min: 60,
  m: 60,
  hour,
  h: hour,
  day: daySeconds,
  d: daySeconds,
  week: 7 * daySeconds,
  w: 7 * daySeconds,
  month: 30 * daySeconds,
  year: 365 * daySeconds,
  y: 365 * daySeconds,
};

/** Reads what someone wrote, by the clocks of a zone; a day is a whole one. */
export function readRange(text: string, timezone: string, now: number): ReadRange {
  const plain = text.trim().toLowerCase().replaceAll(/\s+/g, " ");
  const named = plain.replace(" at the place", "").replace(" ", "-");
  if (isCalendar(named)) return { range: { calendar: named } };
  const [, count, unit = ""] = /^(?:last |past )?(\d{1,6})? ?([a-z]+?)s?$/.exec(plain) ?? [];
  const seconds = Number(count ?? 1) * (words[unit] ?? 0);
  if (seconds > 0) return seconds >= shortest && seconds <= longest ? { range: { last: seconds } } : { problem: "A minute to 20 years" };
  const parts = plain.split(/ (?:to|until|-) | ?[–…] ?/);
  if (parts.length > 2) return { problem: howToWrite };
  const [first = "", second] = parts;
  const from = readMoment(first, timezone, now);
  if ("problem" in from) return from;
  // A time of day alone is of the day that was said first.
  const end = second !== undefined && /^\d{1,2}:/.test(second) ? `${first.split(" ")[0]} ${second}` : (second ?? first);
  const to = readMoment(end, timezone, now);
  if ("problem" in to) return to;
  if (second === undefined && from.until === from.from) return { problem: howToWrite };
  const span = { from: from.from, to: to.until };
  if (span.to <= span.from) return { problem: "It ends before it begins" };
  if (span.to - span.from < shortest || span.to - span.from > longest) return { problem: "A minute to 20 years" };
  if (span.from >= now) return { problem: "It has not begun yet" };
  return { range: span };
}

/** A moment, or the whole of a day, month or year. */
type Moment = { from: number; until: number } | { problem: string };

function readMoment(text: string, timezone: string, now: number): Moment {
  if (text === "now") return { from: now, until: now };
  const [, year = "", month] = /^(20\d\d)(?:-(\d{1,2}))?$/.exec(text) ?? [];
  const isDay = !text.includes(" ");
  const written = year === "" ? text : `${year}-${month ?? 1}-1`;
  const read = readLocalDateTime(/ \d{1,2}:\d\d$/.test(written) ? `${written}:00` : written, timezone);
  if ("problem" in read) return { problem: read.problem.startsWith("Write") ? howToWrite : read.problem };
  const { timestamp: from } = read;
  if (year !== "") return { from, until: addMonths(from, month === undefined ? 12 : 1, timezone) };
  return { from, until: isDay ? addDays(from, 1, timezone) : from };
}
