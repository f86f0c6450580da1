import { expect, test } from "vitest";
import { boundsOf, partsOf } from "./trend-steps.ts";

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

test("A-63 points begin at multiples of their length, days at the place's midnight; one more bound is where the last one ends", () => {
  const boundsBetween = (from: string, to: string, step: number, zone = "UTC") =>
    boundsOf({ from: at(from), to: at(to) }, step, zone).map((bound) => iso(bound).slice(5, 16));
  expect(boundsBetween("2026-01-01T06:00:00", "2026-01-01T06:30:00", 900)).toEqual(["01-01T06:00", "01-01T06:15", "01-01T06:30"]);
  expect(boundsBetween("2026-01-01T06:14:59", "2026-01-01T06:15:01", 900)).toEqual(["01-01T06:00", "01-01T06:15", "01-01T06:30"]);
  expect(boundsBetween("2026-03-07T12:00:00", "2026-03-09T06:00:00", 86_400, "America/Denver")).toEqual([
    "03-07T07:00",
    "03-08T07:00",
    "03-09T06:00",
  ]);
  expect(boundsBetween("2026-01-01T00:00:00", "2026-01-04T00:00:00", 2 * 86_400)).toEqual(["01-01T00:00", "01-03T00:00", "01-04T00:00"]);
});
