import { describe, expect, test } from "vitest";
import { nextFrom, previousFrom, readFrom } from "./paging.ts";

describe("FEE-03 paging", () => {
  test.each([
    [1, 10, 100, 11],
    [1, 10, 12, 11],
    [1, 10, 11, 1], // from + count is at least total
    [1, 10, 10, 1],
    [91, 10, 100, 91],
    [1, 10, 0, 1],
  ])("next of %d with %d of %d is %d", (from, count, total, next) => {
    expect(nextFrom({ from, count, total })).toBe(next);
  });
  test.each([
    [1, 1],
    [11, 1],
    [5, 1],
    [31, 21],
  ])("previous of %d is %d", (from, previous) => {
    expect(previousFrom({ from, count: 10, total: 100 })).toBe(previous);
  });
  test.each([
    ["", 1],
    ["0", 1],
    ["-5", 1],
    ["x", 1],
    ["1e3", 1],
    ["21", 21],
  ])("the address's %j is %d", (text, from) => {
    expect(readFrom(text)).toBe(from);
  });
});
