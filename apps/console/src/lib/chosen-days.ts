import { isCalendarDate } from "@busbar/contract/values/calendar-date.ts";

/** Days as `yyyy-mm-dd`; anything else is no day. */
export interface ChosenDays {
  from: string;
  to: string;
}

export const daysProblem = ({ from, to }: ChosenDays): string | undefined =>
  isCalendarDate(from) && isCalendarDate(to) && to < from ? "Ends before it begins: no days are chosen" : undefined;

/** Those that are chosen; none of two that are the wrong way round. */
export function daysOf(days: ChosenDays): Partial<ChosenDays> {
  if (daysProblem(days) !== undefined) return {};
  const { from, to } = days;
  return { ...(isCalendarDate(from) ? { from } : {}), ...(isCalendarDate(to) ? { to } : {}) };
}

/** Epoch seconds of the midnights that begin the first day and end the last one, where the reader is. */
export function timesOfDays(days: ChosenDays): Partial<ChosenDays> {
  const { from, to } = daysOf(days);
  return { ...(from === undefined ? {} : { from: midnightOf(from, 0) }), ...(to === undefined ? {} : { to: midnightOf(to, 1) }) };
}

function midnightOf(date: string, daysLater: number): string {
  const [year = 0, month = 1, day = 1] = date.split("-").map(Number);
  return String(new Date(year, month - 1, day + daysLater).getTime() / 1000);
}
