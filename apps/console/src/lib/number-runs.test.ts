import { expect, test } from "vitest";
import { addressOf, readNumbers } from "./number-runs.ts";

test("numbers are in an address in their order, those that follow each other as one, each once", () => {
  expect(addressOf(["10205", "10102", "10101", "10103", "10101", "9999", "10207"])).toBe("9999.10101-10103.10205.10207");
  expect(addressOf([])).toBe("");
  expect(readNumbers("10101-10103.10205").numbers).toEqual(["10101", "10102", "10103", "10205"]);
});

test.each([
  ["10101..10102.", ["10101", "10102"], []],
  ["10103-10101", [], ["10103-10101"]],
  ["10101-10101", ["10101"], []],
  ["x.10101-x.x-10101.10102", ["10102"], ["x", "10101-x", "x-10101"]],
  // Serial numbers have five digits.
  ["1-9", [], ["1-9"]],
])("what is none of the address %s is said", (address, numbers, wrong) => {
  expect(readNumbers(address)).toEqual({ numbers, wrong });
});

test("other numbers than serial numbers may be named, and not more of them in one run than a hundred thousand", () => {
  expect(readNumbers("7-9.0", /^[1-9]\d*$/)).toEqual({ numbers: ["7", "8", "9"], wrong: ["0"] });
  expect([readNumbers("1-100000", /^\d+$/).numbers.length, readNumbers("1-100001", /^\d+$/).wrong]).toEqual([100_000, ["1-100001"]]);
});
