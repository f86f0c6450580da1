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

/** Runs `work` in a transaction of which nothing stays. */
export async function rolledBack(pool: Pool, work: (client: PoolClient) => Promise<void>): Promise<void> {
  const done = new Error("rolled back as intended");
  await inTransaction(pool, async (client) => {
    await work(client);
    throw done;
  }).catch((error: unknown) => {
    if (error !== done) throw error;
  });
}

/** Runs `work` within a transaction; after an error nothing of it stays, the transaction goes on, and the error is thrown on. */
export async function inSavepoint<T>(client: PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query("savepoint part");
  try {
    const result = await work();
    await client.query("release savepoint part");
    return result;
  } catch (error) {
    await client.query("rollback to savepoint part; release savepoint part");
    throw error;
  }
}

/** What a replica refuses to write: the next connection may lead to the primary. */
export const isReadOnly = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === "25006";

/** With someone who holds what this one waits for, and waits for what this one holds. */
export const isDeadlock = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === "40P01";

/** Raised by our own triggers, with a sentence for people. */
export const isRuleOfSchema = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === "BB409";
