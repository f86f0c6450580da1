import { sql } from "kysely";
import type { Kysely } from "kysely";

const statements = [
  // Event files have a parser of their own.
  `drop index data_file_pending`,
  `create index data_file_pending on data_file (received_at) where processed is null and extracted_at is null and kind <> 'E'`,
  `create index data_file_event_pending on data_file (received_at) where processed is null and kind = 'E'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
