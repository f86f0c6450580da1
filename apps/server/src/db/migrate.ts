import { Migrator } from "kysely/migration";
import type { Pool } from "pg";
import type { Log } from "#lib/log.ts";
import { createKysely } from "./kysely.ts";
import { migrations } from "./migrations.ts";

/** Brings the schema up to date under the migrator's lock: of many processes that start together one migrates, the others wait. */
export async function migrate(pool: Pool, log: Log): Promise<void> {
  const migrator = new Migrator({ db: createKysely(pool), provider: { getMigrations: () => Promise.resolve(migrations) } });
  const { error, results } = await migrator.migrateToLatest();
  for (const result of results ?? []) log.info({ migration: result.migrationName, status: result.status }, "migration");
  if (error !== undefined)
    throw error instanceof Error ? error : new Error("The database schema could not be brought up to date", { cause: error });
}
