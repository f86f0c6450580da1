import {
  coverageKinds,
  longestCoverageDays,
  type Coverage,
  type CoverageKind,
  type CoverageStatus,
} from "@busbar/contract/telemetry/coverage.ts";
import { isCalendarDate } from "@busbar/contract/values/calendar-date.ts";

export const kindLabels: Record<CoverageKind, string> = { scalars: "Scalars", D: "Data files", S: "1-second files" };

export const coverageFilterNames = ["kind", "to", "show", "find", "sort", "node", "day"] as const;
/** As it is in the address; an empty text is what is shown at first. */
export type CoverageFilter = Record<(typeof coverageFilterNames)[number], string>;
export const noCoverageFilter: CoverageFilter = { kind: "", to: "", show: "", find: "", sort: "", node: "", day: "" };

/** Data files are what reports and alarms live by: they come first. */
export const kindOf = ({ kind }: Pick<CoverageFilter, "kind">): CoverageKind => coverageKinds.find((known) => known === kind) ?? "D";

/** Days as dates, the first and the last. */
export interface DaySpan {
  from: string;
  to: string;
}

const dayMs = 86_400_000;
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** On a narrow screen fewer days are wide enough to be read and pressed. */
const narrowDays = 14;

/** The days that end with the one in the address, or with today. */
export function daySpanOf(to: string, today: string, isNarrow = false): DaySpan {
  const last = isCalendarDate(to) && to < today ? to : today;
  return { from: addDays(last, 1 - (isNarrow ? narrowDays : longestCoverageDays)), to: last };
}

export const daysIn = ({ from, to }: DaySpan): string[] =>
  Array.from({ length: (Date.parse(to) - Date.parse(from)) / dayMs + 1 }, (_, index) => addDays(from, index));

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
/** `Sun 22 Nov 2026` */
export function dayText(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  return `${weekdays[day.getUTCDay()]} ${day.getUTCDate()} ${months[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
}
/** `Nov`, where a month begins among the days shown. */
export const monthName = (date: string): string => months[Number(date.slice(5, 7)) - 1] ?? "";
export const isMonday = (date: string): boolean => new Date(`${date}T00:00:00Z`).getUTCDay() === 1;

/** What a character of a day says: a class for its colour and fill, a letter, words. */
export interface DayLook {
  className: string;
  letter: string;
  words: string;
  /** Tenths of the day that are missing. */
  tenths: number;
}

const looks: Record<string, Omit<DayLook, "tenths">> = {
  ".": { className: "is-none", letter: "·", words: "nothing expected" },
  w: { className: "is-whole", letter: "", words: "whole" },
  l: { className: "is-whole", letter: "L", words: "whole, some late" },
  b: { className: "is-whole", letter: "B", words: "whole, some backfilled" },
  f: { className: "is-failed", letter: "F", words: "some failed" },
  p: { className: "is-platform", letter: "P", words: "some missed while the platform was away" },
  M: { className: "is-missing", letter: "M", words: "all missing" },
};

export function dayLook(character: string): DayLook {
  const look = looks[character];
  const tenths = Number(character);
  if (look) return { ...look, tenths: character === "M" ? 10 : 0 };
  return { className: "is-missing", letter: "", words: `up to ${tenths}0 % missing`, tenths };
}

/** What the legend explains, in its order. */
export const legend = ["w", "l", "b", "f", "3", "M", "p", "."].map((character) => ({
  character,
  words: character === "3" ? "part missing" : dayLook(character).words,
}));

export interface CoverageRow {
  serial: string;
  location: string;
  facility: string;
  customer: string;
  facilityId: number | undefined;
  days: string;
  /** Seconds that are missing. */
  missing: number;
  hasHoles: boolean;
  /** When it was asked for them, while more may still come. */
  askedTimestamp: number | undefined;
}

const quarterSeconds = 900;

export function rowsOf({ nodes, places }: Coverage): CoverageRow[] {
  return nodes.map(({ serialNumber, place, location, days, missing, askedTimestamp }) => {
    const at = places[place];
    return {
      serial: serialNumber,
      location,
      facility: at?.facility ?? "",
      customer: at?.customer ?? "",
      facilityId: at?.facilityId,
      days,
      missing: missing * quarterSeconds,
      hasHoles: /[1-9Mf]/.test(days),
      askedTimestamp,
    };
  });
}

export const statusLooks: Record<CoverageStatus, { letter: string; words: string; className: string }> = {
  received: { letter: "●", words: "received", className: "good" },
  late: { letter: "L", words: "came late", className: "dim" },
  backfilled: { letter: "B", words: "backfilled", className: "dim" },
  failed: { letter: "F", words: "failed extraction", className: "warn" },
  partly: { letter: "◐", words: "partly missing", className: "bad" },
  missing: { letter: "M", words: "missing", className: "bad" },
  platform: { letter: "P", words: "missed while the platform was away", className: "dim" },
};

/** What may be asked for again. */
export const isHole = (status: CoverageStatus): boolean =>
  status === "failed" || status === "partly" || status === "missing" || status === "platform";
