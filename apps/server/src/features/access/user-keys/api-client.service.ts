import type { KeyScope } from "@busbar/contract/endpoint.ts";
import type { ApiClient, AuthenticateKey, KeyCredentials } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import { forbidden, unauthorized } from "#lib/errors.ts";
import type { Log } from "#lib/log.ts";
import { isTokenOf } from "#lib/random-tokens.ts";
import { createTriesLimiter } from "#lib/tries-limiter.ts";
import { splitApiKey } from "./key-format.ts";
import type { PresentedKey, UserKeysStore } from "./user-keys.store.ts";

const callsPerMinute = 600;
const wrongKeysPerMinute = 60;
const touchSeconds = 60;

export interface ApiClientDependencies {
  store: UserKeysStore;
  clock: Clock;
  log: Log;
}

/** Lets customers' programs in. The row is read at every call, so that a revoked key or a suspended owner is refused at once. */
export function createApiClients({ store, clock, log }: ApiClientDependencies): { authenticateKey: AuthenticateKey } {
  const wrongTries = createTriesLimiter(clock, wrongKeysPerMinute, "Too many wrong keys from this address. Please wait a minute");
  const calls = createTriesLimiter(clock, callsPerMinute, `More than ${callsPerMinute} calls a minute with this key. Please wait`);

  async function authenticateKey(credentials: KeyCredentials, scope: KeyScope, remoteAddress: string): Promise<ApiClient> {
    const { key, secret } = credentials.kind === "api" ? splitApiKey(credentials.key) : credentials;
    const found = await store.findPresentedKey(credentials.kind, key);
    if (!found || !isTokenOf(secret, found.secretHash)) {
      wrongTries.count(remoteAddress);
      throw unauthorized("This key is not valid");
    }
    const now = clock.now() / 1000;
    refuseDeadKey(found, now);
    calls.count(String(found.id));
    if (!found.scopes.includes(scope)) throw forbidden(`This key does not have the scope ${scope}`);
    if (found.customerId === null) throw forbidden("The owner of this key belongs to no customer");
    touch(found, now);
    return {
      keyId: found.id,
      keyName: found.name,
      userId: found.userId,
      username: found.username,
      customerId: found.customerId,
      isDemoUser: found.isDemoUser,
    };
  }

  function touch(key: PresentedKey, now: number): void {
    if (key.lastUsedAt !== null && now - key.lastUsedAt < touchSeconds) return;
    // Not worth failing a call for: the next one tries again.
    store.touchKey(key.id, now).catch((error: Error) => log.debug({ err: error }, "use of a key not noted"));
  }

  return { authenticateKey };
}

function refuseDeadKey(key: PresentedKey, now: number): void {
  if (key.isRevoked) throw unauthorized("This key was revoked");
  if (key.expiresAt <= now) throw unauthorized("This key has expired");
  if (!key.isUserActive) throw unauthorized("The owner of this key is suspended");
}
