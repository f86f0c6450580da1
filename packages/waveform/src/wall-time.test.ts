import { expect, test } from "vitest";
import { formatWallTime, parseWallTime, secondsBetween } from "./wall-time.ts";

const read = (date: string, time: string, isMonthFirst = false) => {
  const at = parseWallTime(date, time, isMonthFirst);
  return at && formatWallTime(at);
};

test.each([
  ["08/03/2024", "12:00:00.5", false, "2024-03-08 12:00:00.500000"],
  ["03/08/2024", "12:00:00.5", true, "2024-03-08 12:00:00.500000"],
  [" 8-3-2024 ", " 1:2:3 ", false, "2024-03-08 01:02:03.000000"],
  ["08.03.2024", "12:00:00,25", false, "2024-03-08 12:00:00.250000"],
  // A date that only makes sense the other way round.
  ["03/28/2024", "00:00:00", false, "2024-03-28 00:00:00.000000"],
  ["28/03/2024", "23:59:60", true, "2024-03-28 23:59:60.000000"],
  // Years of two digits.
  ["01/02/70", "00:00:00", false, "1970-02-01 00:00:00.000000"],
  ["01/02/99", "00:00:00", false, "1999-02-01 00:00:00.000000"],
  ["01/02/69", "00:00:00", false, "2069-02-01 00:00:00.000000"],
  ["01/02/00", "00:00:00", false, "2000-02-01 00:00:00.000000"],
])("%j %j, month first %s, is %s", (date, time, isMonthFirst, text) => {
  expect(read(date, time, isMonthFirst)).toBe(text);
});

test.each([
  ["", ""],
  ["08/03/2024", ""],
  ["08/03/024", "12:00:00"],
  ["30/02/2024", "12:00:00"],
  ["32/01/2024", "12:00:00"],
  ["13/13/2024", "12:00:00"],
  ["08/03/2024", "24:00:00"],
  ["08/03/2024", "12:60:00"],
  ["08/03/2024", "12:00:61"],
  ["08/03/2024", "noon"],
])("%j %j is no moment", (date, time) => {
  expect(read(date, time)).toBeUndefined();
});

test("nanoseconds are recognised by their digits, and differences cross minutes", () => {
  const [from, to] = ["12:00:59.999999999", "12:01:00.5"].map((time) => parseWallTime("08/03/2024", time, false)!);
  expect([from!.hasNanoseconds, to!.hasNanoseconds]).toEqual([true, false]);
  expect(secondsBetween(from!, to!)).toBeCloseTo(0.500000001, 9);
});
