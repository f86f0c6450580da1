import type { Pool } from "pg";

const isWindowRunning = "a.window_started_at > to_timestamp($2) - interval '1 minute'";

/** Tries of sign-in by entry: what a person typed as username or e-mail, in small letters. */
export function createLoginAttemptStore(pool: Pool) {
  return {
    /** Counts one try as failed; false, and nothing counted, when the limits are reached. */
    async count(entry: string, now: number, limits: { perMinute: number; inARow: number }): Promise<boolean> {
      const { rowCount } = await pool.query({
        name: "count-login-attempt",
        text: `/* count-login-attempt */ insert into login_attempt as a (account, failed_count, window_started_at, consecutive_failures)
               values ($1, 1, to_timestamp($2), 1)
               on conflict (account) do update set
                 failed_count = case when ${isWindowRunning} then a.failed_count + 1 else 1 end,
                 window_started_at = case when ${isWindowRunning} then a.window_started_at else to_timestamp($2) end,
                 consecutive_failures = a.consecutive_failures + 1
               where a.consecutive_failures < $4 and (not ${isWindowRunning} or a.failed_count < $3)`,
        values: [entry, now, limits.perMinute, limits.inARow],
      });
      return rowCount === 1;
    },

    async giveBack(entry: string): Promise<void> {
      await pool.query({
        name: "give-back-login-attempt",
        text: `/* give-back-login-attempt */ update login_attempt set failed_count = greatest(0, failed_count - 1),
                 consecutive_failures = greatest(0, consecutive_failures - 1) where account = $1`,
        values: [entry],
      });
    },

    async find(entry: string, now: number): Promise<{ inARow: number; windowEndsIn: number }> {
      const { rows } = await pool.query<{ inARow: number; windowEndsIn: number }>({
        name: "login-attempts",
        text: `/* login-attempts */ select consecutive_failures as "inARow",
                 60 - ($2 - extract(epoch from window_started_at))::float8 as "windowEndsIn"
               from login_attempt where account = $1`,
        values: [entry, now],
      });
      return rows[0] ?? { inARow: 0, windowEndsIn: 0 };
    },

    async forget(entry: string): Promise<void> {
      await pool.query({
        name: "forget-login-attempts",
        text: "/* forget-login-attempts */ delete from login_attempt where account = $1",
        values: [entry],
      });
    },
  };
}
export type LoginAttemptStore = ReturnType<typeof createLoginAttemptStore>;
