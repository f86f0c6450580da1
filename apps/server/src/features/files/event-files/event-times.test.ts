import { expect, test } from "vitest";
import { timesOf } from "./event-times.ts";

const iso = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 16);
const nothing = { span: undefined, from: undefined, to: undefined };
/** 02:30 of the 9th in Chicago, where clocks went forward the day before; 13:00 in Kolkata. */
const now = Date.UTC(2026, 2, 9, 7, 30) / 1000;

test.each([
  [{ span: "lastNight" as const }, "America/Chicago", "2026-03-08T23:00", "2026-03-09T13:00"],
  [{ span: "lastNight" as const }, "Asia/Kolkata", "2026-03-08T12:30", "2026-03-09T02:30"],
  [{ span: "today" as const }, "America/Chicago", "2026-03-09T05:00", "2026-03-10T05:00"],
  // A day of 23 hours.
  [{ span: "yesterday" as const }, "America/Chicago", "2026-03-08T06:00", "2026-03-09T05:00"],
  [{ span: "week" as const }, "UTC", "2026-03-03T00:00", "2026-03-10T00:00"],
  [{ span: "month" as const }, "UTC", "2026-02-08T00:00", "2026-03-10T00:00"],
  [{ from: "2026-03-08", to: "2026-03-08" }, "America/Chicago", "2026-03-08T06:00", "2026-03-09T05:00"],
  [{ span: "week" as const, from: "2026-03-05", to: "2027-01-01" }, "UTC", "2026-03-05T00:00", "2026-03-10T00:00"],
  // Clocks skip midnight there, and one zone no one knows.
  [{ from: "2026-03-08", to: "2026-03-08" }, "America/Havana", "2026-03-08T05:00", "2026-03-09T04:00"],
  [{ span: "today" as const }, "Mars/Olympus", "2026-03-09T00:00", "2026-03-10T00:00"],
])("%j by the clocks of %s is from %s to %s", (asked, zone, start, end) => {
  const [times] = timesOf({ ...nothing, ...asked }, [zone], now)!;
  expect([times?.zone, iso(times!.start), iso(times!.end)]).toEqual([zone, start, end]);
});

test("any time is no times", () => {
  expect(timesOf(nothing, ["UTC"], now)).toBeUndefined();
});
