import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { planned } from "#db/statement.ts";
import { holdOffNewSessions } from "#shared/session-owner.store.ts";

/** A sign-in that lives; times in epoch seconds. */
export interface LivingSession {
  /** Of its latest session. */
  id: string;
  signedInAt: number;
  lastUsedAt: number;
  expiresAt: number;
  remoteAddress: string;
  userAgent: string;
  isCurrent: boolean;
}

export function createAccountStore(pool: Pool) {
  return {
    /** One row per sign-in: the latest session of each that can still be used; `currentId` is any session of the current one. */
    async findLivingSessions(userId: number, currentId: string, now: number, idleSeconds: number): Promise<LivingSession[]> {
      return await planned<LivingSession>(pool, "find-living-sessions", [userId, now, idleSeconds, currentId])`
        select distinct on (signed_in_at) id, ${exactEpoch("signed_in_at")} as "signedInAt",
          ${exactEpoch("last_used_at")} as "lastUsedAt", ${exactEpoch("expires_at")} as "expiresAt",
          remote_address as "remoteAddress", user_agent as "userAgent",
          signed_in_at = (select signed_in_at from session where id = $4) as "isCurrent"
        from session where user_id = $1 and expires_at > to_timestamp($2) and (ends_at is null or ends_at > to_timestamp($2))
          and last_used_at > to_timestamp($2 - $3::float8)
        order by signed_in_at, issued_at desc, ends_at desc nulls first`;
    },

    /** Ends one sign-in of a user, by any of its sessions; returns the ids that ended. */
    async endSignIn(client: PoolClient, userId: number, sessionId: string, now: number): Promise<string[]> {
      await holdOffNewSessions(client, userId);
      const rows = await planned<{ id: string }>(client, "end-own-sign-in", [userId, sessionId, now])`
        update session e set ends_at = to_timestamp($3), end_reason = 'ended by its owner'
        from session s where s.id = $2 and s.user_id = $1 and e.user_id = s.user_id and e.signed_in_at = s.signed_in_at
          and (e.ends_at is null or e.ends_at > to_timestamp($3)) returning e.id`;
      return rows.map((row) => row.id);
    },
  };
}
export type AccountStore = ReturnType<typeof createAccountStore>;
