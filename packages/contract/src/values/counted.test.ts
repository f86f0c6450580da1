import { expect, test } from "vitest";
import { counted } from "./counted.ts";

test.each([
  [0, "node", "0 nodes"],
  [1, "facility", "1 facility"],
  [2, "facility", "2 facilities"],
  [2, "day", "2 days"],
  [12_000, "key", "12,000 keys"],
])("%d of %s is %s", (count, noun, text) => expect(counted(count, noun)).toBe(text));

test("with a verb both forms are given", () => {
  expect([1, 2].map((count) => counted(count, "node is", "nodes are"))).toEqual(["1 node is", "2 nodes are"]);
});
