import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bootPostgres, type EmbeddedPostgres } from "#db/embedded-postgres.ts";
import { silentLog } from "#lib/log.ts";
import { notifyLauncher } from "#lib/stop-signal.ts";
import { quickFolder } from "./quick-folder.ts";
import { templateDatabase } from "./test-database.ts";
import { testWorkers } from "./test-workers.ts";
import { migrate } from "#db/migrate.ts";
import { createPool, patientConnectTimeoutMs, type Pool } from "#db/pool.ts";

const prefix = "busbar-test-";
/** Longer than any run lasts. */
const leftAfterMs = 3 * 3_600_000;

/**
 * A real PostgreSQL for each worker, its template migrated once; every test file copies the template. Transactions of one file hold back
 * what another waits for on the same server, such as the oldest one that is open: so files that run at the same time have different servers.
 */
export default async function globalPostgres(project: TestProject): Promise<() => Promise<void>> {
  const place = await quickFolder();
  await removeLeft(place);
  const folder = await mkdtemp(join(place, prefix));
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

/** What runs left that were ended hard would stay in memory. */
async function removeLeft(place: string): Promise<void> {
  for (const name of await readdir(place)) {
    const path = join(place, name);
    // Another run may be removing it too, and another user's is theirs.
    const found = name.startsWith(prefix) ? await stat(path).catch(() => undefined) : undefined;
    if (found && found.mtimeMs < Date.now() - leftAfterMs) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function makeTemplate(postgres: EmbeddedPostgres): Promise<void> {
  const admin = createPool(postgres.url, { max: 1, connectTimeoutMs: patientConnectTimeoutMs });
  await admin.query(`create database ${templateDatabase}`);
  await admin.end();
  const template = createPool(postgres.databaseUrl(templateDatabase), { max: 1, connectTimeoutMs: patientConnectTimeoutMs });
  await migrate(template, silentLog);
  await noticeSilentChanges(template);
  await template.end();
}

/** Others follow these rows by the transaction that changed them: a change that does not say which it was is seen by no one. */
async function noticeSilentChanges(pool: Pool): Promise<void> {
  await pool.query(`create function notice_silent_change() returns trigger language plpgsql as $$
    begin
      raise exception 'a row of % was changed and keeps its changed_xid', tg_table_name;
    end $$`);
  for (const table of ["node_live", "node_verdict", "alarm"])
    await pool.query(`create trigger notice_silent_change before update on ${table} for each row
      when (new is distinct from old and new.changed_xid = old.changed_xid and new.changed_xid <> pg_current_xact_id())
      execute function notice_silent_change()`);
}
