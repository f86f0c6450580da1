import type { KeyScope } from "@busbar/contract/endpoint.ts";
import type { KeyKind } from "@busbar/contract/access/user-keys.ts";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { TargetUser, UserGuard } from "#features/access/users/user-guard.ts";
import type { Caller } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { conflict, notFound } from "#lib/errors.ts";
import { hashToken } from "#lib/random-tokens.ts";
import { recordActivity, userObject } from "#shared/activities.store.ts";
import { newKeyParts, type NewKeyParts } from "./key-format.ts";
import type { UserKeyRow, UserKeysStore } from "./user-keys.store.ts";

const daySeconds = 86_400;

export interface UserKeysDependencies {
  pool: Pool;
  store: UserKeysStore;
  guard: UserGuard;
  clock: Clock;
}

export interface KeyRequest {
  kind: KeyKind;
  userId: number;
  name: string;
  scopes: readonly KeyScope[];
  expiresInDays: number;
}

/** USR-09: keys of customers' programs. The secret part leaves the server once and is kept as a hash only. */
export function createUserKeys({ pool, store, guard, clock }: UserKeysDependencies) {
  async function list(userId: number): Promise<UserKeyRow[]> {
    await guard.find(userId);
    return await store.findKeys(userId);
  }

  async function create(caller: Caller, request: KeyRequest): Promise<NewKeyParts & { expiresAt: number }> {
    const parts = newKeyParts(request.kind);
    const now = Math.floor(clock.now() / 1000);
    const expiresAt = now + request.expiresInDays * daySeconds;
    await inTransaction(pool, async (client) => {
      const user = await lockOwner(client, caller, request.userId);
      const { kind, userId, name } = request;
      const scopes = [...new Set(request.scopes)];
      const key = { kind, userId, name, scopes, key: parts.key, secretHash: hashToken(parts.secret), createdAt: now, expiresAt };
      if (!(await store.insertKey(client, key)))
        throw conflict(
          `${user.username} has ${article[kind]} key of the name ${name} already. Revoke it first, or choose another name`,
          "name",
        );
      await recordActivity(client, {
        actorType: "User",
        actor: caller.username,
        action: kind === "api" ? "POST_API_KEY" : "POST_ACCESS_KEY",
        object: userObject(userId),
        description: `Made ${article[kind]} key ${name} for ${user.username}`,
        after: { key: parts.key, name, scopes, expiry: expiresAt },
      });
    });
    return { ...parts, expiresAt };
  }

  /** The owner, who belongs to a customer: a key opens nothing else. */
  async function lockOwner(client: PoolClient, caller: Caller, userId: number): Promise<TargetUser> {
    const user = await guard.lock(client, caller, userId);
    if (user.customerId === null) throw conflict(`${user.username} belongs to no customer, so a key would open nothing`);
    if (user.activeStatus !== "ACTIVE") throw conflict(`${user.username} is suspended`);
    return user;
  }

  async function revoke(caller: Caller, userId: number, keyId: number): Promise<void> {
    await inTransaction(pool, async (client) => {
      const user = await guard.lock(client, caller, userId);
      const key = await store.revokeKey(client, userId, keyId, clock.now() / 1000);
      if (!key) throw notFound("Key");
      await recordActivity(client, {
        actorType: "User",
        actor: caller.username,
        action: key.kind === "api" ? "DELETE_API_KEY" : "DELETE_ACCESS_KEY",
        object: userObject(userId),
        description: `Revoked the ${key.kind === "api" ? "API" : "access"} key ${key.name} of ${user.username}`,
        before: { key: key.key, name: key.name, scopes: key.scopes, expiry: key.expiresAt },
      });
    });
  }

  return { list, create, revoke };
}
export type UserKeys = ReturnType<typeof createUserKeys>;

const article: Record<KeyKind, string> = { api: "an API", access: "an access" };
