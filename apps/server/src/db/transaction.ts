import type { Pool, PoolClient } from "pg";

/** Runs `work` in one transaction; an error rolls it back and is thrown on. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  } catch (error) {
    failure = error as Error;
    await client.query("rollback").catch((rollback: Error) => {
      failure = new Error(`${failure?.message}; and the rollback failed: ${rollback.message}`, { cause: error });
    });
    throw error;
  } finally {
    // A connection whose server went away, or became a replica, must not be used again.
    client.release(failure?.message.includes("rollback failed") || isReadOnly(failure) ? failure : undefined);
  }
}

/** What a replica refuses to write: the next connection may lead to the primary. */
export const isReadOnly = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === "25006";
