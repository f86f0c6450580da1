import { refreshSession, requestedSessionSeconds } from "@busbar/contract/access/session.ts";
import type { Client } from "#api/client.ts";
import { sessionOverText } from "#lib/api-error.ts";
import type { SessionStore } from "./session-store.ts";
import { sessionStep } from "./session-token.ts";

export const checkEveryMs = 10_000;
export const extendEveryMs = 60_000;

export interface KeeperOptions {
  store: SessionStore;
  call: Client;
  nowSeconds: () => number;
  /** Runs on every cycle, also without a session (ENV-07). */
  onCycle: () => void;
}

/** The 10-second cycle: ends a session that is over, refreshes one that is old, keeps the cookies (SES-01 to SES-04). */
export function createSessionKeeper({ store, call, nowSeconds, onCycle }: KeeperOptions) {
  let isRefreshing = false;
  let timers: ReturnType<typeof setInterval>[] = [];

  async function check(): Promise<void> {
    onCycle();
    // Another tab would have said so: it ran out, as while the machine slept.
    store.followCookies(sessionOverText);
    const session = store.get();
    if (!session) return;
    const step = sessionStep(session.claims, nowSeconds());
    if (step === "clear") store.clear(sessionOverText);
    if (step === "refresh" && !isRefreshing) await refresh(session.token);
  }

  async function refresh(old: string): Promise<void> {
    isRefreshing = true;
    try {
      const { token, roles } = await call(refreshSession, { body: { duration: requestedSessionSeconds } });
      // Who signed out meanwhile stays signed out.
      if (store.get()?.token === old) store.set(token, roles);
    } catch (error) {
      console.warn("The session could not be refreshed", error); // SES-03: only logged
    } finally {
      isRefreshing = false;
    }
  }

  return {
    check,
    start: (): void => {
      timers = [setInterval(() => void check(), checkEveryMs), setInterval(store.extendCookies, extendEveryMs)];
      void check();
    },
    stop: (): void => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}
