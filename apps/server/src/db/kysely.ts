import { Kysely, PostgresDialect } from "kysely";
import type { Pool } from "pg";

/** Kysely over the given pool; the pool stays its owner's. */
export function createKysely<Database>(pool: Pool): Kysely<Database> {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
