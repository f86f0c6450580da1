import { inflateSync } from "node:zlib";
import type { Bill } from "@busbar/contract/billing.ts";
import { expect, test } from "vitest";
import { renderBillPdf } from "./bill-pdf.ts";

const letterWidth = 612;
const sideMargin = 36;

/** How far from the left edge each piece of text begins. */
function textStarts(pdf: Uint8Array): number[] {
  const bytes = Buffer.from(pdf);
  const starts: number[] = [];
  for (let at = bytes.indexOf("stream\n"); at >= 0; at = bytes.indexOf("stream\n", bytes.indexOf("endstream", at) + 10)) {
    const end = bytes.indexOf("\nendstream", at);
    const isPage = !/\/(Subtype|Length1|Type)/.test(bytes.toString("latin1", Math.max(0, at - 60), at));
    if (!isPage) continue;
    const drawn = inflateSync(bytes.subarray(at + 7, end)).toString("latin1");
    starts.push(...[...drawn.matchAll(/^1 0 0 1 (-?[\d.]+) -?[\d.]+ Tm$/gm)].map(([, x]) => Number(x)));
  }
  return starts;
}

const line = (locationName: string): Bill["billingFacilityItems"][number]["billingLocationItems"][number] => ({
  locationId: 1,
  locationName,
  serialNumber: "10801",
  deploymentStatus: "Pre-Deployment",
  deploymentDate: "2026-10-12",
  paidThruDate: "2026-12-31",
  paidThruReason: "bill",
  billThruDate: "2027-12-31",
  billThruReason: "bill",
  yearsDue: 1.5027,
  wholeYears: 1,
  extraDays: 183,
  daysOfYear: 365,
  rateParts: [],
  amountPerYear: 180_000,
  amountDue: 270_492,
});

test("names without a blank are broken: no column is pushed off the page", async () => {
  const word = "UPPER_VALLEY_RECLAMATION_".repeat(5).slice(0, 120);
  const bill: Bill = {
    organizationId: 1,
    vendor: { name: word, addressLine1: word, city: word, state: "ZZ", zipCode: "00000" },
    paidThruDate: "2026-12-31",
    invoiceNumber: word.slice(0, 60),
    terms: word.slice(0, 60),
    vendorId: "",
    purchaseOrder: "",
    customerName: word,
    billToDate: "2027-12-31",
    voltaEnergy: false,
    amountTotal: 270_492,
    billingFacilityItems: [
      { facilityName: word, customerName: word, amountFacilityTotal: 270_492, billingLocationItems: [line(word), line("Pump 2")] },
    ],
    leftOut: [{ customerName: word, facilityName: word, locationName: word, serialNumber: null, reason: "No node" }],
  };
  const starts = textStarts(await renderBillPdf(bill));
  expect(starts.length).toBeGreaterThan(40);
  expect(Math.min(...starts)).toBeGreaterThanOrEqual(sideMargin);
  expect(Math.max(...starts)).toBeLessThan(letterWidth - sideMargin);
});
