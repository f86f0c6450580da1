import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { bootPostgres } from "#db/embedded-postgres.ts";
import type { EmbeddedPostgres } from "#db/embedded-postgres.ts";
import { silentLog } from "#lib/log.ts";
import { templateDatabase } from "./test-database.ts";
import { migrate } from "#db/migrate.ts";
import { createPool } from "#db/pool.ts";

/** One real PostgreSQL for the whole run, its template migrated once; every test file copies the template. */
export default async function globalPostgres(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "busbar-test-"));
  const postgres = await bootPostgres({
    dataDir: join(folder, "postgres"),
    log: silentLog,
    settings: { fsync: "off", max_connections: "300" },
  });
  const stop = async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await makeTemplate(postgres);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide("postgresUrl", postgres.url);
  return stop;
}

async function makeTemplate(postgres: EmbeddedPostgres): Promise<void> {
  const admin = createPool(postgres.url, { max: 1 });
  await admin.query(`create database ${templateDatabase}`);
  await admin.end();
  const template = createPool(postgres.databaseUrl(templateDatabase), { max: 1 });
  await migrate(template, silentLog);
  await template.end();
}
