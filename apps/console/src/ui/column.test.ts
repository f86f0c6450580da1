import { expect, test } from "vitest";
import { byNumber, sortRows } from "./column.ts";

test("equal rows keep one order, whichever way a column is sorted", () => {
  const rows = [
    { id: 2, size: 1 },
    { id: 3, size: 7 },
    { id: 1, size: 1 },
  ];
  const columns = [
    {
      label: "Size",
      text: ({ size }: { size: number }) => size,
      sort: { key: "size", compare: byNumber(({ size }: { size: number }) => size) },
    },
  ];
  const sorted = (sort: string, isDescending: boolean) =>
    sortRows<{ id: number; size: number }, unknown>(columns, rows, { sort, isDescending }, (a, b) => a.id - b.id).map(({ id }) => id);
  expect([sorted("size", false), sorted("size", true)]).toEqual([
    [1, 2, 3],
    [3, 1, 2],
  ]);
  // Without a column that sorts it is that order itself.
  expect([sorted("", false), sorted("", true)]).toEqual([
    [1, 2, 3],
    [3, 2, 1],
  ]);
});
