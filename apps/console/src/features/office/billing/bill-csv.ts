import type { Bill } from "@busbar/contract/office/billing.ts";
import { lineColumns } from "./bill-paper.tsx";

/** Every line with its customer and facility, and the total; then what was left out. */
export function billLines({ billingFacilityItems, leftOut, amountTotal }: Bill): (string | number | null)[][] {
  const blanks = (count: number) => Array.from({ length: count }, () => "");
  return [
    ["Customer", "Facility", ...lineColumns.map(({ label }) => label), "Left Out Because"],
    ...billingFacilityItems.flatMap(({ customerName, facilityName, billingLocationItems }) =>
      billingLocationItems.map((line) => [customerName, facilityName, ...lineColumns.map(({ text }) => text(line)), ""]),
    ),
    ...leftOut.map((row) => [row.customerName, row.facilityName, row.locationName, row.serialNumber ?? "", ...blanks(7), row.reason]),
    ["Total", ...blanks(9), amountTotal / 100, ""],
  ];
}
