import { formatLocalTime } from "@busbar/contract/values/format-local-time.ts";
import { expect, test } from "vitest";
import { mutePresets } from "./mute-times.ts";

const presetsAt = (time: string, timezone: string) =>
  mutePresets(Date.parse(time) / 1000, timezone).map(({ untilTimestamp }) => formatLocalTime(untilTimestamp, timezone));

test.for([
  [
    "an ordinary afternoon",
    "2026-06-10T20:15:30Z",
    "America/Chicago",
    ["2026-06-10 16:15:30 CDT", "2026-06-10 23:15:30 CDT", "2026-06-11 07:00:00 CDT", "2026-06-17 15:15:30 CDT"],
  ],
  [
    "the evening before the clocks go forward",
    "2027-03-14T04:30:00Z",
    "America/Chicago",
    ["2027-03-13 23:30:00 CST", "2027-03-14 07:30:00 CDT", "2027-03-14 07:00:00 CDT", "2027-03-20 22:30:00 CDT"],
  ],
  [
    "the evening before they go back",
    "2026-11-01T03:30:00Z",
    "America/Chicago",
    ["2026-10-31 23:30:00 CDT", "2026-11-01 05:30:00 CST", "2026-11-01 07:00:00 CST", "2026-11-07 22:30:00 CST"],
  ],
  [
    "a week before a time that is skipped",
    "2027-03-07T08:30:00Z",
    "America/Chicago",
    ["2027-03-07 03:30:00 CST", "2027-03-07 10:30:00 CST", "2027-03-08 07:00:00 CST", "2027-03-14 03:30:00 CDT"],
  ],
  [
    "the last day of a year, beyond the date line",
    "2026-12-30T12:00:00Z",
    "Pacific/Auckland",
    ["2026-12-31 02:00:00 NZDT", "2026-12-31 09:00:00 NZDT", "2027-01-01 07:00:00 NZDT", "2027-01-07 01:00:00 NZDT"],
  ],
] as const)("a mute of %s ends as the clocks of the place say", ([, time, timezone, expected]) => {
  expect(presetsAt(time, timezone).map((text) => text.replace(/GMT\+13$/, "NZDT"))).toEqual(expected);
});
