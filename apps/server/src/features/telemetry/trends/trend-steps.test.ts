import { expect, test } from "vitest";
import { partsOf } from "./trend-steps.ts";

const at = (time: string) => Date.parse(`${time}Z`) / 1000;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19);
const partsBetween = (from: string, to: string, zone: string) =>
  partsOf({ from: at(from), to: at(to) }, zone).map(({ span, step }) => [step.resolution, iso(span.from), iso(span.to)].join(" "));

test.each([
  ["31 days are quarters", "UTC", ["2026-01-01T06:00:00", "2026-02-01T06:00:00"], ["quarter 2026-01-01T06:00:00 2026-02-01T06:00:00"]],
  [
    "a second more is days of UTC and what is left",
    "UTC",
    ["2026-01-01T06:00:00", "2026-02-01T06:00:01"],
    [
      "quarter 2026-01-01T06:00:00 2026-01-02T00:00:00",
      "day 2026-01-02T00:00:00 2026-02-01T00:00:00",
      "quarter 2026-02-01T00:00:00 2026-02-01T06:00:01",
    ],
  ],
  [
    "days of Denver, whose clocks change within",
    "America/Denver",
    ["2026-02-20T00:00:00", "2026-03-31T00:00:00"],
    [
      "quarter 2026-02-20T00:00:00 2026-02-20T07:00:00",
      "day 2026-02-20T07:00:00 2026-03-30T06:00:00",
      "quarter 2026-03-30T06:00:00 2026-03-31T00:00:00",
    ],
  ],
  [
    "days of Kolkata, from a second after its midnight to a second before",
    "Asia/Kolkata",
    ["2026-01-01T18:30:01", "2026-02-28T18:29:59"],
    [
      "quarter 2026-01-01T18:30:01 2026-01-02T18:30:00",
      "day 2026-01-02T18:30:00 2026-02-27T18:30:00",
      "quarter 2026-02-27T18:30:00 2026-02-28T18:29:59",
    ],
  ],
  [
    "nothing is left where both ends are midnight there",
    "Asia/Kolkata",
    ["2026-01-01T18:30:00", "2026-02-28T18:30:00"],
    ["day 2026-01-01T18:30:00 2026-02-28T18:30:00"],
  ],
])("A-63 sums: %s", (_, zone, [from = "", to = ""], parts) => expect(partsBetween(from, to, zone)).toEqual(parts));
