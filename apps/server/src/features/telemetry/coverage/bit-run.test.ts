import { expect, test } from "vitest";
import { countOnes, firstOne, hasBit, setBits } from "./bit-run.ts";

test("A-63 the bits that are set from one up to before another are counted, found and looked at one by one", () => {
  for (const [from, to] of [
    [0, 1],
    [7, 8],
    [8, 9],
    [3, 21],
    [23, 24],
    [5, 5],
  ] as const) {
    const bytes = new Uint8Array(3);
    setBits(bytes, from, to);
    const set = Array.from({ length: 24 }, (_, index) => index).filter((index) => hasBit(bytes, index));
    expect(set).toEqual(Array.from({ length: to - from }, (_, index) => from + index));
    expect([firstOne(bytes), countOnes(bytes, 0, 24)]).toEqual([set[0] ?? -1, set.length]);
    for (let start = 0; start < 24; start++)
      for (let end = start; end <= 24; end++)
        expect(countOnes(bytes, start, end)).toBe(set.filter((index) => index >= start && index < end).length);
  }
});
