import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { planned, prepared, preparedCount } from "#db/statement.ts";
import { timelineSql } from "#db/timeline-sql.ts";
import { holdOffNewSessions } from "#shared/session-owner.store.ts";
import { inTransaction } from "#db/transaction.ts";

export interface LoginUser {
  id: number;
  username: string;
  name: string;
  passwordHash: string | null;
  isAdministrator: boolean;
  isActive: boolean;
  roles: string[];
  hasTwoFactor: boolean;
}

export interface SessionRow {
  id: string;
  userId: number;
  username: string;
  name: string;
  /** Roles of the sign-in that the user still has. */
  roles: string[];
  /** Roles that the user has now: a refresh takes them. */
  userRoles: string[];
  isUserActive: boolean;
  hasTwoFactor: boolean;
  isDemoUser: boolean;
  mustChangePassword: boolean;
  /** Epoch seconds. */
  signedInAt: number;
  issuedAt: number;
  expiresAt: number;
  lastUsedAt: number;
  endsAt: number | null;
  endReason: string | null;
  replacedBy: string | null;
}

/** Whose sessions have changed: what to ask with the next time, and in which history of the database. */
export interface SessionChanges {
  xid: string;
  /** Null on a read-only replica. */
  timeline: string | null;
  userIds: number[];
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
  u.is_administrator as "isAdministrator", u.active_status = 'ACTIVE' as "isActive", u.roles,
  exists (select from user_totp t where t.user_id = u.id) as "hasTwoFactor"`;

export function createSessionStore(pool: Pool) {
  return {
    /** @param entry username or e-mail in small letters: folded by the caller alone, so that one spelling has one counter */
    async findLoginUser(kind: "username" | "email", entry: string): Promise<LoginUser | undefined> {
      const rows = await prepared<LoginUser>(pool, `login-by-${kind}`, [entry])`
        select ${userColumns} from app_user u where ${kind === "email" ? "lower(u.email)" : "u.username"} = $1`;
      return rows[0];
    },

    /**
     * Undefined when the user was suspended, deleted or given another password since it was looked at. Ends the oldest sign-ins beyond `most`;
     * returns the ids of their sessions, and what `alsoDo` does in the same transaction.
     */
    async insertSession<T>(
      session: NewSession,
      passwordHash: string,
      { most, idleSeconds, alsoDo }: { most: number; idleSeconds: number; alsoDo: (client: PoolClient) => Promise<T> },
    ): Promise<{ ended: string[]; done: T } | undefined> {
      return await inTransaction(pool, async (client) => {
        const rowCount = await preparedCount(client, "may-still-sign-in", [session.userId, passwordHash])`select from app_user
          where id = $1 and password_hash = $2 and active_status = 'ACTIVE' and is_administrator for no key update`;
        if (rowCount !== 1) return undefined;
        await insertSession(client, await apart(client, session));
        const rows = await prepared<{ id: string }>(client, "end-oldest-sign-ins", [session.userId, session.issuedAt, most, idleSeconds])`
          update session set ends_at = to_timestamp($2), end_reason = 'too many'
          where user_id = $1 and (ends_at is null or ends_at > to_timestamp($2)) and signed_in_at in (
            select signed_in_at from session where user_id = $1 and expires_at > to_timestamp($2)
              and (ends_at is null or ends_at > to_timestamp($2)) and last_used_at > to_timestamp($2 - $4::float8)
            group by signed_in_at order by signed_in_at desc offset $3) returning id`;
        return { ended: rows.map(({ id }) => id), done: await alsoDo(client) };
      });
    },

    /** Sessions by id, with what their user is now; unknown ids are absent. */
    async findSessions(ids: string[]): Promise<Map<string, SessionRow>> {
      const rows = await prepared<SessionRow>(pool, "find-sessions", [ids])`
        select s.id, s.user_id as "userId", u.username, trim(u.first_name || ' ' || u.last_name) as name,
          array(select unnest(s.roles) intersect select unnest(u.roles)) as roles, u.roles as "userRoles",
          u.active_status = 'ACTIVE' and u.is_administrator as "isUserActive",
          exists (select from user_totp t where t.user_id = u.id) as "hasTwoFactor",
          u.demo_user as "isDemoUser", u.must_change_password as "mustChangePassword",
          ${exactEpoch("s.signed_in_at")} as "signedInAt", ${exactEpoch("s.expires_at")} as "expiresAt",
          ${exactEpoch("s.last_used_at")} as "lastUsedAt", ${exactEpoch("s.ends_at")} as "endsAt",
          s.end_reason as "endReason", s.replaced_by as "replacedBy", ${exactEpoch("s.issued_at")} as "issuedAt"
        from session s join app_user u on u.id = s.user_id where s.id = any($1::uuid[])`;
      return new Map(rows.map((row) => [row.id, row]));
    },

    /**
     * Users whose sessions, account or second factor changed in transactions that had not ended at the time of an earlier answer; none without one
     * (decision 0055). That a session was used is no change.
     */
    async findChanges(sinceXid: string | undefined): Promise<SessionChanges> {
      const rows = await prepared<SessionChanges>(pool, "session-changes", [sinceXid ?? null])`
        select pg_snapshot_xmin(pg_current_snapshot())::text as xid, ${timelineSql} as timeline,
          array(select distinct user_id from session_change where xid >= $1::text::xid8) as "userIds"`;
      const [changes] = rows;
      if (!changes) throw new Error("The database gave no watermark");
      return changes;
    },

    async touchSession(id: string, now: number): Promise<void> {
      await prepared(pool, "touch-session", [id, now])`update session set last_used_at = to_timestamp($2) where id = $1`;
    },

    /**
     * The new session replaces the old one, which still works until `graceEndsAt` and gives the same successor until then.
     * Undefined when the old one has ended meanwhile.
     */
    async replaceSession(oldId: string, session: NewSession, graceEndsAt: number): Promise<string | undefined> {
      return await inTransaction(pool, async (client) => {
        await planned(client, "hold-session-owner", [session.userId])`select from app_user where id = $1 for share`;
        const rows = await planned<{ replacedBy: string | null }>(client, "lock-replaced-session", [oldId, session.issuedAt])`
          select replaced_by as "replacedBy" from session
          where id = $1 and (ends_at is null or ends_at > to_timestamp($2)) for update`;
        const [old] = rows;
        if (!old || old.replacedBy !== null) return old?.replacedBy ?? undefined;
        await planned(client, "replace-session", [oldId, graceEndsAt, session.id])`
          update session set ends_at = to_timestamp($2), end_reason = 'refreshed', replaced_by = $3 where id = $1`;
        await insertSession(client, session);
        return session.id;
      });
    },

    /** Ends this session and all that were refreshed from the same sign-in; returns their ids. */
    async endSignIn(userId: number, id: string, now: number, reason: string): Promise<string[]> {
      return await inTransaction(pool, async (client) => {
        await holdOffNewSessions(client, userId);
        const rows = await planned<{ id: string }>(client, "end-sign-in", [id, now, reason])`
          update session e set ends_at = least(coalesce(e.ends_at, 'infinity'), to_timestamp($2)), end_reason = $3
          from session s where s.id = $1 and e.user_id = s.user_id and e.signed_in_at = s.signed_in_at returning e.id`;
        return rows.map((row) => row.id);
      });
    },

    /** Ends the sessions of a user, but not those of the sign-in that `exceptId` belongs to; returns their ids. */
    async endSessionsOfUser(client: PoolClient, userId: number, now: number, reason: string, exceptId?: string): Promise<string[]> {
      await holdOffNewSessions(client, userId);
      const rows = await planned<{ id: string }>(client, "end-sessions-of-user", [userId, now, reason, exceptId ?? null])`
        update session set ends_at = to_timestamp($2), end_reason = $3
        where user_id = $1 and (ends_at is null or ends_at > to_timestamp($2))
          and ($4::uuid is null or signed_in_at <> (select signed_in_at from session where id = $4)) returning id`;
      return rows.map((row) => row.id);
    },
  };
}
export type SessionStore = ReturnType<typeof createSessionStore>;

/** A moment of its own: all sessions of a sign-in are known by it. The user's row is locked. */
async function apart(client: PoolClient, session: NewSession): Promise<NewSession> {
  const rows = await prepared<{ latest: number | null }>(client, "latest-sign-in", [session.userId])`
    select ${exactEpoch("max(signed_in_at)")} as latest from session where user_id = $1`;
  const latest = rows[0]?.latest ?? 0;
  return latest < session.signedInAt ? session : { ...session, signedInAt: latest + 0.000_01 };
}

async function insertSession(client: PoolClient, session: NewSession): Promise<void> {
  await prepared(client, "insert-session", [
    session.id,
    session.userId,
    session.roles,
    session.signedInAt,
    session.issuedAt,
    session.expiresAt,
    session.remoteAddress.slice(0, 64),
    session.userAgent.slice(0, 256),
  ])`
    insert into session (id, user_id, roles, is_administrator, signed_in_at, issued_at, expires_at, last_used_at, remote_address, user_agent)
    values ($1, $2, $3, true, to_timestamp($4), to_timestamp($5), to_timestamp($6), to_timestamp($5), $7, $8)`;
}
