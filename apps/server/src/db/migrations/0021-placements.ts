import { sql } from "kysely";
import type { Kysely } from "kysely";

// Where a node was before: asked for when it retires, by the plots of its files, and by the deletion of the node.
const statements = [`create index node_placement_node on node_placement (serial_number, id desc)`];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
