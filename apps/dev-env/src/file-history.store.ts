import { exactEpoch } from "@busbar/server/db/epoch-sql.ts";
import type { Pool } from "@busbar/server/db/pool.ts";
import { planned } from "@busbar/server/db/statement.ts";

/** The oldest data file of each node that has any, epoch seconds. */
export async function findOldestFiles(pool: Pool): Promise<Map<number, number>> {
  const rows = await planned<{ serial: number; oldest: number }>(pool, "demo-oldest-files")`
    select serial_number as serial, ${exactEpoch("min(ts)")} as oldest from data_file where kind in ('D', 'X') group by serial_number`;
  return new Map(rows.map(({ serial, oldest }) => [serial, oldest]));
}
