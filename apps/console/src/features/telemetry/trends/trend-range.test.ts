import { readLocalDateTime } from "@busbar/contract/values/local-time.ts";
import { expect, test } from "vitest";
import {
  codeOfRange,
  comparisons,
  earlierSpan,
  neighbour,
  presets,
  rangeOfCode,
  rangeText,
  readRange,
  spanOf,
  within,
  zoomed,
  type TrendRange,
} from "./trend-range.ts";

const chicago = "America/Chicago";
const at = (text: string, timezone = chicago) => (readLocalDateTime(text, timezone) as { timestamp: number }).timestamp;
const span = (from: string, to: string) => ({ from: at(from), to: at(to) });
const now = at("2026-11-23 14:07:12");
const read = (text: string) => readRange(text, chicago, now);

test("ranges keep in an address, and what is none is refused", () => {
  const ranges: TrendRange[] = [
    { last: 5_400 },
    { last: 86_400 },
    { last: 604_800 },
    { calendar: "yesterday" },
    span("2026-11-01", "2026-11-02"),
  ];
  expect(ranges.map(codeOfRange)).toEqual(["90m", "24h", "7d", "yesterday", "1793509200-1793599200"]);
  for (const range of ranges) expect(rangeOfCode(codeOfRange(range))).toEqual(range);
  for (const { code } of presets) expect(codeOfRange(rangeOfCode(code)!)).toBe(code);
  for (const code of [
    "",
    "0d",
    "7",
    "d",
    "-7d",
    "999999d",
    "1793599200-1793509200",
    "1-100",
    "1793509200-1793509210",
    "tomorrow",
    "constructor",
  ])
    expect([code, rangeOfCode(code)]).toEqual([code, undefined]);
});

test("a day of the place is 23 or 25 hours where its clocks change", () => {
  const lengthOn = (day: string) => {
    const { from, to } = spanOf({ calendar: "yesterday" }, chicago, at(day) + 3_600);
    return (to - from) / 3_600;
  };
  expect([lengthOn("2026-03-09"), lengthOn("2026-11-02"), lengthOn("2026-11-03")]).toEqual([23, 25, 24]);
  expect(spanOf({ calendar: "last-month" }, chicago, now)).toEqual(span("2026-10-01", "2026-11-01"));
  expect(spanOf({ calendar: "this-week" }, chicago, now)).toEqual({ from: at("2026-11-23"), to: at("2026-11-23 14:08:00") });
});

test("what ends now goes on in steps", () => {
  expect(spanOf({ last: 3_600 }, chicago, now + 2.5)).toEqual({ from: now - 3_600 - 2, to: now - 2 });
  expect(spanOf({ last: 604_800 }, chicago, now).to).toBe(at("2026-11-23 14:07:00"));
});

test("earlier and later go by whole days and months of the place, else by the length", () => {
  expect(neighbour(span("2026-11-01", "2026-11-02"), -1, chicago)).toEqual(span("2026-10-31", "2026-11-01"));
  expect(neighbour(span("2026-03-02", "2026-03-09"), 1, chicago)).toEqual(span("2026-03-09", "2026-03-16"));
  expect(neighbour(span("2026-11-01", "2026-12-01"), -1, chicago)).toEqual(span("2026-10-01", "2026-11-01"));
  expect(neighbour(span("2025-01-01", "2026-01-01"), 1, chicago)).toEqual(span("2026-01-01", "2027-01-01"));
  expect(neighbour({ from: 1_000, to: 1_700 }, 1, "UTC")).toEqual({ from: 1_700, to: 2_400 });
});

test("an earlier period begins at the same time of the clock", () => {
  const { from, to } = span("2026-11-02 6:00:00", "2026-11-03 6:00:00");
  const starts = comparisons.map((comparison) => earlierSpan({ from, to }, comparison, chicago));
  expect(starts.map((earlier) => earlier.from)).toEqual(
    ["2026-11-01 6:00:00", "2026-11-01 6:00:00", "2026-10-26 6:00:00", "2026-10-05 6:00:00", "2025-11-02 6:00:00"].map((text) => at(text)),
  );
  expect(starts.every((earlier) => earlier.to - earlier.from === to - from)).toBe(true);
});

test("zooming keeps the moment under the cursor; no range is beyond now, too short or too long", () => {
  expect(zoomed({ from: 1_000, to: 2_000 }, 0.5, 1_250)).toEqual({ from: 1_125, to: 1_625 });
  const day = 86_400;
  expect(within({ from: now - 10, to: now - 9 }, now)).toEqual({ from: now - 60, to: now });
  expect(within({ from: now - day, to: now + day }, now)).toEqual({ from: now - 2 * day, to: now });
  const whole = within({ from: -1e12, to: 1e12 }, now);
  expect(whole).toEqual({ from: Date.UTC(2010, 0, 1) / 1000, to: now });
});

test("text is read by the clocks of the place", () => {
  expect(read(" Last 7 Days ")).toEqual({ range: { last: 604_800 } });
  expect(read("90 min")).toEqual({ range: { last: 5_400 } });
  expect(read("last hour")).toEqual({ range: { last: 3_600 } });
  expect(read("2 weeks")).toEqual({ range: { last: 1_209_600 } });
  expect(read("yesterday at the place")).toEqual({ range: { calendar: "yesterday" } });
  expect(read("last month")).toEqual({ range: { calendar: "last-month" } });
  expect(read("2026-11-01")).toEqual({ range: span("2026-11-01", "2026-11-02") });
  expect(read("2026-10")).toEqual({ range: span("2026-10-01", "2026-11-01") });
  expect(read("2025")).toEqual({ range: span("2025-01-01", "2026-01-01") });
  expect(read("2026-11-1 to 2026-11-3")).toEqual({ range: span("2026-11-01", "2026-11-04") });
  expect(read("2026-11-01 8:00 – 16:30")).toEqual({ range: span("2026-11-01 8:00:00", "2026-11-01 16:30:00") });
  expect(read("2026-11-22 8:00:30 until now")).toEqual({ range: { from: at("2026-11-22 8:00:30"), to: now } });
});

test("text that is no range says why", () => {
  expect(read("2026-02-30")).toEqual({ problem: "There is no such day" });
  expect(read("2026-03-08 2:30 to 2026-03-09")).toEqual({ problem: "Clocks in America/Chicago skip this time" });
  expect(read("2026-11-02 to 2026-10-01")).toEqual({ problem: "It ends before it begins" });
  expect(read("2027-01-01")).toEqual({ problem: "It has not begun yet" });
  expect(read("100 years")).toEqual({ problem: "A minute to 20 years" });
  for (const text of ["", "soon", "2026-11-01 8:00", "2026-11-01 to", "1 to 2 to 3", "5 parsecs"])
    expect(read(text)).toEqual({ problem: expect.stringMatching(/^Write it as/) });
});

test("a range is written as it can be read again", () => {
  const ranges: TrendRange[] = [
    { last: 3_600 },
    { last: 604_800 },
    { last: 5_400 },
    { calendar: "yesterday" },
    { calendar: "last-month" },
    span("2026-11-01 8:00:00", "2026-11-02 16:30:05"),
    span("2026-11-01", "2026-11-02"),
    span("2026-10-01", "2026-11-01"),
    span("2026-11-01", "2026-11-02 16:30:00"),
    span("2026-11-01 6:00:00", "2026-11-02"),
  ];
  expect(ranges.map((range) => rangeText(range, chicago))).toEqual([
    "last hour",
    "last 7 days",
    "last 90 minutes",
    "yesterday",
    "last month",
    "2026-11-01 08:00 to 2026-11-02 16:30:05",
    "2026-11-01",
    "2026-10-01 to 2026-10-31",
    "2026-11-01 to 2026-11-02 16:30",
    "2026-11-01 06:00 to 2026-11-02 00:00",
  ]);
  for (const range of ranges) expect(read(rangeText(range, chicago))).toEqual({ range });
});
