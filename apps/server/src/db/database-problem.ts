import type { Pool } from "pg";

const patienceMs = 2_000;

/** Why the database cannot be worked with now; undefined when it answers. */
export async function databaseProblem(pool: Pool): Promise<string | undefined> {
  try {
    // `query_timeout` is of the driver: a database that hangs does not end its statements either.
    await pool.query({ text: "/* answers */ select 1", query_timeout: patienceMs } as { text: string });
    return undefined;
  } catch {
    return "the database cannot be reached";
  }
}
