import { csvText } from "@busbar/contract/values/csv.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readCsv } from "./csv-reader.ts";

const cellsOf = (text: string) => {
  const read = readCsv(text, 1_000);
  return read.problem ?? read.records.map(({ cells }) => cells);
};

test("what we write is read back, whatever the cells hold", () => {
  const cell = fc.string({ unit: fc.constantFrom("a", "é", ",", ";", "\t", '"', "\n", "\r\n", "=", "-", "+", "@", "|", "%", " ", "1") });
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, fc.constantFrom("x", "y")), { minLength: 1, maxLength: 6 }), (rows) => {
      const records = [["One", "Other", "Third"], ...rows];
      expect(cellsOf(csvText(records))).toEqual(records);
    }),
    { numRuns: 200 },
  );
});

test.each([
  ["comma", "a,b\r\n1,2\r\n"],
  ["semicolon", "a;b\n1;2"],
  ["tab", "a\tb\r1\t2\r"],
  ["byte order mark", "\u{feff}a,b\n1,2\n"],
  ["quotes", '"a","b"\n"1","2"\n'],
  ["empty lines", "\n\na,b\n,\n1,2\n\n"],
])("%s", (_name, text) => {
  expect(cellsOf(text)).toEqual([
    ["a", "b"],
    ["1", "2"],
  ]);
});

test("a separator within quotes does not decide, and a record knows the line on which it begins", () => {
  expect(readCsv('"a,b,c";d\r\n"two\r\nlines";2\r\n\r\n3;4', 10)).toEqual({
    records: [
      { line: 1, cells: ["a,b,c", "d"] },
      { line: 2, cells: ["two\r\nlines", "2"] },
      { line: 5, cells: ["3", "4"] },
    ],
  });
});

test("any line end within quotes is one line", () => {
  const lines = readCsv('a\n"1\r2"\n"1\r\n2\n3"\n4', 10).records.map(({ line }) => line);
  expect(lines).toEqual([1, 2, 4, 7]);
});

test.each([
  ['a,b\n1,"2', 10, [1], { line: 2, message: "A quotation mark is not closed" }],
  ['a,b\n1,2\n"x\ny","z\n3,4', 10, [1, 2], { line: 4, message: "A quotation mark is not closed" }],
  [
    'a,b\n"x\ny"z,2',
    10,
    [1],
    { line: 2, message: "The quotation mark is closed on line 3 by one that has neither a separator nor the end of the line after it" },
  ],
  [
    'a\n"x"y',
    10,
    [1],
    { line: 2, message: "The quotation mark is closed by one that has neither a separator nor the end of the line after it" },
  ],
  ["a\n1\n2\n3", 3, [], { line: 4, message: "At most 3 lines with the heading" }],
  [`a,b\n1,2${"\n,".repeat(100_001)}`, 10, [], { line: 100_003, message: "Too many empty lines: delete them" }],
  [`a\n1\n${",".repeat(100)}`, 10, [1, 2], { line: 3, message: "At most 100 cells in a line" }],
])("%j is refused by its line, after what was read before", (text, most, lines, problem) => {
  const read = readCsv(text, most);
  expect([read.records.map(({ line }) => line), read.problem]).toEqual([lines, problem]);
});

test("an export with thousands of empty lines after its last one is read", () => {
  expect(readCsv(`a,b\n1,2${"\n,".repeat(50_000)}`, 10)).toEqual({
    records: [
      { line: 1, cells: ["a", "b"] },
      { line: 2, cells: ["1", "2"] },
    ],
  });
});

test("quotation marks without an end are found at once", () => {
  expect(readCsv(`a\n"${'""'.repeat(200_000)}`, 10).problem).toEqual({ line: 2, message: "A quotation mark is not closed" });
});
