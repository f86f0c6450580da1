import { createHash } from "node:crypto";
import type { Bill, BilledMonth, RegisteredBill } from "@busbar/contract/office/billing.ts";
import type { NewDownload } from "#features/files/download-admin/download-admin.service.ts";
import type { PoolClient } from "#db/pool.ts";
import type { Caller } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { conflict, notFound } from "#lib/errors.ts";
import { recordActivity } from "#shared/activities.store.ts";
import { billLines } from "./bill-lines.ts";
import type { BillRegisterStore } from "./bill-register.store.ts";
import { billedLocations, monthTerms } from "./billed-month.ts";
import type { BillingReadModel } from "./billing.read-model.ts";
import type { BillingSettings } from "./billing-settings.ts";
import { money } from "./money.ts";

export interface BillRegisterDependencies {
  store: BillRegisterStore;
  readModel: BillingReadModel;
  settings: () => Promise<BillingSettings>;
  clock: Clock;
  keepDownload: (client: PoolClient, download: NewDownload) => Promise<string>;
}

const pageSize = 100;

/** The bills that were made, in the order in which they were (decision 0020). */
export function createBillRegister({ store, readModel, settings, clock, keepDownload }: BillRegisterDependencies) {
  const download = (client: PoolClient, { userId }: Caller, number: number, pdf: Uint8Array) =>
    keepDownload(client, { userId, fileName: `invoice-${number}.pdf`, contentType: "application/pdf", content: pdf });

  return {
    nextNumber: () => store.nextNumber(),

    /** The bill's place in the register, and which others ask for some of its time. */
    async placeOf(paper: Omit<Bill, "number" | "billedAlready">): Promise<Pick<Bill, "number" | "billedAlready">> {
      const [number, billedAlready] = await Promise.all([store.numberOf(hashOf(paper)), store.billedAlready(paper)]);
      return { number, billedAlready: billedAlready.filter((other) => other.number !== number) };
    },

    /** Enters a bill with its file, records that it was made and returns the file's token; undefined when its number is taken by now. */
    enter: (caller: Caller, number: number, bill: Bill, pdf: Uint8Array): Promise<string | undefined> =>
      store.transaction(async (client) => {
        const { customerName, billToDate, paidThruDate, amountTotal, invoiceNumber } = bill;
        const entry = { number, madeAt: clock.now() / 1000, madeBy: caller.username, bill, contentHash: hashOf(bill), pdf };
        if (!(await store.insert(client, entry))) return undefined;
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "POST_BILL",
          object: customerName,
          description: `Bill ${number} of ${customerName} to ${billToDate}: ${money(amountTotal)}`,
          after: { number, customerName, paidThruDate, billToDate, invoiceNumber, amountTotal },
        });
        return await download(client, caller, number, pdf);
      }),

    /** The file as it was made; returns a token for one download. */
    async pdf(caller: Caller, number: number): Promise<string> {
      const pdf = await store.pdfOf(number);
      if (!pdf) throw notFound(`Bill ${number}`);
      return await store.transaction((client) => download(client, caller, number, pdf));
    },

    async list(before: number | undefined): Promise<{ bills: RegisteredBill[]; hasOlder: boolean }> {
      const bills = await store.list(before, pageSize + 1);
      return { bills: bills.slice(0, pageSize), hasOlder: bills.length > pageSize };
    },

    async makeVoid(caller: Caller, number: number, reason: string): Promise<RegisteredBill> {
      const before = await store.find(number);
      if (!before) throw notFound(`Bill ${number}`);
      const isDone = await store.transaction(async (client) => {
        if (!(await store.makeVoid(client, number, caller.username, clock.now() / 1000, reason))) return false;
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "VOID_BILL",
          object: before.customerName,
          description: `Bill ${number} of ${before.customerName} is void: ${reason}`,
          before: { number, voidReason: null },
          after: { number, voidReason: reason },
        });
        return true;
      });
      const after = await store.find(number);
      if (!isDone || !after) throw conflict(`Bill ${number} is void already`);
      return after;
    },

    /** For each organisation with locations in the month, how often they are billed for it. */
    async month(month: string): Promise<BilledMonth> {
      const terms = { ...monthTerms(month), voltaEnergy: false };
      const [{ rates }, organizations, billed] = await Promise.all([
        settings(),
        readModel.organizations(),
        store.linesOf(terms.paidThruDate, terms.billToDate),
      ]);
      const rows: BilledMonth["organizations"] = [];
      for (const { id, name } of organizations) {
        const items = billLines(await readModel.locations(id), rates, terms).billingFacilityItems;
        const due = items.flatMap(({ customerName, facilityName, billingLocationItems }) =>
          billingLocationItems.map((line) => ({ ...line, organizationId: id, organizationName: name, customerName, facilityName })),
        );
        // Whoever pays for a location now, another may have paid for its month.
        const ids = new Set(due.map(({ locationId }) => locationId));
        const lines = billed.filter((line) => line.organizationId === id || ids.has(line.locationId));
        const locations = billedLocations(month, due, lines);
        if (locations.length > 0) rows.push({ organizationId: id, name, locations });
      }
      const orphans = billed.filter(({ organizationId }) => organizationId === null);
      for (const [name, lines] of Map.groupBy(orphans, ({ organizationName }) => organizationName))
        rows.push({ organizationId: null, name, locations: billedLocations(month, [], lines) });
      return { month, organizations: rows };
    },
  };
}
export type BillRegister = ReturnType<typeof createBillRegister>;

/** Of what is on the paper. */
function hashOf(bill: Omit<Bill, "number" | "billedAlready">): Buffer {
  const { organizationId, vendor, customerName, paidThruDate, billToDate, voltaEnergy, amountTotal, billingFacilityItems } = bill;
  const { invoiceNumber, terms, vendorId, purchaseOrder } = bill;
  const from = [vendor.name, vendor.addressLine1, vendor.city, vendor.state, vendor.zipCode];
  const asked = [organizationId, customerName, paidThruDate, billToDate, voltaEnergy, invoiceNumber, terms, vendorId, purchaseOrder];
  return createHash("sha256")
    .update(JSON.stringify([from, asked, amountTotal, billingFacilityItems]))
    .digest();
}
