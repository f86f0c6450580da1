import * as z from "zod/mini";

/** A day as `YYYY-MM-DD`; `label` begins the message. */
export const CalendarDate = (label: string) =>
  z.string(`${label} is a date such as 2026-12-31`).check(z.refine(isCalendarDate, `${label} is a date such as 2026-12-31`));

/** Whether the day exists, in the years that the platform knows. */
export function isCalendarDate(text: string): boolean {
  if (!/^20[1-5]\d-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
