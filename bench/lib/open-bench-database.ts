import { join } from "node:path";
import { openDatabase } from "@busbar/server/db/database.ts";
import { migrate } from "@busbar/server/db/migrate.ts";
import { createPool } from "@busbar/server/db/pool.ts";
import type { Pool } from "@busbar/server/db/pool.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import type { BenchContext } from "./bench-context.ts";

/** A migrated database of the benchmark's own, in this process's folder; it ends with the benchmark. */
export async function openBenchDatabase({ folder, undo }: BenchContext): Promise<Pool> {
  const database = await openDatabase({ databaseUrl: undefined, dataDir: join(folder, "data"), log: silentLog });
  undo.add(() => database.stop(5_000));
  const pool = createPool(database.url, { max: 8 });
  undo.add(() => pool.end());
  await migrate(pool, silentLog);
  return pool;
}
