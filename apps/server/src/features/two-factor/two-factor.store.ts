import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#db/transaction.ts";

/** What is known of somebody's second factor. Steps are TOTP time steps, times epoch seconds. */
export interface TotpState {
  secret: string;
  lastUsedStep: number;
  failedCount: number;
  lockedUntil: number | null;
}

export function createTwoFactorStore(pool: Pool) {
  return {
    /**
     * Lets `decide` say what becomes of the state, while nobody else can use or fail a code of the same person.
     * `decide` gets undefined for somebody without a second factor, whose new state is not stored.
     */
    async change<T>(userId: number, decide: (state: TotpState | undefined) => { next: TotpState | undefined; result: T }): Promise<T> {
      return await inTransaction(pool, async (client) => {
        const { next, result } = decide(await readState(client, userId));
        if (next) await writeState(client, userId, next);
        return result;
      });
    },
  };
}
export type TwoFactorStore = ReturnType<typeof createTwoFactorStore>;

async function readState(client: PoolClient, userId: number): Promise<TotpState | undefined> {
  const { rows } = await client.query<TotpState>({
    name: "read-totp-state",
    text: `/* read-totp-state */ select secret, last_used_step::float8 as "lastUsedStep", failed_count as "failedCount",
             extract(epoch from locked_until)::float8 as "lockedUntil"
           from user_totp where user_id = $1 for update`,
    values: [userId],
  });
  return rows[0];
}

async function writeState(client: PoolClient, userId: number, state: TotpState): Promise<void> {
  await client.query({
    name: "write-totp-state",
    text: `/* write-totp-state */ update user_totp set last_used_step = $2, failed_count = $3, locked_until = to_timestamp($4) where user_id = $1`,
    values: [userId, state.lastUsedStep, state.failedCount, state.lockedUntil],
  });
}
