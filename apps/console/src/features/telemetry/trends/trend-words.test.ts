import { expect, test } from "vitest";
import { completenessText, completenessWords, machineNames, resolutionText } from "./trend-words.ts";

test("completeness is never whole where something is missing", () => {
  expect([1, 0.99999, 0.987, 0.0001, 0].map(completenessText)).toEqual([
    "100 % complete",
    "99.9 % complete",
    "98.7 % complete",
    "0.1 % complete",
    "no data",
  ]);
  expect(
    [
      [0.978, 0.9972],
      [1, 1],
      [0, 0.5],
    ].map(completenessWords),
  ).toEqual(["97.8 to 99.7 % complete", "100 % complete", "no data to 50.0 % complete"]);
});

test("a resolution is said in its unit", () => {
  const steps = [
    ["raw", 10],
    ["minute", 60],
    ["minute", 480],
    ["quarter", 900],
    ["quarter", 7_200],
    ["day", 86_400],
    ["day", 604_800],
  ] as const;
  expect(steps.map(([resolution, stepSeconds]) => resolutionText({ resolution, stepSeconds }))).toEqual([
    "values as they came",
    "minute values",
    "8-minute values",
    "15-minute values",
    "2-hour values",
    "day values",
    "7-day values",
  ]);
});

test("two machines that are called alike differ by their nodes", () => {
  const node = (serialNumber: string, locationName: string) => ({ serialNumber, locationName });
  const nodes = [node("10001", "Pump"), node("10002", "Pump"), node("10003", ""), node("10004", "Fan"), node("10004", "Fan")];
  expect([...machineNames(nodes).values()]).toEqual(["Pump (10001)", "Pump (10002)", "Node 10003", "Fan"]);
});
