import type { Kysely } from "kysely";
import { sql } from "kysely";

const statements = [
  // Sparkplug's number of the datatype in which a node reported each value.
  `alter table node_config add column config_types jsonb not null default '{}'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
