/** A calendar day as `YYYY-MM-DD`; such texts compare like the days. */
export type Day = string;

export interface DuePeriod {
  /** Whole years from the day after `paidThru` on. */
  wholeYears: number;
  /** Days beyond them. */
  extraDays: number;
  /** Days of the year that the extra days are part of: 365 or 366, 0 without extra days. */
  daysOfYear: number;
}

const dayMs = 86_400_000;
const timeOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`);
const dayOf = (time: number): Day => new Date(time).toISOString().slice(0, 10);

export const dayBefore = (day: Day): Day => dayOf(timeOf(day) - dayMs);

/** The same date `years` later; 29 February becomes the 28th where there is none. */
export function addYears(day: Day, years: number): Day {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const target = new Date(Date.UTC(year + years, month - 1, date));
  return target.getUTCMonth() === month - 1 ? dayOf(target.getTime()) : dayOf(Date.UTC(year + years, month, 0));
}

/**
 * What is between two days that are both paid or billed to their end: 2026-12-31 to 2027-12-31 is one year.
 * Years are counted from `paidThru`, so that a leap day changes nothing but the length of the year it falls in.
 * Nothing is due unless `billThru` is later.
 */
export function duePeriod(paidThru: Day, billThru: Day): DuePeriod {
  if (billThru <= paidThru) return { wholeYears: 0, extraDays: 0, daysOfYear: 0 };
  let wholeYears = Number(billThru.slice(0, 4)) - Number(paidThru.slice(0, 4));
  while (addYears(paidThru, wholeYears) > billThru) wholeYears--;
  const from = timeOf(addYears(paidThru, wholeYears));
  const extraDays = (timeOf(billThru) - from) / dayMs;
  const daysOfYear = extraDays === 0 ? 0 : (timeOf(addYears(paidThru, wholeYears + 1)) - from) / dayMs;
  return { wholeYears, extraDays, daysOfYear };
}

/** `amountPerYear x (wholeYears + extraDays / daysOfYear)` in cents, half a cent up. */
export function amountDue(centsPerYear: number, { wholeYears, extraDays, daysOfYear }: DuePeriod): number {
  const part = daysOfYear === 0 ? 0 : Math.floor((2 * centsPerYear * extraDays + daysOfYear) / (2 * daysOfYear));
  return centsPerYear * wholeYears + part;
}

export function yearsDue({ wholeYears, extraDays, daysOfYear }: DuePeriod): number {
  return wholeYears + (daysOfYear === 0 ? 0 : Math.round((extraDays / daysOfYear) * 10_000) / 10_000);
}
