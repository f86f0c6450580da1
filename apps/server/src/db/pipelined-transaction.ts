import type { Pool, PoolClient } from "pg";
import { isReadOnly } from "./transaction.ts";

/**
 * Runs statements that do not need each other's results in one transaction, without waiting between them: on a pool with `pipeline` they
 * share one round trip. An error of any of them rolls all back and is thrown.
 * @param work starts every statement at once and returns their promises
 */
export async function inPipelinedTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>[]): Promise<T[]> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const statements = [client.query("begin"), ...work(client), client.query("commit")];
    const outcomes = await Promise.allSettled(statements);
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed) {
      // In a failed transaction the COMMIT became a ROLLBACK; without an answer to it the connection is lost.
      if (outcomes.at(-1)?.status === "rejected" || isReadOnly(failed.reason)) broken = failed.reason as Error;
      throw failed.reason;
    }
    return outcomes.slice(1, -1).map((outcome) => (outcome as PromiseFulfilledResult<T>).value);
  } catch (error) {
    if (broken === undefined && !(error as { severity?: string }).severity) broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}
