import { timezones } from "@busbar/contract/option-lists.ts";
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

test("in every zone each hour of a year lies in the day that it names", () => {
  for (const timezone of timezones) {
    let previous = localDay(timezone, at("2026-01-01T00:00:00Z"));
    for (let instant = at("2026-01-01T01:00:00Z"); instant < at("2027-01-01T00:00:00Z"); instant += 3600) {
      const day = localDay(timezone, instant);
      expect(day.start).toBeLessThanOrEqual(instant);
      if (day.date === previous.date) expect(day.start).toBe(previous.start);
      else {
        expect([23, 24, 25]).toContain((day.start - previous.start) / 3600);
        expect(previous.end).toBe(day.start);
      }
      previous = day;
    }
  }
});
