import type { Bill, BillingOrganization } from "@busbar/contract/billing.ts";
import type { Caller } from "#http/endpoints.ts";
import { conflict, invalid, notFound } from "#lib/errors.ts";
import { billLines } from "./bill-lines.ts";
import type { BillingRates } from "./bill-lines.ts";
import { firstDifference } from "./first-difference.ts";
import type { BillingReadModel } from "./billing.read-model.ts";

export interface BillingSettings {
  vendor: Bill["vendor"];
  rates: BillingRates;
  /** Name of the organisation that the form begins with. */
  defaultOrganization: string;
}

/** What a bill is asked by. */
export type BillRequest = Pick<
  Bill,
  "organizationId" | "billToDate" | "paidThruDate" | "voltaEnergy" | "vendorId" | "purchaseOrder" | "terms" | "invoiceNumber"
>;

export interface BillingDependencies {
  readModel: BillingReadModel;
  settings: () => Promise<BillingSettings>;
  makePdf: (bill: Bill) => Promise<Uint8Array>;
  /** Keeps the file for one download by this person, records the bill, and returns the token. */
  keepPdf: (caller: Caller, bill: Bill, pdf: Uint8Array) => Promise<string>;
}

export function createBillingService({ readModel, settings, makePdf, keepPdf }: BillingDependencies) {
  async function organizations(): Promise<BillingOrganization[]> {
    const [list, { defaultOrganization }] = await Promise.all([readModel.organizations(), settings()]);
    return list.map((organization) => ({ ...organization, isDefault: organization.name === defaultOrganization }));
  }

  async function bill(request: BillRequest): Promise<Bill> {
    if (request.billToDate <= request.paidThruDate) throw invalid("billDate", "Bill To is after Paid Thru");
    const customerName = await readModel.organizationName(request.organizationId);
    if (customerName === undefined) throw notFound(`Billing organization ${request.organizationId}`);
    const [{ vendor, rates }, locations] = await Promise.all([settings(), readModel.locations(request.organizationId)]);
    return { ...request, vendor, customerName, ...billLines(locations, rates, request) };
  }

  /** The file is made of the server's own figures; a bill that differs from them is refused. */
  async function pdf(caller: Caller, claimed: Bill): Promise<string> {
    const { organizationId, billToDate, paidThruDate, voltaEnergy, vendorId, purchaseOrder, terms, invoiceNumber } = claimed;
    const computed = await bill({ organizationId, billToDate, paidThruDate, voltaEnergy, vendorId, purchaseOrder, terms, invoiceNumber });
    const difference = firstDifference(computed, claimed);
    if (difference !== undefined)
      throw conflict(`This is not the bill that the server computes now: ${difference} differs. Request the bill again`);
    return keepPdf(caller, computed, await makePdf(computed));
  }

  return { organizations, bill, pdf };
}
export type BillingService = ReturnType<typeof createBillingService>;
