import { expect, test } from "vitest";
import { findsFor } from "./palette-finds.ts";

const paths = (typed: string) => findsFor(typed).map(({ path }) => path);

test("nothing typed finds nothing", () => {
  expect(paths("  ")).toEqual([]);
});

test("a text filters the lists, whatever it holds", () => {
  const filter = "?filterText=Pump%20%231%26x";
  expect(paths(" Pump #1&x ")).toEqual([`/node-dashboard${filter}`, `/nodes${filter}`, `/customers${filter}`, `/users${filter}`]);
});

test("a serial number leads to its node and all that is of it too", () => {
  expect(paths("10102").slice(0, -4)).toEqual([
    "/nodes/10102",
    "/node-dashboard/10102/files?dataInterval=900",
    "/events?text=10102",
    "/trends?series=10102:current",
    "/nodes/10102/tasks",
  ]);
  expect(paths("101")).toHaveLength(4);
});
