import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase, postgresFolder } from "@busbar/server/db/database.ts";
import { migrate } from "@busbar/server/db/migrate.ts";
import { createPool, patientConnectTimeoutMs } from "@busbar/server/db/pool.ts";
import { silentLog } from "@busbar/server/lib/log.ts";

let made: Promise<string> | undefined;

/**
 * Puts a migrated, empty database into a data folder; one that is there stays. The first is made, which takes a second and a half;
 * others are copies of it.
 */
export async function fillMigrated(dataDir: string): Promise<void> {
  if (existsSync(postgresFolder(dataDir))) return;
  made ??= makeMigrated();
  const from = await made;
  mkdirSync(dataDir, { recursive: true });
  // Not Node's own copy: the files belong to whom the database runs as.
  execFileSync("cp", ["-a", `${from}/.`, dataDir]);
}

async function makeMigrated(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "busbar-bench-migrated-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const database = await openDatabase({ databaseUrl: undefined, dataDir: folder, log: silentLog });
  const pool = createPool(database.url, { max: 1, connectTimeoutMs: patientConnectTimeoutMs });
  try {
    await migrate(pool, silentLog);
  } finally {
    await pool.end();
    await database.stop();
  }
  return folder;
}
