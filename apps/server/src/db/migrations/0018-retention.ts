import { sql } from "kysely";
import type { Kysely } from "kysely";

const statements = [
  // Whether any row still has these bytes. Four bytes an entry, where a tree would keep the whole hash.
  `create index data_file_content on data_file using hash (content_hash)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
