import type { PoolClient } from "pg";
import { prepared } from "#db/statement.ts";
import type { RecordedChange } from "#lib/changed-meanwhile.ts";

/** What was recorded of an object since it had the given revision, oldest first. */
export async function readChangesSince(client: PoolClient, object: string, revision: number): Promise<RecordedChange[]> {
  return await prepared<RecordedChange>(client, "changes-since", [object, revision])`select actor, before, after from activity
    where object = $1 and object <> '' and before ? 'revision' and after ? 'revision' and (before->>'revision')::int >= $2 order by id`;
}
