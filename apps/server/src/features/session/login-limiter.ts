import { createBoundedMap } from "#lib/bounded-map.ts";
import type { Clock } from "#lib/clock.ts";
import { tooManyRequests } from "#lib/errors.ts";
import type { SessionStore } from "./session.store.ts";

const perAccountPerMinute = 10;
const perAccountInARow = 100;
const perAddressPerMinute = 60;

/** SEC-04: how often a password may be tried, by account (shared by all processes) and by address (in this one). */
export function createLoginLimiter(store: SessionStore, clock: Clock) {
  const addresses = createBoundedMap<string, { count: number; startedAt: number }>(10_000);

  function countAddress(address: string): void {
    const now = clock.monotonic();
    const window = addresses.get(address);
    const running = window && now - window.startedAt < 60_000 ? window : { count: 0, startedAt: now };
    running.count++;
    if (running !== window) addresses.set(address, running);
    if (running.count > perAddressPerMinute) {
      throw tooManyRequests(
        "Too many sign-ins from this address. Please wait a minute",
        Math.ceil((60_000 - (now - running.startedAt)) / 1000),
      );
    }
  }

  return {
    /** @throws AppError 429 before a password is even looked at */
    async admit(account: string, address: string): Promise<void> {
      countAddress(address);
      const failures = await store.failedLogins(account, clock.now() / 1000);
      if (failures.inARow >= perAccountInARow) {
        throw tooManyRequests("Too many wrong passwords for this account. Ask a system administrator to unlock it", 3_600);
      }
      if (failures.inWindow >= perAccountPerMinute) {
        throw tooManyRequests(
          "Too many wrong passwords for this account. Please wait a minute",
          Math.max(1, Math.ceil(failures.windowEndsIn)),
        );
      }
    },
    failed: (account: string) => store.countFailedLogin(account, clock.now() / 1000),
    succeeded: (account: string) => store.forgetFailedLogins(account),
  };
}
