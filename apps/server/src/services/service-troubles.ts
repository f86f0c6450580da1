import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#db/transaction.ts";
import { markTroubleTold, takeTroubles } from "./service-troubles.store.ts";
import type { TroubleRow } from "./service-troubles.store.ts";

/** A service that does not work, or works again. */
export type ServiceTrouble = Omit<TroubleRow, "isFailing"> & { state: "failing" | "works again" };
export type TellTrouble = (client: PoolClient, trouble: ServiceTrouble) => Promise<void>;

/** So many failures in a row are told, or failures over so long a time; and so long without one is told as the end of it. */
const toldFailures = 5;
const toldAfterSeconds = 900;

/** Each trouble is told once when it has lasted, and once when it has been over for as long: a service that comes and goes is no flood. */
export async function tellTroubles(pool: Pool, now: number, tell: TellTrouble): Promise<void> {
  const limits = { failures: toldFailures, before: now - toldAfterSeconds };
  if ((await takeTroubles(pool, limits)).length === 0) return;
  await inTransaction(pool, async (client) => {
    for (const { isFailing, ...trouble } of await takeTroubles(client, limits, "lock")) {
      await tell(client, { ...trouble, state: isFailing ? "failing" : "works again" });
      await markTroubleTold(client, trouble.name, isFailing ? now : null);
    }
  });
}
