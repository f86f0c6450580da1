import { connectAsync } from "mqtt";
import { createBoundedMap } from "#lib/bounded-map.ts";
import type { Clock } from "#lib/clock.ts";
import type { LimitedLog } from "#lib/limited-log.ts";

export interface NodeEvictionsOptions {
  url: string;
  /** Connected nodes whose credential changed in the last so many seconds. */
  findSuspects: (seconds: number) => Promise<{ serial: number; changedAtMs: number; isOlder: boolean }[]>;
  /** Connected nodes that may not be there, whenever that was decided: we, the database or the broker may have been away then. */
  findLockedOut: () => Promise<readonly number[]>;
  /** Whether this process is the one to do it. */
  isOurs: (serial: number) => boolean;
  clock: Clock;
  limitedLog: LimitedLog;
  everyMs?: number;
}

export interface NodeEvictions {
  start(): void;
  stop(): Promise<void>;
}

const changedSeconds = 30;
// A broker that reads files may take a moment to know: who slips in until then is thrown out again.
const roundsAfterMs = [0, 5_000, 15_000];
const atOnce = 8;
/** All are checked at the start and every so many rounds. */
const fullCheckEvery = 60;

/**
 * Ends connections of nodes at a broker elsewhere when their credential was replaced or revoked. Every broker ends a connection when another
 * one comes with its client id, so that is what we do: no broker's own interface is needed.
 */
export function createNodeEvictions(options: NodeEvictionsOptions): NodeEvictions {
  const { url, findSuspects, findLockedOut, isOurs, clock, limitedLog, everyMs = 1_000 } = options;
  const rounds = createBoundedMap<string, { count: number; firstAt: number }>(100_000);
  const stopping = new AbortController();
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const noteFailure = (error: unknown) =>
    limitedLog("warn", "node-evictions", { err: error }, "connections of revoked nodes could not be ended");

  const evict = async (serial: number): Promise<void> => {
    const usurper = await connectAsync(url, { clientId: String(serial), clean: true, reconnectPeriod: 0, connectTimeout: 5_000 }, false);
    usurper.on("error", () => undefined);
    await usurper.endAsync(true);
  };

  const run = async (): Promise<void> => {
    const due: { serial: number; done: () => void }[] = [];
    if (turn++ % fullCheckEvery === 0) {
      const lockedOut = await findLockedOut();
      due.push(...lockedOut.filter(isOurs).map((serial) => ({ serial, done: () => undefined })));
    }
    for (const { serial, changedAtMs, isOlder } of await findSuspects(changedSeconds)) {
      const key = `${serial} ${changedAtMs}`;
      // Who comes with its first credential, or with the new one at once, is not to be disturbed.
      const known = rounds.get(key) ?? { count: isOlder ? 0 : roundsAfterMs.length, firstAt: clock.monotonic() };
      rounds.set(key, known);
      const afterMs = roundsAfterMs[known.count];
      if (!isOurs(serial) || afterMs === undefined || clock.monotonic() - known.firstAt < afterMs) continue;
      due.push({ serial, done: () => rounds.set(key, { ...known, count: known.count + 1 }) });
    }
    const queue = due.values();
    const work = async () => {
      for (const { serial, done } of queue) {
        if (stopping.signal.aborted) return;
        try {
          await evict(serial);
          done();
        } catch (error) {
          noteFailure(error);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, due.length) }, work));
  };
  const wake = () => {
    running ??= run()
      .catch(noteFailure)
      .finally(() => (running = undefined));
  };

  return {
    start() {
      timer = setInterval(wake, everyMs);
      timer.unref();
    },
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}
