import { join } from "node:path";
import { saveBillingOrganization } from "@busbar/server/admin/billing-organizations.store.ts";
import { createPool, databaseUrl, patientConnectTimeoutMs } from "@busbar/server/db/pool.ts";
import { embeddedUrl, socketFolder } from "@busbar/server/db/postgres-folder.ts";
import { inTransaction } from "@busbar/server/db/transaction.ts";
import { world } from "./fixtures.ts";

/** An organisation of one test alone that pays for these customers, as the command line makes it. */
export async function addPayer(name: string, codes: string[]): Promise<void> {
  const pool = createPool(databaseUrl(embeddedUrl(socketFolder(join(world().dataDir, "postgres"))), "busbar"), {
    max: 1,
    connectTimeoutMs: patientConnectTimeoutMs,
  });
  try {
    await inTransaction(pool, (client) => saveBillingOrganization(client, name, codes));
  } finally {
    await pool.end();
  }
}
