import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";

export interface LoginUser {
  id: number;
  username: string;
  name: string;
  passwordHash: string | null;
  isAdministrator: boolean;
  isActive: boolean;
  roles: string[];
}

export interface SessionRow {
  id: string;
  userId: number;
  username: string;
  name: string;
  roles: string[];
  isUserActive: boolean;
  /** Epoch seconds. */
  signedInAt: number;
  expiresAt: number;
  lastUsedAt: number;
  endsAt: number | null;
}

export interface NewSession {
  id: string;
  userId: number;
  roles: string[];
  signedInAt: number;
  issuedAt: number;
  expiresAt: number;
  remoteAddress: string;
  userAgent: string;
}

const userColumns = `u.id, u.username, trim(u.first_name || ' ' || u.last_name) as name, u.password_hash as "passwordHash",
  u.is_administrator as "isAdministrator", u.active_status = 'ACTIVE' as "isActive", u.roles`;

export function createSessionStore(pool: Pool) {
  return {
    async findLoginUser(login: { username?: string | undefined; email?: string | undefined }): Promise<LoginUser | undefined> {
      const byEmail = login.username === undefined;
      const { rows } = await pool.query<LoginUser>({
        name: byEmail ? "login-by-email" : "login-by-username",
        text: `/* login */ select ${userColumns} from app_user u where ${byEmail ? "lower(u.email) = lower($1)" : "u.username = lower($1)"}`,
        values: [byEmail ? login.email : login.username],
      });
      return rows[0];
    },

    async insertSession(session: NewSession): Promise<void> {
      await pool.query(insertSessionQuery(session));
    },

    /** Sessions by id, with what their user is now; unknown ids are absent. */
    async findSessions(ids: string[]): Promise<Map<string, SessionRow>> {
      const { rows } = await pool.query<SessionRow>({
        name: "find-sessions",
        text: `/* find-sessions */ select s.id, s.user_id as "userId", u.username, trim(u.first_name || ' ' || u.last_name) as name, s.roles,
                 u.active_status = 'ACTIVE' and u.is_administrator as "isUserActive",
                 extract(epoch from s.signed_in_at)::float8 as "signedInAt", extract(epoch from s.expires_at)::float8 as "expiresAt",
                 extract(epoch from s.last_used_at)::float8 as "lastUsedAt", extract(epoch from s.ends_at)::float8 as "endsAt"
               from session s join app_user u on u.id = s.user_id where s.id = any($1::uuid[])`,
        values: [ids],
      });
      return new Map(rows.map((row) => [row.id, row]));
    },

    async touchSession(id: string, now: number): Promise<void> {
      await pool.query({
        name: "touch-session",
        text: "/* touch-session */ update session set last_used_at = to_timestamp($2) where id = $1",
        values: [id, now],
      });
    },

    /** The new session replaces the old one, which still works until `graceEndsAt`. */
    async replaceSession(oldId: string, session: NewSession, graceEndsAt: number): Promise<void> {
      await inTransaction(pool, async (client) => {
        await client.query(insertSessionQuery(session));
        await client.query(
          `/* replace-session */ update session set ends_at = coalesce(ends_at, to_timestamp($2)), end_reason = coalesce(end_reason, 'refreshed'), replaced_by = coalesce(replaced_by, $3)
           where id = $1`,
          [oldId, graceEndsAt, session.id],
        );
      });
    },

    /** Ends this session and all that were refreshed from the same sign-in; returns their ids. */
    async endSignIn(id: string, now: number, reason: string): Promise<string[]> {
      const { rows } = await pool.query<{ id: string }>(
        `/* end-sign-in */ update session e set ends_at = least(coalesce(e.ends_at, 'infinity'), to_timestamp($2)), end_reason = $3
         from session s where s.id = $1 and e.user_id = s.user_id and e.signed_in_at = s.signed_in_at returning e.id`,
        [id, now, reason],
      );
      return rows.map((row) => row.id);
    },

    /** Ends all sessions of a user: suspended, deleted or with a new password. */
    async endSessionsOfUser(userId: number, now: number, reason: string): Promise<void> {
      await pool.query(
        `/* end-sessions-of-user */ update session set ends_at = to_timestamp($2), end_reason = $3
         where user_id = $1 and (ends_at is null or ends_at > to_timestamp($2))`,
        [userId, now, reason],
      );
    },

    /** Counts one failure; returns failures in the running minute and in a row. */
    async countFailedLogin(account: string, now: number): Promise<{ inWindow: number; inARow: number }> {
      const { rows } = await pool.query<{ inWindow: number; inARow: number }>({
        name: "count-failed-login",
        text: `/* count-failed-login */ insert into login_attempt as a (account, failed_count, window_started_at, consecutive_failures)
               values ($1, 1, to_timestamp($2), 1)
               on conflict (account) do update set
                 failed_count = case when a.window_started_at > to_timestamp($2) - interval '1 minute' then a.failed_count + 1 else 1 end,
                 window_started_at = case when a.window_started_at > to_timestamp($2) - interval '1 minute' then a.window_started_at else to_timestamp($2) end,
                 consecutive_failures = a.consecutive_failures + 1
               returning failed_count as "inWindow", consecutive_failures as "inARow"`,
        values: [account, now],
      });
      return rows[0] ?? { inWindow: 0, inARow: 0 };
    },

    async failedLogins(account: string, now: number): Promise<{ inWindow: number; inARow: number; windowEndsIn: number }> {
      const { rows } = await pool.query<{ inWindow: number; inARow: number; windowEndsIn: number }>({
        name: "failed-logins",
        text: `/* failed-logins */ select case when window_started_at > to_timestamp($2) - interval '1 minute' then failed_count else 0 end as "inWindow",
                 consecutive_failures as "inARow", 60 - ($2 - extract(epoch from window_started_at))::float8 as "windowEndsIn"
               from login_attempt where account = $1`,
        values: [account, now],
      });
      return rows[0] ?? { inWindow: 0, inARow: 0, windowEndsIn: 0 };
    },

    async forgetFailedLogins(account: string): Promise<void> {
      await pool.query({
        name: "forget-failed-logins",
        text: "/* forget-failed-logins */ delete from login_attempt where account = $1",
        values: [account],
      });
    },
  };
}
export type SessionStore = ReturnType<typeof createSessionStore>;

function insertSessionQuery(session: NewSession) {
  return {
    name: "insert-session",
    text: `/* insert-session */ insert into session (id, user_id, roles, is_administrator, signed_in_at, issued_at, expires_at, last_used_at, remote_address, user_agent)
           values ($1, $2, $3, true, to_timestamp($4), to_timestamp($5), to_timestamp($6), to_timestamp($5), $7, $8)`,
    values: [
      session.id,
      session.userId,
      session.roles,
      session.signedInAt,
      session.issuedAt,
      session.expiresAt,
      session.remoteAddress.slice(0, 64),
      session.userAgent.slice(0, 256),
    ],
  };
}
