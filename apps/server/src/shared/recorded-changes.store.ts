import type { PoolClient } from "pg";
import type { RecordedChange } from "#lib/changed-meanwhile.ts";

/** What was recorded of an object since it had the given revision, oldest first. */
export async function readChangesSince(client: PoolClient, object: string, revision: number): Promise<RecordedChange[]> {
  const { rows } = await client.query<RecordedChange>({
    name: "changes-since",
    text: `select actor, before, after from activity
           where object = $1 and object <> '' and before ? 'revision' and after ? 'revision' and (before->>'revision')::int >= $2 order by id`,
    values: [object, revision],
  });
  return rows;
}
