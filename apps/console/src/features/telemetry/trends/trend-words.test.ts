import { expect, test } from "vitest";
import { ApiError } from "#lib/api-error.ts";
import {
  completenessText,
  completenessWords,
  digitsOf,
  figureText,
  machineNames,
  quantityName,
  rangeOfWords,
  resolutionText,
  seriesLook,
  unitName,
  unitOf,
  unknownNodeOf,
} from "./trend-words.ts";

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

test("a series is in the words of its quantity, and one that is not known in its own", () => {
  const words = ["current", "powerFactor", "someday"].map((quantity) => {
    const series = { serialNumber: "10604", quantity };
    return [quantityName(series), unitOf(series), unitName(unitOf(series)), digitsOf(series)];
  });
  expect(words).toEqual([
    ["Current", "A", "A", 1],
    ["Power factor", "", "Number", 3],
    ["someday", "", "Number", 2],
  ]);
  expect([figureText(1_204.44, 1), figureText(-0.001, 2), figureText(-2, 0), figureText(null, 1)]).toEqual(["1,204.4", "0.00", "-2", "–"]);
  expect(
    [
      ["a", "a"],
      ["a", "b", "a"],
      ["a", "b", "c"],
    ].map(rangeOfWords),
  ).toEqual(["a", "a and b", "a to c"]);
});

test("colours come again after six series, with dashes", () => {
  expect([0, 5, 6, 11].map((place) => Object.values(seriesLook(place)))).toEqual([
    ["var(--trend-1)", []],
    ["var(--trend-6)", []],
    ["var(--trend-1)", [8, 3]],
    ["var(--trend-6)", [8, 3]],
  ]);
});

test("a node that is not known is named by a refusal, and by no other failure", () => {
  const words = "Node 10605 was not found";
  expect([404, 503].map((status) => unknownNodeOf(new ApiError(status, "", words)))).toEqual(["10605", undefined]);
  expect([new ApiError(404, "", "This view was not found"), new Error(words)].map(unknownNodeOf)).toEqual([undefined, undefined]);
});
