import type { Clock } from "#lib/clock.ts";
import type { LimitedLog } from "#lib/limited-log.ts";
import type { RefusedTriesStore } from "./refused-tries.store.ts";

export interface RefusedTries {
  /** A try to connect by someone who claims to be a node. */
  note(this: void, clientId: string, reason: string): void;
  start(): void;
  stop(): Promise<void>;
}

const flushMs = 5_000;
/** Of so many claimed serial numbers and reasons at a time; strangers may claim any. */
const mostWaiting = 5_000;
const longestReason = 64;

/** Writes down that nodes were refused, and why, so that their verdict can say it. What is lost with a crash or a full list is no loss. */
export function createRefusedTries({
  store,
  clock,
  limitedLog,
}: {
  store: RefusedTriesStore;
  clock: Clock;
  limitedLog: LimitedLog;
}): RefusedTries {
  let waiting = new Map<string, { serial: number; reason: string; count: number; lastAtMs: number }>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  const write = async () => {
    const rows = [...waiting.values()].toSorted((a, b) => a.serial - b.serial);
    waiting = new Map();
    if (rows.length > 0)
      await store
        .write(rows)
        .catch((error: unknown) => limitedLog("warn", "refused-tries", { err: error }, "refused tries of nodes could not be written down"));
  };

  return {
    note(clientId, reason) {
      if (!/^[1-9]\d{4}$/.test(clientId)) return;
      const short = reason.slice(0, longestReason);
      const key = `${clientId} ${short}`;
      const known = waiting.get(key);
      if (known === undefined && waiting.size >= mostWaiting) return;
      waiting.set(key, { serial: Number(clientId), reason: short, count: (known?.count ?? 0) + 1, lastAtMs: clock.now() });
    },
    start() {
      timer = setInterval(() => void (writing = writing.then(write)), flushMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      writing = writing.then(write);
      await writing;
    },
  };
}
