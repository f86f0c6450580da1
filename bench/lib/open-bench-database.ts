import { join } from "node:path";
import { openDatabase } from "@busbar/server/db/database.ts";
import { createPool, patientConnectTimeoutMs, type Pool } from "@busbar/server/db/pool.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import type { BenchContext } from "./bench-context.ts";
import { fillMigrated } from "./migrated-folder.ts";

/** A migrated database of the benchmark's own, in this process's folder; it ends with the benchmark. */
export async function openBenchDatabase({ folder, undo }: BenchContext): Promise<Pool> {
  const dataDir = join(folder, "data");
  await fillMigrated(dataDir);
  const database = await openDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
  undo.add(() => database.stop(5_000));
  const pool = createPool(database.url, { max: 8, connectTimeoutMs: patientConnectTimeoutMs });
  undo.add(() => pool.end());
  return pool;
}
