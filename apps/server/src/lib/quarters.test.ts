import { expect, test } from "vitest";
import { firstQuarter, monthPlace, quarterOf, quartersOf } from "./quarters.ts";

const at = (text: string) => quarterOf(Date.parse(text) / 1000);
test.each([
  ["2026-01-01T00:00:00Z", "2026-01-01", 0],
  ["2026-01-01T00:14:59Z", "2026-01-01", 0],
  ["2026-01-01T00:15:00Z", "2026-01-01", 1],
  ["2026-01-31T23:59:59Z", "2026-01-01", 2_975],
  ["2026-02-28T23:45:00Z", "2026-02-01", 2_687],
  ["2028-02-29T00:00:00Z", "2028-02-01", 2_688],
])("%s is in %s at %d", (text, month, index) => {
  expect(monthPlace(at(text))).toEqual({ month, index });
  expect(firstQuarter(month) + index).toBe(at(text));
});

test.each([
  [900, 900, [1]],
  [900, 901, [1, 2]],
  [899, 2, [0, 1]],
  [899, 1, [0]],
  [900, 0, [1]],
  [1_799, 900, [1, 2]],
  [900, 2_700, [1, 2, 3]],
])("from %d for %d s: %j", (from, seconds, quarters) => expect(quartersOf(from, seconds)).toEqual(quarters));
