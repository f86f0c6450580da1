import { quantityOf } from "@busbar/contract/telemetry/quantities.ts";
import { expect, test } from "vitest";
import { boundsOf, chooseStep, partsOf } from "./trend-steps.ts";

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

const hour = 3_600;
const day = 86_400;
test.each<
  [string, { quantity?: string; from?: number; seconds: number; points: number; scalarInterval?: number; dataInterval?: number }, string]
>([
  ["single scalars where there is room for them", { seconds: hour, points: 360 }, "raw 10"],
  ["minutes where there is a little less room", { seconds: hour, points: 359 }, "minute 60"],
  ["scalars of a slow node", { seconds: hour, points: 20, scalarInterval: 300 }, "raw 300"],
  ["minutes where the first scalar is gone", { from: -day - 1, seconds: 600, points: 600 }, "minute 60"],
  ["scalars where the first one is just kept", { from: -day, seconds: 600, points: 600 }, "raw 10"],
  ["quarters where the first minute is gone", { from: -90 * day - 1, seconds: hour, points: 600 }, "quarter 900"],
  ["minutes where the first one is just kept", { from: -90 * day, seconds: hour, points: 600 }, "minute 60"],
  ["two minutes for a second more than one", { seconds: 61 * 600, points: 600 }, "minute 120"],
  ["five minutes", { seconds: 300 * 600, points: 600 }, "minute 300"],
  ["a quarter for a second more than five minutes", { seconds: 301 * 600, points: 600 }, "quarter 900"],
  ["six hours", { seconds: 21_600 * 600, points: 600 }, "quarter 21600"],
  ["a day for a second more than six hours", { seconds: 21_601 * 600, points: 600 }, "day 86400"],
  ["four weeks", { seconds: 28 * day * 9, points: 9 }, "day 2419200"],
  ["whole days beyond four weeks", { seconds: 28.5 * day * 9, points: 9 }, "day 2505600"],
  ["data points, of which there is one in a quarter", { quantity: "currentThd1", seconds: hour, points: 600 }, "quarter 900"],
  [
    "data points of a node that makes one an hour",
    { quantity: "currentThd1", seconds: hour, points: 600, dataInterval: hour },
    "quarter 3600",
  ],
  [
    "scalars that are older than minutes, however seldom data points come",
    { from: -99 * day, seconds: hour, points: 600, dataInterval: hour },
    "quarter 900",
  ],
])("A-63 points are %s", (_, { quantity = "current", from = 0, seconds, points, scalarInterval = 10, dataInterval = 900 }, expected) => {
  const now = 1_790_000_000;
  const range = { from: now + from, to: now + from + seconds, points };
  const kept = { raw: now - day, minute: now - 90 * day };
  const step = chooseStep(range, quantityOf(quantity)!, { scalarInterval, dataInterval }, kept);
  expect(`${step.resolution} ${step.seconds}`).toBe(expected);
});
