import type { BillingLocationItem } from "@busbar/contract/office/billing.ts";
import { expect, test } from "vitest";
import { explainLine } from "./explain-line.ts";

const line: BillingLocationItem = {
  locationId: 1,
  locationName: "Feed Pump 1",
  serialNumber: "10101",
  deploymentStatus: "Deployed",
  deploymentDate: "2024-02-01",
  paidThruDate: "2025-01-31",
  paidThruReason: "location",
  billThruDate: "2026-03-03",
  billThruReason: "bill",
  yearsDue: 1.085,
  wholeYears: 1,
  extraDays: 31,
  daysOfYear: 365,
  rateParts: [{ name: "Node", amountPerYear: 180_000 }],
  amountPerYear: 180_000,
  amountDue: 195_288,
};

test("a line says its rate, its time with where both ends come from, and their product", () => {
  expect(explainLine(line)).toEqual([
    "Rate: Node $1,800.00 a year (Deployed since 2024-02-01).",
    "Time: 1 year and 31 of 365 days, from the day after 2025-01-31 (the location's own date) to 2026-03-03 (Bill To of this bill).",
    "$1,800.00 × 1 year and 31 of 365 days = $1,952.88.",
  ]);
});

test("parts of a rate are added, and a time of whole years, of days, and of nothing read so", () => {
  const rateParts = [...line.rateParts, { name: "Analytics", amountPerYear: 20_000 }];
  expect(explainLine({ ...line, rateParts, amountPerYear: 200_000 })[0]).toBe(
    "Rate: Node $1,800.00 + Analytics $200.00 = $2,000.00 a year (Deployed since 2024-02-01).",
  );
  const timeOf = (wholeYears: number, extraDays: number) => explainLine({ ...line, wholeYears, extraDays })[2]?.split(" = ")[0];
  expect([timeOf(2, 0), timeOf(0, 31), timeOf(0, 0)]).toEqual(["$1,800.00 × 2 years", "$1,800.00 × 31 of 365 days", "$1,800.00 × 0 years"]);
  const ends = explainLine({ ...line, paidThruReason: "billing start", billThruReason: "billing end" })[1];
  expect(ends).toContain("(its billing begins the day after) to 2026-03-03 (its billing ends then)");
  expect(explainLine({ ...line, paidThruReason: "bill" })[1]).toContain("(Paid Thru of this bill)");
});
