import { getNodeDashboard } from "@busbar/contract/telemetry/node-dashboard.ts";
import type { Client } from "#api/client.ts";
import { ApiError, failureMessage } from "#lib/api-error.ts";
import { serverClock } from "#lib/server-clock.ts";
import { readChanges } from "./fleet-answer.ts";
import type { FleetStore } from "./fleet-store.ts";

export const pollEveryMs = 2_000;
const maxBackOffMs = 30_000;

export interface PollState {
  /** Words of the last failure, while the last poll failed. */
  failure: string | undefined;
  hasLoaded: boolean;
  /** Epoch seconds of the last success, while the last poll failed. */
  updatedAt: number | undefined;
}

/** Polls every 2 s for what changed (DSH-02); waits longer after failures, rests while the tab is hidden and catches up after. */
export function createFleetPoller(call: Client, store: FleetStore) {
  let state: PollState = { failure: undefined, hasLoaded: store.facts() !== undefined, updatedAt: undefined };
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let abort: AbortController | undefined;
  let failures = 0;
  let updatedAt: number | undefined;
  let isRunning = false;

  function setState(next: PollState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  async function poll(): Promise<void> {
    clearTimeout(timer);
    abort?.abort(); // a late answer must not undo a newer one
    abort = new AbortController();
    const { signal } = abort;
    try {
      const since = store.revision();
      const answer = await call(getNodeDashboard, { query: since === undefined ? {} : { since } }, { signal, read: readChanges });
      if (signal.aborted) return;
      await store.applyInParts(answer, signal);
      if (signal.aborted) return;
      failures = 0;
      updatedAt = Math.floor(serverClock.nowSeconds());
      // A poll like the last one changes nothing here, and whoever listens draws the whole screen.
      if (!state.hasLoaded || state.failure !== undefined) setState({ failure: undefined, hasLoaded: true, updatedAt: undefined });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) store.forgetRevision();
      failures++;
      setState({ ...state, failure: failureMessage(error), updatedAt });
    }
    schedule();
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!isRunning || document.hidden) return;
    timer = setTimeout(() => void poll(), Math.min(pollEveryMs * 2 ** Math.min(failures, 6), maxBackOffMs));
  }

  function onVisibility(): void {
    if (document.hidden) clearTimeout(timer);
    else if (isRunning) void poll();
  }

  return {
    state: (): PollState => state,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pollNow: (): void => void poll(),
    start: (): void => {
      isRunning = true;
      document.addEventListener("visibilitychange", onVisibility);
      void poll();
    },
    stop: (): void => {
      isRunning = false;
      document.removeEventListener("visibilitychange", onVisibility);
      clearTimeout(timer);
      abort?.abort();
    },
  };
}
export type FleetPoller = ReturnType<typeof createFleetPoller>;
