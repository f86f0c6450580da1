import { expect, test } from "vitest";
import { pointColumns, pointRows } from "./point-table.ts";
import type { TrendLine } from "./trend-lines.ts";

const line = (change: Partial<TrendLine>) =>
  ({
    key: "a",
    name: "Pump, current",
    unit: "A",
    digits: 1,
    step: 60,
    middle: 30,
    times: [],
    minimum: [],
    mean: [],
    maximum: [],
    ...change,
  }) as TrendLine;
const lines = [
  line({ times: [130, 190], minimum: [1, 5], mean: [2, 5], maximum: [3, 5] }),
  line({ key: "b", name: "Flow", unit: "", middle: 10, times: [50, 110, 200], minimum: [7, 8, 9], mean: [7, 8.5, 9], maximum: [7, 9, 9] }),
];

test("rows are the moments at which points begin, each once, oldest first", () => {
  expect(pointRows(lines)).toEqual([40, 100, 160, 190]);
});

test("a cell shows the point that begins at its moment, with its range where it has one, and nothing between points", () => {
  const columns = pointColumns(lines, "UTC");
  const cells = (label: string) => columns.filter((column) => column.label === label).flatMap(({ text }) => pointRows(lines).map(text));
  expect(cells("Pump, current, A")).toEqual(["–", "2.0 (1.0 to 3.0)", "5.0", "–"]);
  expect(cells("Flow")).toEqual(["7.0", "8.5 (8.0 to 9.0)", "–", "9.0"]);
  expect(cells("Pump, current, A, minimum")).toEqual([null, 1, 5, null]);
  expect(cells("Flow, maximum")).toEqual([7, 9, null, 9]);
  expect(cells("Epoch seconds")).toEqual([40, 100, 160, 190]);
});
