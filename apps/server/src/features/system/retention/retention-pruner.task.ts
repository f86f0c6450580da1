import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import { dropExpiredScalarPartitions, ensureScalarPartitions } from "#db/scalar-partitions.ts";
import { dropExpiredSensorDataPartitions } from "#db/sensor-data-partitions.ts";
import { dropExpiredMinutes, dropExpiredQuarters, keptMinuteDays } from "#db/trend-partitions.ts";
import type { Clock } from "#lib/clock.ts";
import { forgetDirectoryChanges, forgetSessionChanges } from "#services/directory-changes.store.ts";
import type { Task } from "#services/service.ts";
import { startWalk, type Walk } from "#services/walk.ts";
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

const name = "RetentionPruner";
const daySeconds = 86_400;
const daysAhead = 2;
const batchSize = 1_000;
const nodesPerStep = 500;
// Each has its requests, which go with it.
const fileAsksPerStep = 100;
// Longer than any api process stays cut off from the database and still answers from what it knew.
const keptChangeSeconds = 7 * daySeconds;

/** Removes whatever is older than it is kept, in small steps: what a run does not reach is left to the next. Makes room for scalars to come. */
export function createRetentionPruner({ pool, clock, files, rows, readDays }: RetentionPrunerOptions): Task {
  return {
    name,
    intervalSeconds: 3600,
    did: (count) => `Removed ${counted(count, "item")}`,
    async run(signal) {
      const now = clock.now() / 1000;
      const days = await readDays();
      const before = (what: keyof RetentionDays) => now - days[what] * daySeconds;
      const walk = startWalk({ pool, clock, service: name, signal });
      await ensureScalarPartitions(pool, before("scalars"), now + daysAhead * daySeconds);

      const steps: [one: string, many: string, work: () => Promise<number>][] = [
        ["day of scalars", "days of scalars", async () => (await dropExpiredScalarPartitions(pool, before("scalars"))).length],
        [
          "month of sensor data",
          "months of sensor data",
          async () => (await dropExpiredSensorDataPartitions(pool, before("sensorData"))).length,
        ],
        ["week of minutes", "weeks of minutes", async () => (await dropExpiredMinutes(pool, now - keptMinuteDays * daySeconds)).length],
        [
          "year of quarters of an hour",
          "years of quarters of an hour",
          async () => (await dropExpiredQuarters(pool, before("sensorData"))).length,
        ],
        ["event", "events", () => forgetEvents({ pool, rows }, before("events"), walk, signal)],
        ["alarm", "alarms", () => forgetRows(walk, "alarm", before("events"), rows.findAlarms, rows.forgetAlarms)],
        [
          "notification",
          "notifications",
          () => forgetRows(walk, "notification", before("notifications"), rows.findNotifications, rows.forgetNotifications),
        ],
        ["verdict", "verdicts", () => forgetRows(walk, "verdict", before("activities"), rows.findVerdicts, rows.forgetVerdicts)],
        ["incident", "incidents", () => forgetRows(walk, "incident", before("activities"), rows.findIncidents, rows.forgetIncidents)],
        ["mute", "mutes", () => forgetRows(walk, "mute", before("activities"), rows.findMutes, rows.forgetMutes)],
        ["activity", "activities", () => forgetActivities(rows, before("activities"), walk)],
        ["directory change", "directory changes", () => forgetDirectoryChanges(pool, now - keptChangeSeconds)],
        ["session change", "session changes", () => forgetSessionChanges(pool, now - keptChangeSeconds)],
        // The most work comes last: it may take more than one run.
        [
          "file",
          "files",
          async () => {
            await rows.forgetCoverage(before("files"));
            await forgetFileAsks(rows, before("files"), signal);
            return files.prune(["D", "S", "H", "X"], before("files"), walk, signal);
          },
        ],
        ["event file", "event files", () => files.prune(["E"], before("events"), walk, signal)],
        ["stray content", "stray contents", () => files.sweep(walk, signal)],
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
      const did = removed.length === 0 ? "" : `Removed ${removed.join(", ")}`;
      if (failures.length > 0)
        throw new AggregateError(failures, [...failures.map(({ message }) => message), did].filter(Boolean).join("; "));
      return walk.end(processedCount, did);
    },
  };
}

function forgetRows(
  walk: Walk,
  kind: string,
  before: number,
  find: (before: number, limit: number, ids: readonly string[] | null) => Promise<string[]>,
  work: (ids: readonly string[]) => Promise<number>,
): Promise<number> {
  return walk.throughQueue({ kind, find: (ids) => find(before, batchSize, ids), idOf: (id) => id, work, findSize: batchSize });
}

async function forgetEvents(
  { pool, rows }: Pick<RetentionPrunerOptions, "pool" | "rows">,
  before: number,
  walk: Walk,
  signal: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let last = 0; !signal.aborted;) {
    const serials = await serialsAfter(pool, "node_event", last, nodesPerStep);
    total += await walk.over({
      items: await rows.serialsWithOldEvents(serials, before),
      kind: "node",
      idOf: (serial) => serial,
      batchSize: 1,
      async work([serial]) {
        if (serial === undefined) return 0;
        let forgotten = 0;
        for (let count = batchSize; count === batchSize && !signal.aborted; forgotten += count)
          count = await rows.forgetEvents(serial, before, batchSize);
        return forgotten;
      },
    });
    if (serials.length < nodesPerStep) break;
    last = serials.at(-1) ?? last;
  }
  return total;
}

async function forgetFileAsks(rows: ExpiredRowsStore, before: number, signal: AbortSignal): Promise<void> {
  for (let count = fileAsksPerStep; count === fileAsksPerStep && !signal.aborted;)
    count = await rows.forgetFileAsks(before, fileAsksPerStep);
}

async function forgetActivities(rows: ExpiredRowsStore, before: number, walk: Walk): Promise<number> {
  const total = await forgetRows(walk, "activity", before, rows.findActivities, (ids) => rows.forgetActivities(ids));
  if (total > 0) await rows.forgetEmptyTallies();
  return total;
}
