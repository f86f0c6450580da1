import type { Pool, PoolClient } from "pg";
import type { SecretsKey } from "#db/secrets-key.ts";
import { planned } from "#db/statement.ts";
import { forgetWrongTries } from "#shared/wrong-tries.store.ts";
import { openTotpSecret, readTotpKey, removeSecondFactor, writeRecoveryHashes, writeTotpSecret } from "#shared/totp-secret.store.ts";

export interface NewAdministrator {
  username: string;
  email: string;
  firstName: string;
  lastName: string;
  roles: string[];
  passwordHash: string;
  totpSecret: string;
}

export async function createAdministrator(
  client: PoolClient,
  key: SecretsKey,
  administrator: NewAdministrator,
  recoveryHashes: readonly Buffer[] = [],
): Promise<void> {
  const rows = await planned<{ id: number }>(client, "create-administrator", [
    administrator.username,
    administrator.email,
    administrator.firstName,
    administrator.lastName,
    administrator.passwordHash,
    administrator.roles,
  ])`
    insert into app_user (username, email, first_name, last_name, password_hash, is_administrator, roles)
    values ($1, $2, $3, $4, $5, true, $6) returning id`;
  const userId = rows[0]?.id ?? 0;
  await enrol(client, key, userId, administrator.totpSecret);
  await writeRecoveryHashes(client, userId, recoveryHashes);
}

/** TOTP secrets by username; accounts without one are absent. */
export async function findTotpSecrets(pool: Pool, key: SecretsKey, usernames: readonly string[]): Promise<Map<string, string>> {
  const totpKey = await readTotpKey(pool, key);
  const rows = await planned<{ id: number; username: string; secret: string }>(pool, "find-totp-secrets", [usernames])`
    select u.id, u.username, t.secret from user_totp t join app_user u on u.id = t.user_id where u.username = any($1)`;
  return new Map(rows.map(({ id, username, secret }) => [username, openTotpSecret(secret, totpKey, id)]));
}

/** A new secret replaces the old one at once, lifts a lock, and comes with new recovery codes. Returns whether the user exists. */
export async function replaceSecondFactor(
  client: PoolClient,
  key: SecretsKey,
  username: string,
  secret: string,
  recoveryHashes: readonly Buffer[],
): Promise<boolean> {
  const userId = await findUserId(client, username);
  if (userId === undefined) return false;
  await enrol(client, key, userId, secret);
  await writeRecoveryHashes(client, userId, recoveryHashes);
  await endSessions(client, userId, "second factor changed");
  return true;
}

/** Takes the second factor away and ends every session; undefined when there is no such user, else whether there was one. */
export async function resetSecondFactor(client: PoolClient, username: string): Promise<boolean | undefined> {
  const userId = await findUserId(client, username);
  if (userId === undefined) return undefined;
  const hadOne = await removeSecondFactor(client, userId);
  await endSessions(client, userId, "second factor reset");
  return hadOne;
}

async function enrol(client: PoolClient, key: SecretsKey, userId: number, secret: string): Promise<void> {
  await writeTotpSecret(client, await readTotpKey(client, key), { userId, secret, enrolledAt: Date.now() / 1000 });
}

export async function findUserId(client: PoolClient, username: string): Promise<number | undefined> {
  const rows = await planned<{ id: number }>(client, "find-user-id", [username])`
    select id from app_user where username = $1 for update`;
  return rows[0]?.id;
}

async function endSessions(client: PoolClient, userId: number, reason: string): Promise<void> {
  await planned(client, "end-sessions-of-user", [userId, reason])`
    update session set ends_at = now(), end_reason = $2 where user_id = $1 and (ends_at is null or ends_at > now())`;
}

/** Replaces an administrator's roles and ends every session, which has roles of its own. Returns those it had; undefined when there is no such administrator. */
export async function replaceRoles(client: PoolClient, username: string, roles: readonly string[]): Promise<string[] | undefined> {
  const rows = await planned<{ id: number; roles: string[] }>(client, "roles-of-administrator", [username])`
    select id, roles from app_user where username = $1 and is_administrator for update`;
  const user = rows[0];
  if (!user) return undefined;
  await planned(client, "replace-roles", [user.id, roles])`update app_user set roles = $2 where id = $1`;
  await endSessions(client, user.id, "roles changed");
  return user.roles;
}

/** Sets the password, ends every session and forgets failed sign-ins. Returns whether the user exists. */
export async function replacePassword(client: PoolClient, username: string, passwordHash: string): Promise<boolean> {
  const rows = await planned<{ id: number }>(client, "replace-password", [username, passwordHash])`
    update app_user set password_hash = $2 where username = $1 returning id`;
  const user = rows[0];
  if (!user) return false;
  await endSessions(client, user.id, "password changed");
  await forgetWrongTries(client, user.id);
  return true;
}
