import type { Clock } from "#lib/clock.ts";
import type { LimitedLog } from "#lib/limited-log.ts";
import { blamesData, isLockTimeout, isOwnError } from "#db/database-failure.ts";
import { createGapRecount } from "./gap-recount.ts";
import type { IngestEntry } from "./ingest-entry.ts";
import { createIngestLane } from "./ingest-lane.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { createIngestWriter, type IngestWriterOptions } from "./ingest-writer.ts";
import { createPartitionKeeper } from "./partition-keeper.ts";

export interface IngestLanesOptions extends Omit<IngestWriterOptions, "noteFilled" | "partitions"> {
  clock: Clock;
  metrics: IngestMetrics;
  limitedLog: LimitedLog;
  /** Whether it failed because another process listens to some groups now; their entries are dropped then. */
  noteLostGroups?: (error: unknown) => boolean;
}

/** The writers together: each node has its lane, so two transactions run at a time and never touch the same node. */
export interface IngestLanes {
  add: (entry: IngestEntry) => void;
  noteFailure: (error: unknown) => void;
  /** The database answers, and nothing waits to be stored: who has nothing to write learns it from nowhere else. */
  noteAnswer(): void;
  poke(): void;
  abandon(error: Error): void;
  /** Since when nothing can be stored, undefined while it can. */
  readonly failingSinceMs: number | undefined;
}

const laneCount = 2;

export function createIngestLanes(options: IngestLanesOptions): IngestLanes {
  const { scalars, clock, metrics, limitedLog } = options;
  const partitions = createPartitionKeeper(scalars.ensurePartition);
  let failingSinceMs: number | undefined;

  const noteFailure = (error: unknown) => {
    if (options.noteLostGroups?.(error)) return;
    metrics.noteFailure();
    if (!blamesData(error) && !isOwnError(error)) failingSinceMs ??= clock.now();
    limitedLog("warn", "flush-failed", { err: error }, "scalars could not be stored; nothing is acknowledged until they are");
  };

  /** Edge nodes with a row, their own or a sub node's, that someone else holds. */
  const findLocked = async (entries: readonly IngestEntry[]): Promise<ReadonlySet<number>> => {
    const edges = new Map(entries.flatMap(({ subject, serial }) => (subject ? [[subject.serial, serial] as const] : [])));
    const locked = await scalars.findLocked([...edges.keys()]);
    return new Set(locked.flatMap((row) => edges.get(row) ?? []));
  };

  const lanes = Array.from({ length: laneCount }, () => {
    const recount = createGapRecount(clock, (requests) => scalars.recount(requests, options.outages()));
    const writer = createIngestWriter({ ...options, partitions, noteFilled: recount.request });
    return createIngestLane({
      locked: { isBlame: isLockTimeout, find: findLocked },
      async write(entries) {
        await writer.write(entries);
        failingSinceMs = undefined;
      },
      quarantine: writer.quarantine,
      isOutage: (error) => !blamesData(error) && !isOwnError(error),
      noteFailure,
      betweenWrites: () => recount.run().catch(noteFailure),
    });
  });

  return {
    add(entry) {
      for (const reason of entry.quarantine) {
        const details = { serial: entry.serial, topic: entry.topic.slice(0, 200), reason };
        limitedLog("warn", `quarantine ${reason}`, details, "its message is quarantined");
      }
      lanes[entry.serial % laneCount]!.add(entry);
    },
    noteFailure,
    noteAnswer: () => void (failingSinceMs = undefined),
    poke() {
      for (const lane of lanes) lane.poke();
    },
    abandon(error) {
      for (const lane of lanes) lane.abandon(error);
    },
    get failingSinceMs() {
      return failingSinceMs;
    },
  };
}
