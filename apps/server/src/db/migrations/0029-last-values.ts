import { sql } from "kysely";
import type { Kysely } from "kysely";

const statements = [
  // A node may send only what changed: each of the last values has a time of its own (epoch milliseconds, in the order of the values).
  `alter table node_live add column last_scalar_times text not null default ''`,
  `alter table node_live add column oldest_value_at timestamptz`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
