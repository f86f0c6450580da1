import type { Pool, PoolClient } from "pg";
import { inPipelinedTransaction } from "#db/pipelined-transaction.ts";
import type { GroupHold } from "#features/telemetry/node-groups/node-groups.store.ts";
import type { ConnectivityStore, NewNodeActivity, StoredBirthRow } from "#features/telemetry/connectivity/connectivity.store.ts";
import type { MeterStore } from "#features/telemetry/metering/meters.store.ts";
import type { NodeAnswersStore } from "#features/telemetry/node-commands/node-answers.store.ts";
import type { QuarantinedMessage, QuarantineStore } from "#features/telemetry/quarantine/quarantine.store.ts";
import type { LimitedLog } from "#lib/limited-log.ts";
import { warnSkewMs } from "./clock-skew.ts";
import { isDuplicate, lacksPartition } from "#db/database-failure.ts";
import type { IngestEntry } from "./ingest-entry.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { commitPlan, planBatch, type IngestPlan } from "./ingest-plan.ts";
import type { NodeReport } from "./node-report.ts";
import type { IngestPresence } from "./ingest-presence.ts";
import type { PartitionKeeper } from "./partition-keeper.ts";
import type { LiveState } from "./live-state.ts";
import type { ScalarsStore, WriteCounts } from "./scalars.store.ts";

export interface IngestWriterOptions {
  pool: Pool;
  scalars: ScalarsStore;
  meters: MeterStore;
  partitions: PartitionKeeper;
  connectivity: ConnectivityStore;
  quarantine: QuarantineStore;
  nodeAnswers: NodeAnswersStore;
  metrics: IngestMetrics;
  limitedLog: LimitedLog;
  /** When the platform itself was away. */
  outages: IngestPresence["outages"];
  /** The nodes' gaps were filled: their day is to be counted again. */
  noteFilled: (states: readonly LiveState[]) => void;
  /** Of an external broker: the last statement before the COMMIT, which fails when another process listens to one of the groups. */
  holdGroups?: (client: PoolClient, holds: ReadonlySet<GroupHold>) => Promise<void>;
}

export interface IngestWriter {
  write: (entries: readonly IngestEntry[]) => Promise<void>;
  quarantine: (entry: IngestEntry, error: unknown) => Promise<void>;
}

/** Of one node's row all others wait so long, once. */
const lockPatienceMs = 150;

/** Puts a batch of entries into one transaction. */
export function createIngestWriter(options: IngestWriterOptions): IngestWriter {
  const { pool, scalars, meters, partitions, connectivity, quarantine, nodeAnswers, metrics, limitedLog, noteFilled, holdGroups } = options;
  return {
    async write(entries) {
      const beganAt = performance.now();
      const plan = planBatch(entries, options.outages());
      const { births, activities, reports, messages, holds } = collect(entries);
      const attempt = (mayBeStored: boolean) =>
        inPipelinedTransaction<WriteCounts | void>(pool, (client) => [
          scalars.limitWaiting(client, lockPatienceMs),
          ...scalars.write(client, plan, mayBeStored),
          ...meters.write(client, plan.live),
          ...(births.length > 0 ? [connectivity.writeBirths(client, births)] : []),
          ...(activities.length > 0 ? [connectivity.writeActivities(client, activities)] : []),
          ...(reports.length > 0 ? [nodeAnswers.write(client, reports)] : []),
          ...(messages.length > 0 ? [quarantine.write(client, messages)] : []),
          ...(holdGroups && holds.size > 0 ? [holdGroups(client, holds)] : []),
        ]);
      try {
        await partitions.prepare(plan);
        // A batch whose COMMIT got no answer, or what a node sends again after our restart.
        const counts = await attempt(false).catch((error: unknown) => {
          if (isDuplicate(error)) return attempt(true);
          throw error;
        });
        commitPlan(plan);
        const scalarCounts = counts.filter((count) => count !== undefined);
        const storedReadings = scalarCounts.reduce((sum, count) => sum + count.storedReadings, 0);
        const filled = new Set(scalarCounts.flatMap((count) => count.filledSerials));
        if (filled.size > 0) noteFilled(plan.live.map(({ state }) => state).filter(({ serial }) => filled.has(serial)));
        const planned = plan.newReadings.length + plan.olderReadings.length + plan.lateReadings.length;
        metrics.noteStored(storedReadings, planned - storedReadings);
        metrics.noteFlush((performance.now() - beganAt) / 1000);
        for (const { reason } of messages) metrics.noteQuarantined(reason);
        warnOfClocks(plan, limitedLog);
      } catch (error) {
        if (lacksPartition(error)) partitions.forget();
        throw error;
      }
    },
    async quarantine(entry, error) {
      const reason = "refused-by-database";
      limitedLog(
        "error",
        reason,
        { err: error, serial: entry.serial, topic: entry.topic },
        "the database refused its message, which is quarantined",
      );
      const message = { serial: entry.serial, reason, topic: entry.topic, bytes: entry.bytes, receivedAtMs: entry.receivedAtMs };
      metrics.noteQuarantined(reason);
      await inPipelinedTransaction(pool, (client) => [quarantine.write(client, [message])]);
    },
  };
}

function collect(entries: readonly IngestEntry[]) {
  const births = new Map<number, StoredBirthRow>();
  const activities: NewNodeActivity[] = [];
  const reports: NodeReport[] = [];
  const messages: QuarantinedMessage[] = [];
  const holds = new Set<GroupHold>();
  for (const { serial, topic, bytes, receivedAtMs, hold, connection, activities: own, report: ownReport, quarantine } of entries) {
    if (hold) holds.add(hold);
    if (connection?.birth) births.set(serial, { serial, bornAtMs: receivedAtMs, ...connection.birth });
    activities.push(...own);
    if (ownReport) reports.push(ownReport);
    for (const reason of quarantine) messages.push({ serial, reason, topic, bytes, receivedAtMs });
  }
  return { births: [...births.values()], activities, reports, messages, holds };
}

function warnOfClocks(plan: IngestPlan, limitedLog: LimitedLog): void {
  for (const { state, skewMs } of plan.live) {
    if (skewMs === undefined || Math.abs(skewMs) <= warnSkewMs) continue;
    limitedLog("warn", "clock-drift", { serial: state.serial, skewMs }, "CLOCK_DRIFT: its clock is away from ours");
  }
}
