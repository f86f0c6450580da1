import type { Pool } from "pg";
import { dropExpiredScalarPartitions, ensureScalarPartitions } from "#db/scalar-partitions.ts";
import type { Clock } from "#lib/clock.ts";
import { forgetDirectoryChanges } from "./directory-changes.store.ts";
import type { Task } from "./service.ts";

const daySeconds = 86_400;
const daysAhead = 2;
// Longer than any api process stays cut off from the database and still answers from what it knew.
const keptDirectoryChangeSeconds = 7 * daySeconds;

/** Keeps daily partitions of scalars from the oldest kept day to the day after tomorrow, and drops the older ones; forgets old directory changes. */
export function createRetentionPruner(pool: Pool, clock: Clock, scalarRetentionDays: number): Task {
  return {
    name: "RetentionPruner",
    intervalSeconds: 3600,
    async run() {
      const now = clock.now() / 1000;
      const keepFrom = now - scalarRetentionDays * daySeconds;
      await ensureScalarPartitions(pool, keepFrom, now + daysAhead * daySeconds);
      const dropped = await dropExpiredScalarPartitions(pool, keepFrom);
      return dropped.length + (await forgetDirectoryChanges(pool, now - keptDirectoryChangeSeconds));
    },
  };
}
