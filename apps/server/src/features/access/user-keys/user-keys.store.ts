import type { KeyScope } from "@busbar/contract/endpoint.ts";
import type { KeyKind } from "@busbar/contract/access/user-keys.ts";
import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { planned, plannedCount, prepared } from "#db/statement.ts";

/** Times in epoch seconds. */
export interface UserKeyRow {
  id: number;
  kind: KeyKind;
  key: string;
  name: string;
  scopes: KeyScope[];
  createdAt: number;
  expiresAt: number;
  lastUsedAt: number | null;
}

export interface NewUserKey {
  userId: number;
  kind: KeyKind;
  name: string;
  key: string;
  secretHash: Buffer;
  scopes: readonly KeyScope[];
  createdAt: number;
  expiresAt: number;
}

/** A key with what its owner is now. */
export interface PresentedKey {
  id: number;
  name: string;
  secretHash: Buffer;
  scopes: KeyScope[];
  expiresAt: number;
  isRevoked: boolean;
  lastUsedAt: number | null;
  userId: number;
  username: string;
  isUserActive: boolean;
  isDemoUser: boolean;
  customerId: number | null;
}

const columns = `id, kind, key, name, scopes, ${exactEpoch("created_at")} as "createdAt",
  ${exactEpoch("expires_at")} as "expiresAt", ${exactEpoch("last_used_at")} as "lastUsedAt"`;

export function createUserKeysStore(pool: Pool) {
  return {
    /** Keys that are not revoked, newest first. */
    async findKeys(userId: number): Promise<UserKeyRow[]> {
      return await planned<UserKeyRow>(pool, "find-user-keys", [userId])`
        select ${columns} from user_key where user_id = $1 and revoked_at is null order by id desc`;
    },

    /** False when the user has a key of this name already. */
    async insertKey(client: PoolClient, key: NewUserKey): Promise<boolean> {
      const rowCount = await plannedCount(client, "insert-user-key", [
        key.userId,
        key.kind,
        key.name,
        key.key,
        key.secretHash,
        key.scopes,
        key.createdAt,
        key.expiresAt,
      ])`
        insert into user_key (user_id, kind, name, key, secret_hash, scopes, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6, to_timestamp($7), to_timestamp($8))
        on conflict (user_id, kind, name) where revoked_at is null do nothing`;
      return rowCount === 1;
    },

    async revokeKey(client: PoolClient, userId: number, keyId: number, now: number): Promise<UserKeyRow | undefined> {
      const rows = await planned<UserKeyRow>(client, "revoke-user-key", [userId, keyId, now])`
        update user_key set revoked_at = to_timestamp($3) where id = $2 and user_id = $1 and revoked_at is null returning ${columns}`;
      return rows[0];
    },

    /** Returns the names of those that ended. */
    async revokeKeysOf(client: PoolClient, userId: number): Promise<string[]> {
      const rows = await planned<{ name: string }>(client, "revoke-keys-of-user", [userId])`
        update user_key set revoked_at = now() where user_id = $1 and revoked_at is null returning name`;
      return rows.map(({ name }) => name);
    },

    /** By its public part, whatever its state. */
    async findPresentedKey(kind: KeyKind, key: string): Promise<PresentedKey | undefined> {
      const rows = await prepared<PresentedKey>(pool, "find-presented-key", [kind, key])`
        select k.id, k.name, k.secret_hash as "secretHash", k.scopes, ${exactEpoch("k.expires_at")} as "expiresAt",
          k.revoked_at is not null as "isRevoked", ${exactEpoch("k.last_used_at")} as "lastUsedAt",
          u.id as "userId", u.username, u.active_status = 'ACTIVE' as "isUserActive", u.demo_user as "isDemoUser", u.customer_id as "customerId"
        from user_key k join app_user u on u.id = k.user_id where k.kind = $1 and k.key = $2`;
      return rows[0];
    },

    async touchKey(id: number, now: number): Promise<void> {
      await prepared(pool, "touch-user-key", [id, now])`update user_key set last_used_at = to_timestamp($2) where id = $1`;
    },
  };
}
export type UserKeysStore = ReturnType<typeof createUserKeysStore>;
