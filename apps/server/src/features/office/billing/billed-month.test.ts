import { expect, test } from "vitest";
import { billedLocations, monthTerms } from "./billed-month.ts";

const of = (locationId: number, paidThruDate: string, billThruDate: string, billNumber = 0) => ({
  organizationId: 1,
  organizationName: "Alder",
  locationId,
  customerName: `Customer ${locationId}`,
  facilityName: `Facility ${locationId}`,
  locationName: `Location ${locationId}`,
  paidThruDate,
  billThruDate,
  billNumber,
});
const [begin, end] = ["2026-01-31", "2026-02-28"];

test("A-30 a month's time is that after the last day of the month before, up to its own last day", () => {
  expect(["2026-01", "2024-02", "2026-12"].map((month) => Object.values(monthTerms(month)))).toEqual([
    ["2025-12-31", "2026-01-31"],
    ["2024-01-31", "2024-02-29"],
    ["2026-11-30", "2026-12-31"],
  ]);
});

test.each<[string, string, [string, string][]]>([
  ["once", "in one bill", [[begin, end]]],
  [
    "once",
    "in two bills, the second from the day after the first",
    [
      [begin, "2026-02-10"],
      ["2026-02-10", end],
    ],
  ],
  ["once", "in a bill that also has days before and after", [["2026-01-10", "2026-03-05"]]],
  [
    "more than once",
    "where two bills share a day",
    [
      [begin, "2026-02-11"],
      ["2026-02-10", end],
    ],
  ],
  ["in part", "without its first day", [["2026-02-01", end]]],
  ["in part", "without its last day", [[begin, "2026-02-27"]]],
  [
    "in part",
    "without a day in between",
    [
      [begin, "2026-02-10"],
      ["2026-02-11", end],
    ],
  ],
  ["not", "without a bill", []],
])("A-30 a month is billed %s %s", (status, _how, bills) => {
  const billed = bills.map(([from, to], index) => of(7, from, to, 100 + index));
  expect(billedLocations("2026-02", [of(7, begin, end)], billed)).toEqual([
    {
      locationId: 7,
      customerName: "Customer 7",
      facilityName: "Facility 7",
      locationName: "Location 7",
      status,
      bills: billed.map(({ billNumber }) => billNumber),
    },
  ]);
});

test("A-30 only days that are due can be missing, and what is billed without need is there too", () => {
  const due = [of(1, "2026-02-14", end), of(2, begin, end)];
  const billed = [of(1, "2026-02-14", end, 101), of(3, begin, "2026-02-03", 102), of(3, "2026-02-02", "2026-02-03", 103)];
  const renamed = billed.map((line) => ({ ...line, locationName: `Once ${line.locationId}` }));
  const found = billedLocations("2026-02", due, renamed).map(({ locationId, locationName, status, bills }) => [
    locationId,
    locationName,
    status,
    bills,
  ]);
  expect(found.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
    [1, "Location 1", "once", [101]],
    [2, "Location 2", "not", []],
    [3, "Once 3", "more than once", [102, 103]],
  ]);
});
