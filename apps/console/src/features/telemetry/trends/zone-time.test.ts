import { readLocalDateTime } from "@busbar/contract/values/local-time.ts";
import { expect, test } from "vitest";
import { addDays, addMonths, instantAt, lettersIn, startOf, timeTicks } from "./zone-time.ts";

const chicago = "America/Chicago";
const at = (text: string, timezone = chicago) => (readLocalDateTime(text, timezone) as { timestamp: number }).timestamp;
const labels = (from: string, to: string, most: number, timezone = chicago) =>
  timeTicks({ from: at(from, timezone), to: at(to, timezone) }, timezone, most).map(({ label }) => label.replace("\n", "|"));

test("on the day of 23 hours ticks stay on the clock's hours, and its new letters are said", () => {
  expect(labels("2026-03-08 0:00:00", "2026-03-08 6:00:00", 6)).toEqual([
    "00:00|Sun 8 Mar",
    "01:00",
    "03:00|CDT",
    "04:00",
    "05:00",
    "06:00",
  ]);
  expect(labels("2026-03-07 12:00:00", "2026-03-09 0:00:00", 7)).toEqual([
    "12:00|Sat 7 Mar",
    "18:00",
    "00:00|Sun 8 Mar",
    "06:00|CDT",
    "12:00",
    "18:00",
    "00:00|Mon 9 Mar",
  ]);
});

test("on the day of 25 hours the hour that comes twice is there twice", () => {
  expect(labels("2026-11-01 0:00:00", "2026-11-01 4:00:00", 6)).toEqual([
    "00:00|Sun 1 Nov",
    "01:00",
    "01:00|CST",
    "02:00",
    "03:00",
    "04:00",
  ]);
  expect(labels("2026-10-31 12:00:00", "2026-11-02 0:00:00", 7)).toEqual([
    "12:00|Sat 31 Oct",
    "18:00",
    "00:00|Sun 1 Nov",
    "06:00|CST",
    "12:00",
    "18:00",
    "00:00|Mon 2 Nov",
  ]);
});

test("days, weeks, months and years begin at midnight of the place", () => {
  expect(labels("2026-10-30 5:00:00", "2026-11-04 0:00:00", 5)).toEqual([
    "Sat 31|Oct 2026",
    "Sun 1|Nov 2026",
    "Mon 2|CST",
    "Tue 3",
    "Wed 4",
  ]);
  expect(labels("2026-10-20 0:00:00", "2026-11-20 0:00:00", 6)).toEqual(["Mon 26|Oct 2026", "Mon 2|Nov 2026", "Mon 9", "Mon 16"]);
  expect(labels("2026-01-15 0:00:00", "2027-02-15 0:00:00", 8)).toEqual(["Mar|2026", "May", "Jul", "Sep", "Nov", "Jan|2027"]);
  expect(labels("2012-01-01 0:00:00", "2026-01-01 0:00:00", 8)).toEqual(["2012", "2014", "2016", "2018", "2020", "2022", "2024", "2026"]);
  for (const { at: tick } of timeTicks({ from: at("2026-10-20 0:00:00"), to: at("2026-11-20 0:00:00") }, chicago, 40))
    expect(startOf("day", tick, chicago)).toBe(tick);
});

test("seconds are said where ticks are closer than a minute, and the day where there are days", () => {
  expect(labels("2026-01-15 6:00:00", "2026-01-15 6:01:00", 3)).toEqual(["06:00:00|Thu 15 Jan", "06:00:30", "06:01:00"]);
  expect(labels("2026-01-15 6:00:00", "2026-01-15 6:02:00", 3)).toEqual(["06:00|Thu 15 Jan", "06:01", "06:02"]);
  expect(labels("2026-01-15 0:00:00", "2026-01-16 0:00:00", 3)).toEqual(["00:00|Thu 15 Jan", "12:00", "00:00|Fri 16 Jan"]);
  expect(labels("2026-01-15 0:00:00", "2026-01-17 0:00:00", 3)).toEqual(["Thu 15|Jan 2026", "Fri 16", "Sat 17"]);
});

test("no zone and no length makes more ticks than there is room for", () => {
  for (const timezone of [chicago, "UTC", "Asia/Kolkata", "America/St_Johns", "Australia/Lord_Howe"])
    for (let length = 7; length < 400_000_000; length *= 3) {
      const span = { from: 1_793_000_011, to: 1_793_000_011 + length };
      const ticks = timeTicks(span, timezone, 9);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(11);
      expect(ticks.every(({ at: tick }, index) => tick >= span.from && tick <= span.to && tick > (ticks[index - 1]?.at ?? 0))).toBe(true);
    }
});

test("a day, a month or a year on is the same time of the clock, across both changes", () => {
  expect(addDays(at("2026-03-07 9:30:00"), 1, chicago)).toBe(at("2026-03-08 9:30:00"));
  expect(addDays(at("2026-11-08 9:30:00"), -7, chicago)).toBe(at("2026-11-01 9:30:00"));
  expect(addMonths(at("2026-03-31 9:30:00"), -1, chicago)).toBe(at("2026-02-28 9:30:00"));
  expect(addMonths(at("2026-11-22 9:30:00"), -12, chicago)).toBe(at("2025-11-22 9:30:00"));
  // Skipped: the moment after.
  expect(addDays(at("2026-03-07 2:30:00"), 1, chicago)).toBe(at("2026-03-08 3:30:00"));
});

test("calendar units begin where the place's do", () => {
  const now = at("2026-11-04 15:00:00");
  expect(startOf("day", now, chicago)).toBe(at("2026-11-04"));
  expect(startOf("day", now, chicago, 3)).toBe(at("2026-11-01"));
  expect(startOf("week", now, chicago)).toBe(at("2026-11-02"));
  expect(startOf("week", now, chicago, 1)).toBe(at("2026-10-26"));
  expect(startOf("month", now, chicago, 11)).toBe(at("2025-12-01"));
  expect(startOf("year", now, chicago)).toBe(at("2026-01-01"));
  expect(instantAt(Date.UTC(2026, 10, 4, 15) / 1000, chicago)).toBe(now);
});

test("a span says the letters of both its times", () => {
  expect(lettersIn({ from: at("2026-10-30"), to: at("2026-11-03") }, chicago)).toEqual(["CDT", "CST"]);
  expect(lettersIn({ from: at("2026-01-01"), to: at("2026-12-01") }, chicago)).toEqual(["CST", "CDT"]);
  expect(lettersIn({ from: at("2026-11-10"), to: at("2026-11-11") }, chicago)).toEqual(["CST"]);
});
