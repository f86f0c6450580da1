import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "./service.ts";
import {
  deleteSessions,
  deleteTries,
  deleteDevices,
  endSessions,
  findExpiredSessions,
  findFadedTries,
  findOldSessions,
  findUnusedDevices,
} from "./session-reaper.store.ts";
import { startWalk } from "./walk.ts";

const name = "SessionReaper";
const batchSize = 1_000;
const daySeconds = 86_400;
/** Every count has faded away by then: see `sign-in-tries.store.ts`. */
const keptTriesSeconds = daySeconds;
const keptDeviceSeconds = 180 * daySeconds;

/** Ends sessions whose life is over and forgets those of long ago, in short transactions. */
export function createSessionReaper(pool: Pool, clock: Clock, readKeptDays: () => Promise<number>): Task {
  return {
    name,
    intervalSeconds: 300,
    did: (count) => `Ended or forgot ${counted(count, "session")}`,
    async run(signal) {
      const now = clock.now() / 1000;
      const keptSeconds = (await readKeptDays()) * daySeconds;
      const walk = startWalk({ pool, clock, service: name, signal });
      type Find = (pool: Pool, at: number, limit: number, ids: readonly string[] | null) => Promise<string[]>;
      const each = (kind: string, find: Find, at: number, work: (pool: Pool, ids: readonly string[]) => Promise<number>) =>
        walk.throughQueue({
          kind,
          find: (ids) => find(pool, at, batchSize, ids),
          idOf: (id) => id,
          work: (ids) => work(pool, ids),
          findSize: batchSize,
        });
      const ended = await each("session", findExpiredSessions, now, endSessions);
      const deleted = await each("old session", findOldSessions, now - keptSeconds, deleteSessions);
      const faded = await each("tries", findFadedTries, now - keptTriesSeconds, deleteTries);
      const unused = await each("device", findUnusedDevices, now - keptDeviceSeconds, deleteDevices);
      return walk.end(ended + deleted + faded + unused);
    },
  };
}
