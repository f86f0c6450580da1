/** Coverage is kept by quarters of an hour: every zone's days begin at one. They are counted from 1970. */
export const quarterSeconds = 900;
/** Of a month with 31 days. */
export const quartersPerMonth = 2_976;

export interface MonthPlace {
  /** Its first day in UTC, `yyyy-mm-01`. */
  month: string;
  /** Which quarter of the month. */
  index: number;
}

export const quarterOf = (epochSeconds: number): number => Math.floor(epochSeconds / quarterSeconds);

export function monthPlace(quarter: number): MonthPlace {
  const month = `${new Date(quarter * quarterSeconds * 1000).toISOString().slice(0, 7)}-01`;
  return { month, index: quarter - firstQuarter(month) };
}

/** @param month `yyyy-mm-01` */
export const firstQuarter = (month: string): number => Date.parse(`${month}T00:00:00Z`) / (quarterSeconds * 1000);

/** The quarters that an interval from a time on covers, at least one. */
export function quartersOf(from: number, seconds: number): number[] {
  const first = quarterOf(from);
  const count = Math.max(1, quarterOf(from + seconds - 1) - first + 1);
  return Array.from({ length: count }, (_, index) => first + index);
}
