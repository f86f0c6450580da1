import type { Pool } from "pg";
import { planned } from "./statement.ts";
import { inTransaction } from "./transaction.ts";

const lockNotAvailable = "55P03";

/**
 * Drops the partitions of a table that have such names. One whose table is in use for long is left for another time: who waits for it
 * would keep everyone else waiting. @returns the dropped partitions' names
 */
export async function dropPartitions(
  pool: Pool,
  parent: "scalar" | "sensor_data" | "trend_minute" | "trend_quarter",
  isExpired: (name: string) => boolean,
): Promise<string[]> {
  const rows = await planned<{ name: string }>(pool, "list-partitions", [parent])`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass order by 1`;
  const dropped: string[] = [];
  for (const { name } of rows) {
    if (!/^[a-z_]+_\d{6,8}$/.test(name) || !isExpired(name)) continue;
    try {
      await inTransaction(pool, async (client) => {
        await planned(client, "wait-briefly")`set local lock_timeout = '2s'`;
        await planned(client, "drop-partition")`drop table ${name}`;
      });
      dropped.push(name);
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable) throw error;
    }
  }
  return dropped;
}
