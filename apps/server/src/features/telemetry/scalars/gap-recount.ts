import type { Clock } from "#lib/clock.ts";
import { localDay } from "#lib/local-day.ts";
import type { LiveState } from "./live-state.ts";
import type { MissedScalars } from "#lib/platform-outages.ts";
import type { RecountRequest } from "./scalars.store.ts";

const maxNodes = 100;
const intervalMs = 1_000;

export interface GapRecount {
  request: (states: readonly LiveState[]) => void;
  /** Counts at most 100 nodes, at most once a second. Never runs beside a write of the same nodes. */
  run(): Promise<void>;
  readonly waiting: number;
}

/** Scalars that came late fill gaps that were counted before: the day of such a node is counted again, from the table. */
export function createGapRecount(
  clock: Clock,
  recount: (requests: readonly RecountRequest[]) => Promise<Map<number, MissedScalars>>,
): GapRecount {
  const waiting = new Map<number, LiveState>();
  let lastRunAt = -Infinity;
  const request = (states: readonly LiveState[]) => {
    for (const state of states) waiting.set(state.serial, state);
  };
  return {
    request,
    async run() {
      if (waiting.size === 0 || clock.monotonic() - lastRunAt < intervalMs) return;
      lastRunAt = clock.monotonic();
      const states = [...waiting.values()].slice(0, maxNodes).filter(({ missing }) => missing.day !== undefined);
      for (const serial of [...waiting.keys()].slice(0, maxNodes)) waiting.delete(serial);
      const requests = states.map((state): RecountRequest => {
        const day = localDay(state.timezone, (state.newestStoredMs ?? clock.now()) / 1000);
        return { serial: state.serial, day: day.date, dayStartSeconds: day.start, intervalSeconds: state.scalarIntervalSeconds };
      });
      let counts: Map<number, MissedScalars>;
      try {
        counts = await recount(requests);
      } catch (error) {
        request(states);
        throw error;
      }
      for (const [index, state] of states.entries()) {
        const missed = counts.get(state.serial);
        if (missed) state.missing = { day: requests[index]!.day, ...missed };
      }
    },
    get waiting() {
      return waiting.size;
    },
  };
}
