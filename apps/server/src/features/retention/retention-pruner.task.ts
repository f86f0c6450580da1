import { counted } from "@busbar/contract/counted.ts";
import type { Pool } from "pg";
import { dropExpiredScalarPartitions, ensureScalarPartitions } from "#db/scalar-partitions.ts";
import { dropExpiredSensorDataPartitions } from "#db/sensor-data-partitions.ts";
import type { Clock } from "#lib/clock.ts";
import { forgetDirectoryChanges } from "#services/directory-changes.store.ts";
import type { Task } from "#services/service.ts";
import type { ExpiredFiles } from "./expired-files.ts";
import type { ExpiredRowsStore } from "./expired-rows.store.ts";
import { serialsAfter } from "./node-keys.store.ts";
import type { RetentionDays } from "./retention-days.ts";

export interface RetentionPrunerOptions {
  pool: Pool;
  clock: Clock;
  files: ExpiredFiles;
  rows: ExpiredRowsStore;
  /** Asked for at the beginning of each run. */
  readDays: () => Promise<RetentionDays>;
}

const daySeconds = 86_400;
const daysAhead = 2;
const batchSize = 1_000;
const nodesPerStep = 500;
// Longer than any api process stays cut off from the database and still answers from what it knew.
const keptDirectoryChangeSeconds = 7 * daySeconds;

/** Removes whatever is older than it is kept, in small steps: what a run does not reach is left to the next. Makes room for scalars to come. */
export function createRetentionPruner({ pool, clock, files, rows, readDays }: RetentionPrunerOptions): Task {
  return {
    name: "RetentionPruner",
    intervalSeconds: 3600,
    async run(signal) {
      const now = clock.now() / 1000;
      const days = await readDays();
      const before = (name: keyof RetentionDays) => now - days[name] * daySeconds;
      const inBatches = (forget: (limit: number) => Promise<number>) => repeat(forget, signal);
      await ensureScalarPartitions(pool, before("scalars"), now + daysAhead * daySeconds);

      const steps: [one: string, many: string, work: () => Promise<number>][] = [
        ["day of scalars", "days of scalars", async () => (await dropExpiredScalarPartitions(pool, before("scalars"))).length],
        [
          "month of sensor data",
          "months of sensor data",
          async () => (await dropExpiredSensorDataPartitions(pool, before("sensorData"))).length,
        ],
        ["event", "events", () => forgetEvents({ pool, rows }, before("events"), signal)],
        ["alarm", "alarms", () => inBatches((limit) => rows.forgetAlarms(before("events"), limit))],
        ["notification", "notifications", () => inBatches((limit) => rows.forgetNotifications(before("notifications"), limit))],
        ["activity", "activities", () => forgetActivities(rows, before("activities"), signal)],
        ["directory change", "directory changes", () => forgetDirectoryChanges(pool, now - keptDirectoryChangeSeconds)],
        // The most work comes last: it may take more than one run.
        ["file", "files", () => files.prune(["D", "S", "H", "X"], before("files"), signal)],
        ["event file", "event files", () => files.prune(["E"], before("events"), signal)],
        ["stray content", "stray contents", () => files.sweep(signal)],
      ];
      let processedCount = 0;
      const removed: string[] = [];
      const failures: Error[] = [];
      for (const [one, many, work] of steps) {
        if (signal.aborted) break;
        try {
          const count = await work();
          processedCount += count;
          if (count > 0) removed.push(counted(count, one, many));
        } catch (error) {
          // The others' time is over all the same.
          failures.push(new Error(`${many}: ${(error as Error).message}`, { cause: error }));
        }
      }
      const logEntry = removed.length === 0 ? "" : `Removed ${removed.join(", ")}`;
      if (failures.length > 0)
        throw new AggregateError(failures, [...failures.map(({ message }) => message), logEntry].filter(Boolean).join("; "));
      return { processedCount, logEntry };
    },
  };
}

async function repeat(forget: (limit: number) => Promise<number>, signal: AbortSignal): Promise<number> {
  let total = 0;
  for (let count = batchSize; count === batchSize && !signal.aborted; total += count) count = await forget(batchSize);
  return total;
}

async function forgetEvents(
  { pool, rows }: Pick<RetentionPrunerOptions, "pool" | "rows">,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let last = 0; !signal.aborted;) {
    const serials = await serialsAfter(pool, "node_event", last, nodesPerStep);
    for (const serial of await rows.serialsWithOldEvents(serials, before))
      total += await repeat((limit) => rows.forgetEvents(serial, before, limit), signal);
    if (serials.length < nodesPerStep) break;
    last = serials.at(-1) ?? last;
  }
  return total;
}

async function forgetActivities(rows: ExpiredRowsStore, before: number, signal: AbortSignal): Promise<number> {
  const total = await repeat((limit) => rows.forgetActivities(before, limit), signal);
  if (total > 0) await rows.forgetEmptyTallies();
  return total;
}
