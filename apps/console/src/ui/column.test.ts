import { expect, test } from "vitest";
import { chosenColumns, toggleColumn } from "./chosen-columns.ts";
import {
  byNumber,
  byText,
  csvLines,
  itemColumns,
  nameOf,
  searchedNames,
  searchTextOf,
  shownColumns,
  sortKeysOf,
  sortRows,
  type Column,
} from "./column.ts";
import { rangeAround, trendsOf } from "./trends-link.ts";

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

interface Item {
  name: string;
  kw: number | null;
}
const item: Item = { name: "Fan A", kw: 1.25 };
const columns: readonly Column<Item>[] = [
  {
    label: "Name",
    text: ({ name }) => name,
    sort: { key: "name" },
    search: { name: ({ name }) => name, letter: ({ name }) => name.slice(-1) },
  },
  {
    label: "Power",
    key: "kw",
    text: ({ kw }) => Math.round(kw ?? 0),
    file: { label: "Power kW", text: ({ kw }) => kw },
    narrow: { in: "Name" },
  },
  { label: "Press", text: () => "press", only: "screen", narrow: { in: "nowhere" } },
  { label: "Id", text: () => 7, only: "file" },
];

test("a column says once what the screen, the narrow screen, the search, the address and the file show", () => {
  expect([shownColumns(columns), itemColumns(columns)].map((each) => each.map(nameOf))).toEqual([
    ["Name", "kw", "Press"],
    ["Name", "Press"],
  ]);
  expect([searchTextOf(columns, item), searchedNames(columns), sortKeysOf(columns)]).toEqual(["fan a\na", ["name", "letter"], ["name"]]);
  expect(csvLines(columns, [item, { name: "Fan B", kw: null }])).toEqual([
    ["Name", "Power kW", "Id"],
    ["Fan A", 1.25, 7],
    ["Fan B", null, 7],
  ]);
  const names = ["b", "a", "B", "a"];
  expect(names.toSorted(byText((name) => name))).toEqual(["B", "a", "a", "b"]);
  expect(byText((name: string) => name)("a", "a")).toBe(0);
});

test.each([
  ["", ["Name", "Press"], []],
  ["all", ["Name", "kw", "Press", "Id"], []],
  ["kw", ["Name", "kw"], []],
  ["Press,gone", ["Name", "Press"], ["gone"]],
  ["gone", ["Name", "Press"], ["gone"]],
])("the choice %j shows its columns, always with the first one", (choice, names, unknown) => {
  const usual = [columns[0]!, columns[2]!];
  const { chosen, ...rest } = chosenColumns(columns, choice, usual);
  expect([chosen.map(nameOf), rest.unknown]).toEqual([names, unknown]);
});

test("a column is shown or hidden; the usual ones and all of them have short names in the address", () => {
  const usual = [columns[0]!, columns[2]!];
  const toggled = (choice: string, index: number) => toggleColumn(columns, choice, columns[index]!, usual);
  expect([toggled("", 2), toggled("", 1), toggled("Name", 2), toggled("all", 1), toggled("Name", 1)]).toEqual([
    "Name",
    "all",
    "",
    "",
    "Name,kw",
  ]);
});

test("trends are of nodes, a quantity and a range, and a range is around a moment", () => {
  expect(trendsOf(["10101", "10102"])).toBe("#/trends?series=10101:current,10102:current");
  expect(trendsOf(["10101"], { range: rangeAround(1_000.5, 60), quantity: "voltage" })).toBe(
    "#/trends?series=10101:voltage&range=940-1060",
  );
});
