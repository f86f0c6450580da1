import { openSealedText, sealText } from "#lib/sealed-text.ts";
import type { SecretsKey } from "#db/secrets-key.ts";
import { planned, plannedCount, type Db } from "#db/statement.ts";
import { systemSecret } from "#db/system-secret.store.ts";

const ownerOf = (userId: number): string => `totp of user ${userId}`;

/** The key that seals TOTP secrets at rest. */
export const readTotpKey = (db: Db, key: SecretsKey): Promise<Uint8Array> => systemSecret(db, "totp-key", key);

export const sealTotpSecret = (secret: string, key: Uint8Array, userId: number): string => sealText(secret, key, ownerOf(userId));

export const openTotpSecret = (stored: string, key: Uint8Array, userId: number): string => openSealedText(stored, key, ownerOf(userId));

/** A new secret replaces the old one at once and lifts a lock; codes up to `usedStep` count as used. Times in epoch seconds. */
export async function writeTotpSecret(
  client: Db,
  key: Uint8Array,
  enrolment: { userId: number; secret: string; usedStep?: number; enrolledAt: number },
): Promise<void> {
  const { userId, secret, usedStep = 0, enrolledAt } = enrolment;
  await planned(client, "write-totp-secret", [userId, sealTotpSecret(secret, key, userId), usedStep, enrolledAt])`
    insert into user_totp (user_id, secret, enrolled_at, last_used_step) values ($1, $2, to_timestamp($4), $3)
    on conflict (user_id) do update set secret = excluded.secret, enrolled_at = excluded.enrolled_at, last_used_step = excluded.last_used_step,
      failed_count = 0, locked_until = null`;
}

/** Void the old recovery codes and keep the hashes of new ones. */
export async function writeRecoveryHashes(client: Db, userId: number, hashes: readonly Buffer[]): Promise<void> {
  await planned(client, "forget-recovery-codes", [userId])`delete from recovery_code where user_id = $1`;
  await planned(client, "insert-recovery-codes", [userId, hashes])`
    insert into recovery_code (user_id, code_hash) select $1, unnest($2::bytea[])`;
}

/** Takes everything of a second factor away; whether there was one. */
export async function removeSecondFactor(client: Db, userId: number): Promise<boolean> {
  await planned(client, "end-totp-enrolment", [userId])`delete from user_totp_enrolment where user_id = $1`;
  await planned(client, "forget-recovery-codes", [userId])`delete from recovery_code where user_id = $1`;
  return (await plannedCount(client, "remove-totp", [userId])`delete from user_totp where user_id = $1`) === 1;
}
