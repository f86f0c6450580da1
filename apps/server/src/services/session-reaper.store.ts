import type { Pool } from "pg";

/** Marks up to `limit` sessions whose life is over; returns how many. */
export async function endExpiredSessions(pool: Pool, now: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `/* end-expired-sessions */ update session set ends_at = expires_at, end_reason = 'expired'
     where id in (select id from session where ends_at is null and expires_at <= to_timestamp($1) limit $2 for update skip locked)`,
    [now, limit],
  );
  return rowCount ?? 0;
}

/** Deletes up to `limit` sessions that expired before a time; returns how many. */
export async function deleteSessionsExpiredBefore(pool: Pool, before: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `/* delete-old-sessions */ delete from session where id in (select id from session where expires_at < to_timestamp($1) order by expires_at limit $2)`,
    [before, limit],
  );
  return rowCount ?? 0;
}

/** Forgets up to `limit` counts of wrong sign-ins that have faded away. */
export async function deleteFadedTries(pool: Pool, before: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `/* delete-faded-tries */ delete from sign_in_tries where name in (select name from sign_in_tries where counted_at < to_timestamp($1) limit $2)`,
    [before, limit],
  );
  return rowCount ?? 0;
}

/** Forgets up to `limit` devices with which nobody has signed in for long. */
export async function deleteUnusedDevices(pool: Pool, before: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    "/* delete-unused-devices */ delete from known_device where id in (select id from known_device where last_used_at < to_timestamp($1) limit $2)",
    [before, limit],
  );
  return rowCount ?? 0;
}
