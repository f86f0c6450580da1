import { chmod, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bootPostgres, type EmbeddedPostgres } from "#db/embedded-postgres.ts";
import { silentLog } from "#lib/log.ts";
import { notifyLauncher } from "#lib/stop-signal.ts";
import { quickFolder } from "./quick-folder.ts";
import { templateDatabase } from "./test-database.ts";
import { testWorkers } from "./test-workers.ts";
import { migrate } from "#db/migrate.ts";
import { createPool, patientConnectTimeoutMs } from "#db/pool.ts";

/**
 * A real PostgreSQL for each worker, its template migrated once; every test file copies the template. Transactions of one file hold back
 * what another waits for on the same server, such as the oldest one that is open: so files that run at the same time have different servers.
 */
export default async function globalPostgres(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(await quickFolder(), "busbar-test-"));
  // Some test a database of another user, who must get through.
  await chmod(folder, 0o711);
  // The tests' own folders too: it is what their processes are started with.
  process.env["TMPDIR"] = folder;
  const started: EmbeddedPostgres[] = [];
  const stop = async () => {
    await Promise.all(started.map((postgres) => postgres.stop()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for (let worker = 1; worker <= testWorkers; worker++) {
      const dataDir = join(folder, `postgres-${worker}`);
      // Of a run that is ended hard it would stay.
      notifyLauncher(dataDir);
      const postgres = await bootPostgres({
        dataDir,
        log: silentLog,
        // What only a crash needs costs each copy of the template a tenth of a second. What tidies up by itself at any moment has
        // transactions too, the oldest of which others wait for.
        settings: { fsync: "off", full_page_writes: "off", wal_compression: "off", autovacuum: "off", max_connections: "300" },
      });
      started.push(postgres);
      await makeTemplate(postgres);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide(
    "postgresUrls",
    started.map(({ url }) => url),
  );
  return stop;
}

async function makeTemplate(postgres: EmbeddedPostgres): Promise<void> {
  const admin = createPool(postgres.url, { max: 1, connectTimeoutMs: patientConnectTimeoutMs });
  await admin.query(`create database ${templateDatabase}`);
  await admin.end();
  const template = createPool(postgres.databaseUrl(templateDatabase), { max: 1, connectTimeoutMs: patientConnectTimeoutMs });
  await migrate(template, silentLog);
  await template.end();
}
