import { assert, date, integer, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { addYears, amountDue, dayBefore, duePeriod, yearsDue } from "./bill-period.ts";

describe("REP-02 what is due", () => {
  test.each([
    ["2026-12-31", "2027-12-31", 1, 0, 0],
    ["2026-12-31", "2027-12-30", 0, 364, 365],
    ["2026-12-31", "2028-01-01", 1, 1, 366],
    ["2027-12-31", "2028-12-31", 1, 0, 0],
    ["2027-12-31", "2028-02-29", 0, 60, 366],
    ["2024-02-29", "2025-02-28", 1, 0, 0],
    ["2024-02-29", "2025-03-01", 1, 1, 365],
    ["2024-02-29", "2028-02-28", 3, 365, 366],
    ["2024-02-29", "2028-02-29", 4, 0, 0],
    ["2026-06-30", "2026-07-01", 0, 1, 365],
    ["2026-06-30", "2026-06-30", 0, 0, 0],
    ["2026-06-30", "2026-06-29", 0, 0, 0],
  ])("paid thru %s, billed thru %s: %d years and %d of %d days", (paid, billed, wholeYears, extraDays, daysOfYear) => {
    expect(duePeriod(paid, billed)).toEqual({ wholeYears, extraDays, daysOfYear });
  });

  test("half a cent goes up, less goes down", () => {
    expect(amountDue(180_000, { wholeYears: 2, extraDays: 0, daysOfYear: 0 })).toBe(360_000);
    expect(amountDue(1, { wholeYears: 0, extraDays: 183, daysOfYear: 366 })).toBe(1);
    expect(amountDue(1, { wholeYears: 0, extraDays: 182, daysOfYear: 365 })).toBe(0);
    expect(amountDue(100_000, { wholeYears: 1, extraDays: 1, daysOfYear: 365 })).toBe(100_274);
    expect(yearsDue({ wholeYears: 1, extraDays: 1, daysOfYear: 365 })).toBe(1.0027);
  });

  const day = date({ min: new Date("2010-01-01"), max: new Date("2059-12-31"), noInvalidDate: true }).map((at) =>
    at.toISOString().slice(0, 10),
  );

  test("a later bill is never cheaper, and a day costs no more than the 365th part of a year, rounded", () => {
    assert(
      property(day, day, integer({ min: 0, max: 1_000_000 }), (paid, billed, rate) => {
        const amount = amountDue(rate, duePeriod(paid, billed));
        const before = amountDue(rate, duePeriod(paid, dayBefore(billed)));
        expect(amount).toBeGreaterThanOrEqual(before);
        expect(amount - before).toBeLessThanOrEqual(billed > paid ? Math.ceil(rate / 365) + 1 : 0);
      }),
    );
  });

  test("whole years cost whole rates, whatever the leap years", () => {
    assert(
      property(day, integer({ min: 0, max: 20 }), (paid, years) => {
        expect(duePeriod(paid, addYears(paid, years))).toEqual({ wholeYears: years, extraDays: 0, daysOfYear: 0 });
      }),
    );
  });
});
