import { counted } from "@busbar/contract/values/counted.ts";
import type { BillingLocationItem } from "@busbar/contract/office/billing.ts";
import { formatMoney } from "#lib/format-money.ts";

const paidWords: Record<BillingLocationItem["paidThruReason"], string> = {
  location: "the location's own date",
  bill: "Paid Thru of this bill",
  "billing start": "its billing begins the day after",
};
const billedWords: Record<BillingLocationItem["billThruReason"], string> = {
  bill: "Bill To of this bill",
  "billing end": "its billing ends then",
};

/** How an amount comes about: rate x time, by status, in sentences. */
export function explainLine(line: BillingLocationItem): string[] {
  const { rateParts, amountPerYear, wholeYears, extraDays, daysOfYear } = line;
  const parts = rateParts.map((part) => `${part.name} ${formatMoney(part.amountPerYear)}`).join(" + ");
  const rate = rateParts.length > 1 ? `${parts} = ${formatMoney(amountPerYear)}` : parts;
  const time = [
    ...(wholeYears > 0 || extraDays === 0 ? [counted(wholeYears, "year")] : []),
    ...(extraDays > 0 ? [`${extraDays} of ${daysOfYear} days`] : []),
  ].join(" and ");
  return [
    `Rate: ${rate} a year (${line.deploymentStatus} since ${line.deploymentDate}).`,
    `Time: ${time}, from the day after ${line.paidThruDate} (${paidWords[line.paidThruReason]}) to ${line.billThruDate} (${billedWords[line.billThruReason]}).`,
    `${formatMoney(amountPerYear)} × ${time} = ${formatMoney(line.amountDue)}.`,
  ];
}
