import type { Pool } from "pg";
import { planned, plannedCount } from "#db/statement.ts";
import { inTransaction } from "#db/transaction.ts";
import { isNext } from "./queue-sql.ts";

const service = "SessionReaper";

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** Up to `limit` sessions whose life is over and that were not ended. */
export const findExpiredSessions = async (pool: Pool, now: number, limit: number, ids: readonly string[] | null): Promise<string[]> =>
  idsOf(
    await planned<{ id: string }>(pool, "expired-sessions", [now, limit, ids])`
      select id::text from session where ends_at is null and expires_at <= to_timestamp($1) and ${isNext(service, "session", "id::text", "$3")} limit $2`,
  );

/** A transaction: when it fails, its locks are gone before the same sessions are tried one by one. */
export const endSessions = (pool: Pool, ids: readonly string[]): Promise<number> =>
  inTransaction(pool, async (client) => {
    return await plannedCount(client, "end-expired-sessions", [ids])`
      update session set ends_at = expires_at, end_reason = 'expired'
      where id in (select id from session where id = any ($1::uuid[]) and ends_at is null for update skip locked)`;
  });

/** Up to `limit` sessions that expired before a time. */
export const findOldSessions = async (pool: Pool, before: number, limit: number, ids: readonly string[] | null): Promise<string[]> =>
  idsOf(
    await planned<{ id: string }>(pool, "old-sessions", [before, limit, ids])`
      select id::text from session where expires_at < to_timestamp($1) and ${isNext(service, "old session", "id::text", "$3")} order by expires_at limit $2`,
  );

export async function deleteSessions(pool: Pool, ids: readonly string[]): Promise<number> {
  return await plannedCount(pool, "delete-old-sessions", [ids])`delete from session where id = any ($1::uuid[])`;
}

/** Counts of wrong sign-ins that have faded away. */
export const findFadedTries = async (pool: Pool, before: number, limit: number, ids: readonly string[] | null): Promise<string[]> =>
  idsOf(
    await planned<{ id: string }>(pool, "faded-tries", [before, limit, ids])`
      select name as id from sign_in_tries where counted_at < to_timestamp($1) and ${isNext(service, "tries", "name", "$3")} limit $2`,
  );

export async function deleteTries(pool: Pool, names: readonly string[]): Promise<number> {
  return await plannedCount(pool, "delete-faded-tries", [names])`delete from sign_in_tries where name = any ($1::text[])`;
}

/** Devices with which no one has signed in for long. */
export const findUnusedDevices = async (pool: Pool, before: number, limit: number, ids: readonly string[] | null): Promise<string[]> =>
  idsOf(
    await planned<{ id: string }>(pool, "unused-devices", [before, limit, ids])`
      select id::text from known_device where last_used_at < to_timestamp($1) and ${isNext(service, "device", "id::text", "$3")} limit $2`,
  );

export async function deleteDevices(pool: Pool, ids: readonly string[]): Promise<number> {
  return await plannedCount(pool, "delete-unused-devices", [ids])`delete from known_device where id = any ($1::bigint[])`;
}
