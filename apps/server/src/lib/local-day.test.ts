import { timezones } from "@busbar/contract/values/option-lists.ts";
import { expect, test } from "vitest";
import { localDay } from "./local-day.ts";

const at = (text: string) => Date.parse(text) / 1000;

test.each([
  ["America/Chicago", "2026-11-21T06:00:00Z", "2026-11-21T06:00:00Z", "2026-11-21"],
  ["America/Chicago", "2026-11-21T05:59:59Z", "2026-11-20T06:00:00Z", "2026-11-20"],
  // 23 hours: clocks went forward at 02:00
  ["America/Chicago", "2026-03-08T20:00:00Z", "2026-03-08T06:00:00Z", "2026-03-08"],
  // 25 hours: clocks went back at 02:00
  ["America/New_York", "2026-11-02T03:00:00Z", "2026-11-01T04:00:00Z", "2026-11-01"],
  ["Asia/Kolkata", "2026-06-01T18:29:59Z", "2026-05-31T18:30:00Z", "2026-06-01"],
  ["Pacific/Honolulu", "2026-06-01T09:59:59Z", "2026-05-31T10:00:00Z", "2026-05-31"],
])("the day of %s at %s starts at %s", (timezone, instant, start, date) => {
  expect(localDay(timezone, at(instant))).toMatchObject({ start: at(start), date });
});

test("in every zone the days of a year follow each other, each of 23, 24 or 25 hours that bear its date", () => {
  for (const timezone of timezones) {
    const format = new Intl.DateTimeFormat("sv-SE", { timeZone: timezone });
    const dateAt = (instant: number) => format.format(instant * 1000);
    let day = localDay(timezone, at("2026-01-01T12:00:00Z"));
    for (let count = 0; count < 366; count++) {
      expect([23, 24, 25]).toContain((day.end - day.start) / 3600);
      for (const instant of [day.start, day.start + 41_400, day.end - 1]) expect(dateAt(instant)).toBe(day.date);
      const next = localDay(timezone, day.end);
      expect(next.start).toBe(day.end);
      expect(next.date).not.toBe(day.date);
      day = next;
    }
  }
});
