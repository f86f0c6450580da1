import type { Pool } from "pg";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "./service.ts";
import { deleteFadedTries, deleteSessionsExpiredBefore, deleteUnusedDevices, endExpiredSessions } from "./session-reaper.store.ts";

const batchSize = 1_000;
const daySeconds = 86_400;
/** Every count has faded away by then: see `sign-in-tries.store.ts`. */
const keptTriesSeconds = daySeconds;
const keptDeviceSeconds = 180 * daySeconds;

/** Ends sessions whose life is over and forgets those of long ago, in short transactions. */
export function createSessionReaper(pool: Pool, clock: Clock, readKeptDays: () => Promise<number>): Task {
  return {
    name: "SessionReaper",
    intervalSeconds: 300,
    async run(signal) {
      const now = clock.now() / 1000;
      const keptSeconds = (await readKeptDays()) * daySeconds;
      const ended = await inBatches(() => endExpiredSessions(pool, now, batchSize), signal);
      const deleted = await inBatches(() => deleteSessionsExpiredBefore(pool, now - keptSeconds, batchSize), signal);
      const faded = await inBatches(() => deleteFadedTries(pool, now - keptTriesSeconds, batchSize), signal);
      const unused = await inBatches(() => deleteUnusedDevices(pool, now - keptDeviceSeconds, batchSize), signal);
      return ended + deleted + faded + unused;
    },
  };
}

async function inBatches(work: () => Promise<number>, signal: AbortSignal): Promise<number> {
  let total = 0;
  for (let count = batchSize; count === batchSize && !signal.aborted; total += count) count = await work();
  return total;
}
