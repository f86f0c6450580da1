/** A recorder's own date and time of day. The recorder's zone is not part of it. */
export interface WallTime {
  /** Milliseconds of the calendar minute as if it were UTC: only for differences and for printing. */
  minuteMs: number;
  /** Seconds within the minute, to the nanosecond. */
  seconds: number;
  /** Whether it was written with nanoseconds (C37.111-2013): then time stamps of the data count nanoseconds too. */
  hasNanoseconds: boolean;
}

const datePattern = /^(\d{1,2})[/\-.](\d{1,2})[/\-.](\d{2}|\d{4})$/;
const timePattern = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,](\d{1,12}))?$/;

/**
 * Reads `dd/mm/yyyy` and `hh:mm:ss.ssssss`; of the edition of 1991 `mm/dd/yy`. A date that only makes sense the other way round is
 * read so, as makers mix the editions.
 * @returns undefined for what is no date and time
 */
export function parseWallTime(date: string, time: string, isMonthFirst: boolean): WallTime | undefined {
  const dateParts = datePattern.exec(date.trim());
  const timeParts = timePattern.exec(time.trim());
  if (!dateParts || !timeParts) return undefined;
  const [, first, second, yearText = ""] = dateParts;
  const [a, b] = [Number(first), Number(second)];
  const year = fullYear(yearText);
  const [month, day] = isMonthFirst ? [a, b] : [b, a];
  const [hour, minute, wholeSeconds] = [Number(timeParts[1]), Number(timeParts[2]), Number(timeParts[3])];
  const minuteMs = dayMs(year, month, day) ?? dayMs(year, day, month);
  if (minuteMs === undefined || hour > 23 || minute > 59 || wholeSeconds > 60) return undefined;
  const fraction = timeParts[4] ?? "";
  return {
    minuteMs: minuteMs + (hour * 60 + minute) * 60_000,
    seconds: wholeSeconds + (fraction ? Number(`0.${fraction}`) : 0),
    hasNanoseconds: fraction.length > 6,
  };
}

const dayOfUnsetClocks = Date.UTC(1970, 0, 2);

/** Whether the recorder knew the time: a clock that was never set, and a field that is filled with zeros, read as 1970 or before. */
export const isSet = ({ minuteMs }: WallTime): boolean => minuteMs >= dayOfUnsetClocks;

/** Seconds from `from` to `to`. */
export const secondsBetween = (from: WallTime, to: WallTime): number => (to.minuteMs - from.minuteMs) / 1000 + (to.seconds - from.seconds);

/** `yyyy-MM-dd HH:mm:ss.ffffff` */
export function formatWallTime({ minuteMs, seconds }: WallTime): string {
  const minute = new Date(minuteMs).toISOString().slice(0, 16).replace("T", " ");
  return `${minute}:${seconds.toFixed(6).padStart(9, "0")}`;
}

// A pivot as most readers have it: recorders of the 1991 edition did not exist before 1970.
function fullYear(text: string): number {
  const year = Number(text);
  if (text.length === 4) return year;
  return year >= 70 ? 1900 + year : 2000 + year;
}

function dayMs(year: number, month: number, day: number): number | undefined {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : undefined;
}
