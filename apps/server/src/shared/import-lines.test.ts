import { expect, test } from "vitest";
import { importText, otherCapitals, readImportLines, type ImportColumns } from "./import-lines.ts";

const names = { name: "Name", count: "Count" } as const;
let reads = 0;
const columns: ImportColumns<keyof typeof names, string> = {
  names,
  key: "name",
  read: (column, text) => (reads++, column === "count" && !/^\d+$/.test(text) ? { message: `${text} is no number` } : { value: text }),
};
const read = (...rows: string[][]) =>
  readImportLines(
    rows.map((cells, index) => ({ line: index + 1, cells })),
    columns,
  );

test("A-63 columns are found by their headings in any order and case; what is empty says nothing, and others are named", () => {
  expect(read([" COUNT ", "Remark", "name", ""], ["7", "odd", " a ", ""], ["", "", "b", "x"])).toEqual({
    lines: [
      { line: 2, values: { count: "7", name: "a" } },
      { line: 3, values: { name: "b" } },
    ],
    errors: [],
    ignored: ["Remark", ""],
  });
});

test.each([
  [["Name", "name", "Count"], [{ line: 1, column: "Name", message: "This column is there twice" }], []],
  [["Count"], [{ line: 1, column: "Name", message: "The first line names the columns, and this one is missing" }], []],
  [
    ["Count", "x", "COUNT"],
    [
      { line: 1, column: "Count", message: "This column is there twice" },
      { line: 1, column: "Name", message: "The first line names the columns, and this one is missing" },
    ],
    ["x"],
  ],
])("A-63 a heading %j is refused before any line is read", (heading, errors, ignored) => {
  expect(read(heading, ["a", "b", "c"])).toEqual({ lines: [], errors, ignored });
  expect(readImportLines([], columns).errors).toMatchObject([{ line: 1, column: "Name" }]);
});

test("A-63 a line with other cells than the heading is left out, one with a wrong cell keeps its others, and each text is judged once", () => {
  reads = 0;
  expect(read(["Name", "Count"], ["a", "x"], ["b"], ["c", "x", ""], ["a", "7"])).toEqual({
    lines: [
      { line: 2, values: { name: "a" } },
      { line: 5, values: { name: "a", count: "7" } },
    ],
    errors: [
      { line: 2, column: "Count", message: "x is no number" },
      { line: 3, column: "", message: "This line has 1 cell, the first one 2" },
      { line: 4, column: "", message: "This line has 3 cells, the first one 2" },
    ],
    ignored: [],
  });
  expect(reads).toBe(3);
});

test("A-63 a file is text in UTF-8, and says what is the same but for its capital letters", () => {
  expect(importText(Buffer.from("\u{feff}Łódź"))).toBe("\u{feff}Łódź");
  expect(() => importText(Buffer.from("Łódź", "utf16le"))).toThrow("file: is no text in UTF-8. Save it as CSV UTF-8");
  expect(otherCapitals("Kiln")).toBe("Kiln is there already, and differs in its capital letters only");
});
