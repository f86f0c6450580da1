import { createBoundedMap } from "#lib/bounded-map.ts";
import type { Clock } from "#lib/clock.ts";
import { tooManyRequests } from "#lib/errors.ts";
import type { LoginAttemptStore } from "./login-attempt.store.ts";

// SEC-04: ten a minute and a hundred in a row for an account, which answers to two entries: its username and its e-mail.
const perEntry = { perMinute: 5, inARow: 50 };
const perAddressPerMinute = 60;

/** How often a password may be tried: by entry (shared by all processes) and by address (in this one). */
export function createLoginLimiter(store: LoginAttemptStore, clock: Clock) {
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
    /**
     * Counts the try as failed before the password is looked at, so that parallel tries cannot slip through.
     * @throws AppError 429 when there were too many
     */
    async admit(entry: string, address: string): Promise<void> {
      countAddress(address);
      const now = clock.now() / 1000;
      if (await store.count(entry, now, perEntry)) return;
      const attempts = await store.find(entry, now);
      if (attempts.inARow >= perEntry.inARow) {
        throw tooManyRequests("Too many wrong passwords for this account. Ask a system administrator to unlock it", 3_600);
      }
      throw tooManyRequests(
        "Too many wrong passwords for this account. Please wait a minute",
        Math.max(1, Math.ceil(attempts.windowEndsIn)),
      );
    },
    /** The password could not be looked at: the try does not count. */
    giveBack: (entry: string) => store.giveBack(entry),
    succeeded: (entry: string) => store.forget(entry),
  };
}
