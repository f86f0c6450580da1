import { expect, test } from "vitest";
import { addDays, dayLook, daySpanOf, daysIn, dayText, isHole, isMonday, kindOf, monthName, rowsOf } from "./coverage-days.ts";

test("the days end with the one in the address, or with today where that one is none, or still to come", () => {
  expect(daySpanOf("2026-11-10", "2026-11-22")).toEqual({ from: "2026-10-11", to: "2026-11-10" });
  for (const to of ["", "2026-02-30", "2026-11-22", "2026-11-23", "soon"])
    expect(daySpanOf(to, "2026-11-22", true)).toEqual({ from: "2026-11-09", to: "2026-11-22" });
});

test("days go on across months and leap days, and are named", () => {
  expect([addDays("2026-02-28", 1), addDays("2028-02-28", 1), addDays("2026-03-01", -1)]).toEqual([
    "2026-03-01",
    "2028-02-29",
    "2026-02-28",
  ]);
  expect(daysIn({ from: "2026-10-30", to: "2026-11-01" })).toEqual(["2026-10-30", "2026-10-31", "2026-11-01"]);
  expect([dayText("2026-11-22"), monthName("2026-01-31"), isMonday("2026-11-23"), isMonday("2026-11-22")]).toEqual([
    "Sun 22 Nov 2026",
    "Jan",
    true,
    false,
  ]);
});

test("a day says how much of it is missing", () => {
  expect(["w", "3", "M", "f"].map(dayLook).map(({ words, tenths }) => [words, tenths])).toEqual([
    ["whole", 0],
    ["up to 30 % missing", 3],
    ["all missing", 10],
    ["some failed", 0],
  ]);
  expect((["received", "late", "backfilled", "failed", "partly", "missing", "platform"] as const).filter(isHole)).toEqual([
    "failed",
    "partly",
    "missing",
    "platform",
  ]);
  expect([kindOf({ kind: "scalars" }), kindOf({ kind: "" }), kindOf({ kind: "H" })]).toEqual(["scalars", "D", "D"]);
});

test("a row has its place, and holes where anything is missing or failed; what the platform missed is none of the node", () => {
  const node = { serialNumber: "10001", place: 1, location: "Pump", days: "", missing: 3, askedTimestamp: undefined };
  const places = [
    { customer: "Alder", facility: "North", facilityId: 1 },
    { customer: "Birch", facility: "South", facilityId: 2 },
  ];
  const holes = ["w", ".", "p", "lb", "f", "M", "w1", "9"].map((days) => rowsOf({ nodes: [{ ...node, days }], places } as never)[0]!);
  expect(holes.map(({ hasHoles }) => hasHoles)).toEqual([false, false, false, false, true, true, true, true]);
  expect(holes[0]).toMatchObject({ serial: "10001", facility: "South", customer: "Birch", facilityId: 2, missing: 2700 });
});
