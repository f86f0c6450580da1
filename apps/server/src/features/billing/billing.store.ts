import type { Bill } from "@busbar/contract/billing.ts";
import type { Pool } from "pg";
import type { NewActivity } from "#features/activities/activities.store.ts";
import type { NewDownload } from "#features/download-admin/download-admin.service.ts";
import { inTransaction } from "#db/transaction.ts";
import type { PoolClient } from "#db/pool.ts";
import type { Caller } from "#http/endpoints.ts";

export interface BillingStoreDependencies {
  pool: Pool;
  keepDownload: (client: PoolClient, download: NewDownload) => Promise<string>;
  recordActivity: (client: PoolClient, activity: NewActivity) => Promise<void>;
}

/** Keeps a bill's file and records that it was made, both or none. */
export function createBillKeeper({ pool, keepDownload, recordActivity }: BillingStoreDependencies) {
  return (caller: Caller, bill: Bill, pdf: Uint8Array): Promise<string> =>
    inTransaction(pool, async (client) => {
      const { customerName, billToDate, paidThruDate, amountTotal, invoiceNumber } = bill;
      await recordActivity(client, {
        actorType: "User",
        actor: caller.username,
        action: "POST_BILL",
        object: customerName,
        description: `Bill of ${customerName} to ${billToDate}: ${(amountTotal / 100).toFixed(2)}`,
        after: { customerName, paidThruDate, billToDate, invoiceNumber, amountTotal },
      });
      return keepDownload(client, {
        userId: caller.userId,
        fileName: `bill-${bill.organizationId}-${billToDate}.pdf`,
        contentType: "application/pdf",
        content: pdf,
      });
    });
}
