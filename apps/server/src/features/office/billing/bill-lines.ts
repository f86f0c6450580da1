import type { BillingFacilityItem, BillingLocationItem, LeftOutLocation } from "@busbar/contract/office/billing.ts";
import { amountDue, dayBefore, duePeriod, yearsDue, type Day } from "./bill-period.ts";

export interface BillableLocation {
  locationId: number;
  locationName: string;
  facilityId: number;
  facilityName: string;
  customerName: string;
  isInternal: boolean;
  /** Of the primary node; null at a location without one. */
  serialNumber: string | null;
  deploymentStatus: string | null;
  deploymentDate: Day | null;
  billingStartDate: Day | null;
  billingEndDate: Day | null;
  paidThruDate: Day | null;
}

/** Cents a year. */
export interface BillingRates {
  deployed: number;
  preDeployment: number;
  /** Added to a Deployed node's rate when the bill includes energy. */
  energy: number;
}

export interface BillTerms {
  paidThruDate: Day;
  billToDate: Day;
  voltaEnergy: boolean;
}

export interface BillLines {
  billingFacilityItems: BillingFacilityItem[];
  leftOut: LeftOutLocation[];
  amountTotal: number;
}

/** Every location becomes a line or is left out with a reason; the locations come ordered as the bill shows them. */
export function billLines(locations: readonly BillableLocation[], rates: BillingRates, terms: BillTerms): BillLines {
  const items = new Map<number, BillingFacilityItem>();
  const leftOut: LeftOutLocation[] = [];
  let amountTotal = 0;
  for (const location of locations) {
    const { customerName, facilityId, facilityName, locationName, serialNumber } = location;
    const line = lineOf(location, rates, terms);
    if (typeof line === "string") {
      leftOut.push({ customerName, facilityName, locationName, serialNumber, reason: line });
      continue;
    }
    const facility = items.get(facilityId) ?? { facilityName, customerName, amountFacilityTotal: 0, billingLocationItems: [] };
    items.set(facilityId, facility);
    facility.billingLocationItems.push(line);
    facility.amountFacilityTotal += line.amountDue;
    amountTotal += line.amountDue;
  }
  return { billingFacilityItems: [...items.values()], leftOut, amountTotal };
}

/** The line, or why there is none. */
function lineOf(location: BillableLocation, rates: BillingRates, terms: BillTerms): BillingLocationItem | string {
  const { locationId, locationName, serialNumber, deploymentStatus, deploymentDate } = location;
  if (location.isInternal) return "Internal: not billed";
  if (serialNumber === null || deploymentStatus === null || deploymentDate === null) return "No node";
  const rateParts = ratePartsOf(deploymentStatus, rates, terms.voltaEnergy);
  if (!rateParts) return `The node is ${deploymentStatus}`;
  const amountPerYear = rateParts.reduce((sum, part) => sum + part.amountPerYear, 0);
  if (amountPerYear === 0) return `${deploymentStatus} costs nothing`;
  const paid = paidThru(location, terms);
  const billed = billThru(location, terms);
  if (billed.billThruDate <= paid.paidThruDate) return whyNothingIsDue(paid, billed);
  const period = duePeriod(paid.paidThruDate, billed.billThruDate);
  return {
    locationId,
    locationName,
    serialNumber,
    deploymentStatus,
    deploymentDate,
    ...paid,
    ...billed,
    yearsDue: yearsDue(period),
    ...period,
    rateParts,
    amountPerYear,
    amountDue: amountDue(amountPerYear, period),
  };
}

function ratePartsOf(status: string, rates: BillingRates, isWithEnergy: boolean): BillingLocationItem["rateParts"] | undefined {
  if (status === "Pre-Deployment") return [{ name: "Monitoring, Pre-Deployment", amountPerYear: rates.preDeployment }];
  if (status !== "Deployed") return undefined;
  const monitoring = { name: "Monitoring, Deployed", amountPerYear: rates.deployed };
  return isWithEnergy ? [monitoring, { name: "Energy", amountPerYear: rates.energy }] : [monitoring];
}

type Paid = Pick<BillingLocationItem, "paidThruDate" | "paidThruReason">;
type Billed = Pick<BillingLocationItem, "billThruDate" | "billThruReason">;

// A location's own date wins over the bill's; nothing is due before its billing begins.
function paidThru({ paidThruDate, billingStartDate }: BillableLocation, terms: BillTerms): Paid {
  const paid: Paid =
    paidThruDate === null ? { paidThruDate: terms.paidThruDate, paidThruReason: "bill" } : { paidThruDate, paidThruReason: "location" };
  const beforeStart = billingStartDate === null ? "" : dayBefore(billingStartDate);
  return beforeStart > paid.paidThruDate ? { paidThruDate: beforeStart, paidThruReason: "billing start" } : paid;
}

function billThru({ billingEndDate }: BillableLocation, { billToDate }: BillTerms): Billed {
  return billingEndDate !== null && billingEndDate < billToDate
    ? { billThruDate: billingEndDate, billThruReason: "billing end" }
    : { billThruDate: billToDate, billThruReason: "bill" };
}

function whyNothingIsDue({ paidThruDate, paidThruReason }: Paid, { billThruDate, billThruReason }: Billed): string {
  if (billThruReason === "billing end") return `Billing ended ${billThruDate}`;
  if (paidThruReason === "billing start") return `Billing begins after ${paidThruDate}`;
  return `Paid through ${paidThruDate}`;
}
