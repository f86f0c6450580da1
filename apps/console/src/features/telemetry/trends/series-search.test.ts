import { expect, test } from "vitest";
import { splitSearch } from "./series-search.ts";

test("words of a quantity after those of a machine say what of it", () => {
  expect(splitSearch("Kiln 2 fan current")).toEqual({ machine: "Kiln 2 fan", quantities: ["current", "current1", "current2", "current3"] });
  expect(splitSearch("10604 curr phase 2").quantities[0]).toBe("current2");
  expect(splitSearch("10604 powerf")).toEqual({ machine: "10604 powerf", quantities: [] });
  expect(splitSearch("pump power").quantities[0]).toBe("powerKw");
  expect(splitSearch("pump line frequency")).toEqual({ machine: "pump", quantities: ["lineFrequency"] });
});

test("a machine that is called like a quantity is found, and a number is no order of harmonics", () => {
  expect(splitSearch("Power")).toEqual({ machine: "Power", quantities: [] });
  expect(splitSearch("  Kiln   2 ")).toEqual({ machine: "Kiln 2", quantities: [] });
  expect(splitSearch("")).toEqual({ machine: "", quantities: [] });
});
