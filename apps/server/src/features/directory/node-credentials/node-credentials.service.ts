import { timingSafeEqual } from "node:crypto";
import { serialNumberPattern } from "@busbar/contract/values/serial-number.ts";
import { createBoundedMap } from "#lib/bounded-map.ts";
import type { Clock } from "#lib/clock.ts";
import { gatherCalls } from "#lib/gathered-calls.ts";
import { hashNodeSecret } from "#lib/node-secrets.ts";
import type { NodeCredentialsStore } from "./node-credentials.store.ts";

export interface NodeCredentials {
  /**
   * @returns the hash of the secret that was right, undefined for a wrong one
   * @throws when the database cannot be asked
   */
  verify(serial: string, secret: Buffer | undefined): Promise<string | undefined>;
  /** Which of the connected nodes (serial to the hash that let them in) must be disconnected. */
  findRevoked(connected: Pick<ReadonlyMap<string, string>, "get" | "has" | "keys">, scope: "changed" | "all"): Promise<string[]>;
}

const cacheMs = 1_000;
const changedSeconds = 30;
// Compared with when there is no credential, so that both cases take the same time.
const noHash = Buffer.alloc(32).toString("base64");

export function createNodeCredentials(store: NodeCredentialsStore, clock: Clock): NodeCredentials {
  // A fleet that comes back is looked up in a few steps, and who guesses costs hardly more.
  const findHash = gatherCalls(
    async (serials: readonly number[]) => new Map((await store.findActive(serials)).map(({ serial, secretHash }) => [serial, secretHash])),
  );
  const cache = createBoundedMap<number, { hash: string | undefined; until: number }>(10_000);

  const activeHash = async (serial: number): Promise<string | undefined> => {
    const now = clock.monotonic();
    const known = cache.get(serial);
    if (known && known.until > now) return known.hash;
    const hash = await findHash(serial);
    cache.set(serial, { hash, until: now + cacheMs });
    return hash;
  };

  return {
    async verify(serial, secret) {
      if (!serialNumberPattern.test(serial) || secret === undefined) return undefined;
      const hash = await activeHash(Number(serial));
      const expected = Buffer.from(hash?.length === noHash.length ? hash : noHash, "base64");
      const isRight = timingSafeEqual(hashNodeSecret(secret.toString()), expected);
      return isRight ? hash : undefined;
    },
    async findRevoked(connected, scope) {
      const changed = scope === "all" ? [...connected.keys()].map(Number) : await store.changedWithin(changedSeconds);
      const asked = changed.filter((serial) => connected.has(String(serial)));
      if (asked.length === 0) return [];
      const active = new Map((await store.findActive(asked)).map(({ serial, secretHash }) => [serial, secretHash]));
      return asked.filter((serial) => active.get(serial) !== connected.get(String(serial))).map(String);
    },
  };
}
