import type { Pool } from "pg";

const patienceMs = 2_000;

/** It answers, and takes nothing. */
export class ReadOnlyReplica extends Error {
  constructor() {
    super("the database is a read-only replica: DATABASE_URL must lead to the primary");
  }
}

/** Why the database cannot be worked with now; undefined when it answers. */
export async function databaseProblem(pool: Pool): Promise<string | undefined> {
  try {
    // `query_timeout` is of the driver: a database that hangs does not end its statements either.
    const { rows } = await pool.query<{ isReplica: boolean }>({
      text: `/* answers */ select pg_is_in_recovery() as "isReplica"`,
      query_timeout: patienceMs,
    } as { text: string });
    return rows[0]?.isReplica ? new ReadOnlyReplica().message : undefined;
  } catch {
    return "the database cannot be reached";
  }
}
