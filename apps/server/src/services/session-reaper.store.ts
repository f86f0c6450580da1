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

/** Forgets up to `limit` sign-in counters that no longer hold anybody back: those of names that are no account never would by themselves. */
export async function deleteIdleLoginAttempts(pool: Pool, before: number, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `/* delete-idle-login-attempts */ delete from login_attempt where account in (
       select a.account from login_attempt a left join app_user u on a.account in (u.username, lower(u.email))
       where a.window_started_at < to_timestamp($1) and u.id is null limit $2)`,
    [before, limit],
  );
  return rowCount ?? 0;
}
