import type { PoolClient } from "pg";

export interface RecordedChange {
  actor: string;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/** What was recorded of a thing since it had the given revision, oldest first. */
export async function readChangesSince(client: PoolClient, object: string, revision: number): Promise<RecordedChange[]> {
  const { rows } = await client.query<RecordedChange>({
    name: "changes-since-revision",
    text: `/* changes-since-revision */ select actor, before, after from activity
           where object = $1 and object <> '' and before ? 'revision' and after ? 'revision' and (before->>'revision')::int >= $2 order by id`,
    values: [object, revision],
  });
  return rows;
}
