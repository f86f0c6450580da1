import { sql } from "kysely";
import type { Kysely } from "kysely";

// Nodes whose loss of connection was told and whose return was not yet.
const statement = `create table connection_loss (
  serial_number integer primary key references node (serial_number) on delete cascade,
  lost_at timestamptz not null,
  told_at timestamptz not null
)`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(statement).execute(db);
}
