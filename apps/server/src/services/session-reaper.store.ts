import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import { isNext } from "./queue-sql.ts";

const service = "SessionReaper";

const idsOf = async (pool: Pool, text: string, values: unknown[]): Promise<string[]> =>
  (await pool.query<{ id: string }>(text, values)).rows.map(({ id }) => id);

/** Up to `limit` sessions whose life is over and that were not ended. */
export const findExpiredSessions = (pool: Pool, now: number, limit: number, ids: readonly string[] | null): Promise<string[]> =>
  idsOf(
    pool,
    `/* expired-sessions */ select id::text from session where ends_at is null and expires_at <= to_timestamp($1) and ${isNext(service, "session", "id::text", "$3")} limit $2`,
    [now, limit, ids],
  );

/** A transaction: when it fails, its locks are gone before the same sessions are tried one by one. */
export const endSessions = (pool: Pool, ids: readonly string[]): Promise<number> =>
  inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `/* end-expired-sessions */ update session set ends_at = expires_at, end_reason = 'expired'
       where id in (select id from session where id = any ($1::uuid[]) and ends_at is null for update skip locked)`,
      [ids],
    );
    return rowCount ?? 0;
  });

/** Up to `limit` sessions that expired before a time. */
export const findOldSessions = (pool: Pool, before: number, limit: number, ids: readonly string[] | null): Promise<string[]> =>
  idsOf(
    pool,
    `/* old-sessions */ select id::text from session where expires_at < to_timestamp($1) and ${isNext(service, "old session", "id::text", "$3")} order by expires_at limit $2`,
    [before, limit, ids],
  );

export async function deleteSessions(pool: Pool, ids: readonly string[]): Promise<number> {
  const { rowCount } = await pool.query("/* delete-old-sessions */ delete from session where id = any ($1::uuid[])", [ids]);
  return rowCount ?? 0;
}

/** Counts of wrong sign-ins that have faded away. */
export const findFadedTries = (pool: Pool, before: number, limit: number, ids: readonly string[] | null): Promise<string[]> =>
  idsOf(
    pool,
    `/* faded-tries */ select name as id from sign_in_tries where counted_at < to_timestamp($1) and ${isNext(service, "tries", "name", "$3")} limit $2`,
    [before, limit, ids],
  );

export async function deleteTries(pool: Pool, names: readonly string[]): Promise<number> {
  const { rowCount } = await pool.query("/* delete-faded-tries */ delete from sign_in_tries where name = any ($1::text[])", [names]);
  return rowCount ?? 0;
}

/** Devices with which no one has signed in for long. */
export const findUnusedDevices = (pool: Pool, before: number, limit: number, ids: readonly string[] | null): Promise<string[]> =>
  idsOf(
    pool,
    `/* unused-devices */ select id::text from known_device where last_used_at < to_timestamp($1) and ${isNext(service, "device", "id::text", "$3")} limit $2`,
    [before, limit, ids],
  );

export async function deleteDevices(pool: Pool, ids: readonly string[]): Promise<number> {
  const { rowCount } = await pool.query("/* delete-unused-devices */ delete from known_device where id = any ($1::bigint[])", [ids]);
  return rowCount ?? 0;
}
