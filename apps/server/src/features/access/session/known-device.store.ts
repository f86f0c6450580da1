import { createHash, randomBytes } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { planned, plannedCount, prepared } from "#db/statement.ts";

const mostOfUser = 20;
/** For how long a device is remembered that no one signs in with. */
export const deviceDays = 180;

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/** Browsers in which people have signed in before. Each knows a random token; this is its hash. */
export function createKnownDeviceStore(pool: Pool) {
  return {
    /** The device's number for this user; undefined for one that the user never signed in with. */
    async find(token: string, userId: number, now: number): Promise<string | undefined> {
      const rows = await prepared<{ id: string }>(pool, "find-known-device", [hashOf(token), userId, now])`select id from known_device
        where token_hash = $1 and user_id = $2 and last_used_at > to_timestamp($3) - make_interval(days => ${deviceDays})`;
      return rows[0]?.id;
    },

    /** After a right sign-in: the device is known by a fresh token from now on; copies of the old one are void. */
    async remember(client: PoolClient, deviceId: string | undefined, userId: number, now: number): Promise<string> {
      const token = randomBytes(32).toString("base64url");
      const values = [deviceId ?? null, userId, hashOf(token), now];
      const rowCount = await plannedCount(client, "renew-known-device", values)`
        update known_device set token_hash = $3, last_used_at = to_timestamp($4) where id = $1 and user_id = $2`;
      if (rowCount === 1) return token;
      await planned(client, "insert-known-device", values.slice(1))`
        insert into known_device (user_id, token_hash, last_used_at) values ($1, $2, to_timestamp($3))`;
      await planned(client, "forget-oldest-devices", [userId])`delete from known_device where user_id = $1 and id not in (
        select id from known_device where user_id = $1 order by last_used_at desc, id desc limit ${mostOfUser})`;
      return token;
    },
  };
}
export type KnownDeviceStore = ReturnType<typeof createKnownDeviceStore>;
