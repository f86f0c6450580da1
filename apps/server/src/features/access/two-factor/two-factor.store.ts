import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { planned, prepared, preparedCount } from "#db/statement.ts";
import { inTransaction } from "#db/transaction.ts";
import { openTotpSecret, removeSecondFactor, sealTotpSecret, writeRecoveryHashes, writeTotpSecret } from "#shared/totp-secret.store.ts";

/** What is known of someone's second factor. Steps are TOTP time steps, times epoch seconds. */
export interface TotpState {
  secret: string;
  lastUsedStep: number;
  failedCount: number;
  lockedUntil: number | null;
  /** Hash of a recovery code that is used up by the change. */
  usedRecoveryHash?: Buffer;
}

export interface PendingEnrolment {
  secret: string;
  /** Epoch seconds. */
  createdAt: number;
}

/** @param key seals the secrets at rest */
export function createTwoFactorStore(pool: Pool, key: Uint8Array) {
  async function readState(client: PoolClient, userId: number): Promise<TotpState | undefined> {
    const rows = await prepared<TotpState>(client, "read-totp-state", [userId])`
      select secret, last_used_step::float8 as "lastUsedStep", failed_count as "failedCount",
        ${exactEpoch("locked_until")} as "lockedUntil"
      from user_totp where user_id = $1 for update`;
    return rows[0] && { ...rows[0], secret: openTotpSecret(rows[0].secret, key, userId) };
  }

  return {
    /**
     * Lets `decide` say what becomes of the state, while no one else can use or fail a code of the same person.
     * `decide` gets undefined for someone without a second factor, whose new state is not stored.
     */
    async change<T>(
      userId: number,
      recoveryHash: Buffer | undefined,
      decide: (state: TotpState | undefined, isRecoveryCodeRight: boolean) => { next: TotpState | undefined; result: T },
    ): Promise<T> {
      return await inTransaction(pool, async (client) => {
        const state = await readState(client, userId);
        const isRight = recoveryHash !== undefined && (await isUnusedRecoveryCode(client, userId, recoveryHash));
        const { next, result } = decide(state, isRight);
        if (next) await writeState(client, userId, next);
        return result;
      });
    },

    async find(userId: number): Promise<{ enrolledAt: number; recoveryCodesLeft: number } | undefined> {
      const rows = await planned<{ enrolledAt: number; recoveryCodesLeft: number }>(pool, "find-two-factor", [userId])`
        select ${exactEpoch("enrolled_at")} as "enrolledAt",
          (select count(*)::integer from recovery_code c where c.user_id = t.user_id and used_at is null) as "recoveryCodesLeft"
        from user_totp t where user_id = $1`;
      return rows[0];
    },

    async saveEnrolment(userId: number, { secret, createdAt }: PendingEnrolment): Promise<void> {
      await planned(pool, "save-totp-enrolment", [userId, sealTotpSecret(secret, key, userId), createdAt])`
        insert into user_totp_enrolment (user_id, secret, created_at) values ($1, $2, to_timestamp($3))
        on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at`;
    },

    async lockEnrolment(client: PoolClient, userId: number): Promise<PendingEnrolment | undefined> {
      const rows = await planned<PendingEnrolment>(client, "lock-totp-enrolment", [userId])`
        select secret, ${exactEpoch("created_at")} as "createdAt" from user_totp_enrolment where user_id = $1 for update`;
      return rows[0] && { ...rows[0], secret: openTotpSecret(rows[0].secret, key, userId) };
    },

    /** The pending secret becomes the person's own; the code that confirmed it is used up. */
    async enrol(client: PoolClient, userId: number, secret: string, usedStep: number, now: number): Promise<void> {
      await planned(client, "end-totp-enrolment", [userId])`delete from user_totp_enrolment where user_id = $1`;
      await writeTotpSecret(client, key, { userId, secret, usedStep, enrolledAt: now });
    },

    replaceRecoveryCodes: writeRecoveryHashes,
    remove: removeSecondFactor,
  };
}
export type TwoFactorStore = ReturnType<typeof createTwoFactorStore>;

async function isUnusedRecoveryCode(client: PoolClient, userId: number, hash: Buffer): Promise<boolean> {
  const rowCount = await preparedCount(client, "find-recovery-code", [userId, hash])`
    select from recovery_code where user_id = $1 and code_hash = $2 and used_at is null for update`;
  return rowCount === 1;
}

async function writeState(client: PoolClient, userId: number, state: TotpState): Promise<void> {
  await prepared(client, "write-totp-state", [userId, state.lastUsedStep, state.failedCount, state.lockedUntil])`
    update user_totp set last_used_step = $2, failed_count = $3, locked_until = to_timestamp($4) where user_id = $1`;
  if (state.usedRecoveryHash) {
    await planned(client, "use-recovery-code", [userId, state.usedRecoveryHash])`
      update recovery_code set used_at = now() where user_id = $1 and code_hash = $2`;
  }
}
