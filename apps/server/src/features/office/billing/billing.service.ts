import type { Bill, BillingOrganization } from "@busbar/contract/office/billing.ts";
import type { Caller } from "#http/endpoints.ts";
import { conflict, invalid, notFound, tooManyRequests } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { billLines } from "./bill-lines.ts";
import type { BillRegister } from "./bill-register.service.ts";
import type { BillingSettings } from "./billing-settings.ts";
import { firstDifference } from "./first-difference.ts";
import type { BillingReadModel } from "./billing.read-model.ts";

/** What a bill is asked by. */
export type BillRequest = Pick<
  Bill,
  "organizationId" | "billToDate" | "paidThruDate" | "voltaEnergy" | "vendorId" | "purchaseOrder" | "terms" | "invoiceNumber"
>;

export interface BillingDependencies {
  readModel: BillingReadModel;
  settings: () => Promise<BillingSettings>;
  makePdf: (bill: Bill) => Promise<Uint8Array>;
  register: Pick<BillRegister, "nextNumber" | "placeOf" | "enter" | "pdf">;
}

// Each try is lost to another bill that was made meanwhile.
const mostTries = 25;

export function createBillingService({ readModel, settings, makePdf, register }: BillingDependencies) {
  async function organizations(): Promise<BillingOrganization[]> {
    const [list, { defaultOrganization }] = await Promise.all([readModel.organizations(), settings()]);
    return list.map((organization) => ({ ...organization, isDefault: organization.name === defaultOrganization }));
  }

  async function bill(request: BillRequest): Promise<Bill> {
    if (request.billToDate <= request.paidThruDate) throw invalid("billDate", say`Bill To is after Paid Thru`);
    const customerName = await readModel.organizationName(request.organizationId);
    if (customerName === undefined) throw notFound(say`Billing organization ${request.organizationId}`);
    const [{ vendor, rates }, locations] = await Promise.all([settings(), readModel.locations(request.organizationId)]);
    const paper = { ...request, vendor, customerName, ...billLines(locations, rates, request) };
    return { ...paper, ...(await register.placeOf(paper)) };
  }

  /**
   * Makes the bill of the server's own figures; one that differs from them is refused. Its number is read before it is computed and taken when
   * it is entered: when that works, no other bill was made in between, which could ask for the same days.
   */
  async function pdf(caller: Caller, claimed: Bill): Promise<string> {
    const { organizationId, billToDate, paidThruDate, voltaEnergy, vendorId, purchaseOrder, terms, invoiceNumber } = claimed;
    const request = { organizationId, billToDate, paidThruDate, voltaEnergy, vendorId, purchaseOrder, terms, invoiceNumber };
    for (let tries = 0; tries < mostTries; tries++) {
      const next = await register.nextNumber();
      const computed = await bill(request);
      const { number, billedAlready } = computed;
      if (number !== null) {
        refuseDifference(computed, { ...claimed, number, billedAlready });
        return await register.pdf(caller, number);
      }
      refuseDifference(computed, claimed);
      const token = await register.enter(caller, next, computed, await makePdf({ ...computed, number: next }));
      if (token !== undefined) return token;
    }
    throw tooManyRequests("Too many bills are being made at the moment. Please try again", 5);
  }

  return { organizations, bill, pdf };
}
export type BillingService = ReturnType<typeof createBillingService>;

function refuseDifference(computed: Bill, claimed: Bill): void {
  const difference = firstDifference(computed, claimed);
  if (difference === undefined) return;
  if (difference.startsWith("billedAlready")) throw conflict("What is billed already has changed meanwhile. Request the bill again");
  throw conflict(`This is not the bill that the server computes now: ${difference} differs. Request the bill again`);
}
