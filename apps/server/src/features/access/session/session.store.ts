import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
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
      const { rows } = await pool.query<LoginUser>({
        name: `login-by-${kind}`,
        text: `select ${userColumns} from app_user u where ${kind === "email" ? "lower(u.email)" : "u.username"} = $1`,
        values: [entry],
      });
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
        const { rowCount } = await client.query({
          name: "may-still-sign-in",
          text: `select from app_user
                 where id = $1 and password_hash = $2 and active_status = 'ACTIVE' and is_administrator for no key update`,
          values: [session.userId, passwordHash],
        });
        if (rowCount !== 1) return undefined;
        await client.query(insertSessionQuery(await apart(client, session)));
        const { rows } = await client.query<{ id: string }>({
          name: "end-oldest-sign-ins",
          text: `update session set ends_at = to_timestamp($2), end_reason = 'too many'
                 where user_id = $1 and (ends_at is null or ends_at > to_timestamp($2)) and signed_in_at in (
                   select signed_in_at from session where user_id = $1 and expires_at > to_timestamp($2)
                     and (ends_at is null or ends_at > to_timestamp($2)) and last_used_at > to_timestamp($2 - $4::float8)
                   group by signed_in_at order by signed_in_at desc offset $3) returning id`,
          values: [session.userId, session.issuedAt, most, idleSeconds],
        });
        return { ended: rows.map(({ id }) => id), done: await alsoDo(client) };
      });
    },

    /** Sessions by id, with what their user is now; unknown ids are absent. */
    async findSessions(ids: string[]): Promise<Map<string, SessionRow>> {
      const { rows } = await pool.query<SessionRow>({
        name: "find-sessions",
        text: `select s.id, s.user_id as "userId", u.username, trim(u.first_name || ' ' || u.last_name) as name,
                 array(select unnest(s.roles) intersect select unnest(u.roles)) as roles, u.roles as "userRoles",
                 u.active_status = 'ACTIVE' and u.is_administrator as "isUserActive",
                 exists (select from user_totp t where t.user_id = u.id) as "hasTwoFactor",
                 u.demo_user as "isDemoUser", u.must_change_password as "mustChangePassword",
                 ${exactEpoch("s.signed_in_at")} as "signedInAt", ${exactEpoch("s.expires_at")} as "expiresAt",
                 ${exactEpoch("s.last_used_at")} as "lastUsedAt", ${exactEpoch("s.ends_at")} as "endsAt",
                 s.end_reason as "endReason", s.replaced_by as "replacedBy", ${exactEpoch("s.issued_at")} as "issuedAt"
               from session s join app_user u on u.id = s.user_id where s.id = any($1::uuid[])`,
        values: [ids],
      });
      return new Map(rows.map((row) => [row.id, row]));
    },

    async touchSession(id: string, now: number): Promise<void> {
      await pool.query({
        name: "touch-session",
        text: "update session set last_used_at = to_timestamp($2) where id = $1",
        values: [id, now],
      });
    },

    /**
     * The new session replaces the old one, which still works until `graceEndsAt` and gives the same successor until then.
     * Undefined when the old one has ended meanwhile.
     */
    async replaceSession(oldId: string, session: NewSession, graceEndsAt: number): Promise<string | undefined> {
      return await inTransaction(pool, async (client) => {
        await client.query("/* hold-session-owner */ select from app_user where id = $1 for share", [session.userId]);
        const { rows } = await client.query<{ replacedBy: string | null }>(
          `/* lock-replaced-session */ select replaced_by as "replacedBy" from session
           where id = $1 and (ends_at is null or ends_at > to_timestamp($2)) for update`,
          [oldId, session.issuedAt],
        );
        const [old] = rows;
        if (!old || old.replacedBy !== null) return old?.replacedBy ?? undefined;
        await client.query(
          "/* replace-session */ update session set ends_at = to_timestamp($2), end_reason = 'refreshed', replaced_by = $3 where id = $1",
          [oldId, graceEndsAt, session.id],
        );
        await client.query(insertSessionQuery(session));
        return session.id;
      });
    },

    /** Ends this session and all that were refreshed from the same sign-in; returns their ids. */
    async endSignIn(userId: number, id: string, now: number, reason: string): Promise<string[]> {
      return await inTransaction(pool, async (client) => {
        await holdOffNewSessions(client, userId);
        const { rows } = await client.query<{ id: string }>(
          `/* end-sign-in */ update session e set ends_at = least(coalesce(e.ends_at, 'infinity'), to_timestamp($2)), end_reason = $3
           from session s where s.id = $1 and e.user_id = s.user_id and e.signed_in_at = s.signed_in_at returning e.id`,
          [id, now, reason],
        );
        return rows.map((row) => row.id);
      });
    },

    /** Ends the sessions of a user, but not those of the sign-in that `exceptId` belongs to; returns their ids. */
    async endSessionsOfUser(client: PoolClient, userId: number, now: number, reason: string, exceptId?: string): Promise<string[]> {
      await holdOffNewSessions(client, userId);
      const { rows } = await client.query<{ id: string }>(
        `/* end-sessions-of-user */ update session set ends_at = to_timestamp($2), end_reason = $3
         where user_id = $1 and (ends_at is null or ends_at > to_timestamp($2))
           and ($4::uuid is null or signed_in_at <> (select signed_in_at from session where id = $4)) returning id`,
        [userId, now, reason, exceptId ?? null],
      );
      return rows.map((row) => row.id);
    },
  };
}
export type SessionStore = ReturnType<typeof createSessionStore>;

/** A moment of its own: all sessions of a sign-in are known by it. The user's row is locked. */
async function apart(client: PoolClient, session: NewSession): Promise<NewSession> {
  const { rows } = await client.query<{ latest: number | null }>({
    name: "latest-sign-in",
    text: `select ${exactEpoch("max(signed_in_at)")} as latest from session where user_id = $1`,
    values: [session.userId],
  });
  const latest = rows[0]?.latest ?? 0;
  return latest < session.signedInAt ? session : { ...session, signedInAt: latest + 0.000_01 };
}

function insertSessionQuery(session: NewSession) {
  return {
    name: "insert-session",
    text: `insert into session (id, user_id, roles, is_administrator, signed_in_at, issued_at, expires_at, last_used_at, remote_address, user_agent)
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
