import { expect, test } from "vitest";
import { createBoundedMap } from "./bounded-map.ts";

test("the oldest entry goes when it is full; writing one again makes it the newest, reading does not", () => {
  const map = createBoundedMap<string, number>(3);
  for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) map.set(key, value);
  expect(["a", "b", "c"].map((key) => map.get(key))).toEqual([1, 2, 3]);
  map.set("a", 4);
  map.get("b");
  map.set("d", 5);
  expect(["a", "b", "c", "d"].map((key) => map.get(key))).toEqual([4, undefined, 3, 5]);
  expect([map.delete("c"), map.delete("c")]).toEqual([true, false]);
  map.set("e", 6);
  expect(["a", "d", "e"].map((key) => map.get(key))).toEqual([4, 5, 6]);
  map.clear();
  expect(map.get("e")).toBeUndefined();
});
