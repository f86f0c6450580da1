import { expect, test } from "vitest";
import { readSerials } from "./serial-list.ts";

test("serial numbers are read with any separators and in ranges", () => {
  expect(readSerials(" 10101,10102;10103\t10104\n10110 - 10112, ")).toEqual({
    serials: ["10101", "10102", "10103", "10104", "10110", "10111", "10112"],
  });
  expect(readSerials("10000-10199")).toMatchObject({ serials: { length: 200 } });
});

test.each([
  ["", "Enter at least one serial number"],
  [" ,;\n", "Enter at least one serial number"],
  ["10101, 1010", "1010 is no serial number: it has 5 digits, the first not 0"],
  ["01010", "01010 is no serial number: it has 5 digits, the first not 0"],
  ["10101-10102-10103", "10101-10102-10103 is no serial number: it has 5 digits, the first not 0"],
  ["10105-10101", "10105-10101 ends before it begins"],
  ["10101-10105 10103", "10103 is listed twice"],
  ["10000-10200", "At most 200 nodes at once"],
  ["10000-10199 20000", "At most 200 nodes at once"],
])("%j is refused: %s", (text, problem) => {
  expect(readSerials(text)).toEqual({ problem });
});
