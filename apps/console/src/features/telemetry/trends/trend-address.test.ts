import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "#lib/search-codec.ts";
import { droppedOf, searchOfView, viewOfSearch, type TrendView } from "./trend-address.ts";

test("the whole view is in the address, and comes back from it", () => {
  const view: TrendView = {
    series: [
      { serialNumber: "10604", quantity: "current" },
      { serialNumber: "10605", quantity: "powerFactor" },
    ],
    range: { from: 1_793_509_200, to: 1_793_599_200 },
    clock: "utc",
    compare: "week",
    isTable: true,
    hidden: ["10605:powerFactor"],
    unit: "A",
    show: "profile",
    unmarked: ["event", "outage"],
  };
  const address = stringifySearch(searchOfView(view));
  expect(viewOfSearch(parseSearch(address))).toEqual(view);
});

test("what is as it is at first makes no address longer", () => {
  const view = viewOfSearch({ series: "10604:current" });
  expect(view).toEqual({
    series: [{ serialNumber: "10604", quantity: "current" }],
    range: { last: 604_800 },
    clock: "place",
    compare: undefined,
    isTable: false,
    hidden: [],
    unit: "",
    show: "time",
    unmarked: [],
  });
  expect(stringifySearch(searchOfView(view))).toBe("?series=10604%3Acurrent");
  expect(stringifySearch(searchOfView(viewOfSearch({})))).toBe("");
});

test("what means nothing is left out, what is there twice is once, and no more than twelve are shown", () => {
  const series = (text: string) => viewOfSearch({ series: text }).series.map(({ serialNumber, quantity }) => `${serialNumber}:${quantity}`);
  expect(series("10604:current,10604:current,1:current,10604:wisdom,10604:constructor,,:,10605")).toEqual(["10604:current"]);
  expect(series(Array.from({ length: 30 }, (_, index) => `${10_001 + index}:current`).join(","))).toHaveLength(12);
  const odd = viewOfSearch({
    series: 7,
    range: "soon",
    clock: "moon",
    compare: "decade",
    hidden: "10604:current",
    table: "yes",
    show: "constructor",
    unmarked: "moon,events,noteworthy",
  });
  expect(odd).toEqual(viewOfSearch({}));
});

test("what is left out of an address is said: unknown quantities, what is no series, the thirteenth, a range that is none", () => {
  const most = Array.from({ length: 13 }, (_, index) => `${10_001 + index}:current`).join(",");
  expect(droppedOf({ series: `10604:wisdom,10605,${most},10001:current`, range: "5-3" })).toEqual([
    "the quantity “wisdom”, which there is not",
    "the series “10605:”, which is none",
    "10013:current, as 12 series are the most",
    "the range “5-3”",
  ]);
  expect(droppedOf({ series: Array.from({ length: 99 }, (_, index) => `${index}:x`).join(",") })).toHaveLength(5);
  expect(droppedOf(searchOfView(viewOfSearch({ series: most, range: "yesterday", clock: "moon" })))).toEqual([]);
});
