import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { ConnectivityStore, NewNodeActivity, StoredBirthRow } from "#features/connectivity/connectivity.store.ts";
import type { QuarantinedMessage, QuarantineStore } from "#features/quarantine/quarantine.store.ts";
import type { LimitedLog } from "#lib/limited-log.ts";
import { warnSkewMs } from "./clock-skew.ts";
import { lacksPartition } from "./database-failure.ts";
import type { IngestEntry } from "./ingest-entry.ts";
import type { IngestMetrics } from "./ingest-metrics.ts";
import { commitPlan, planBatch } from "./ingest-plan.ts";
import type { IngestPlan } from "./ingest-plan.ts";
import type { LiveState } from "./live-state.ts";
import type { ScalarsStore } from "./scalars.store.ts";

export interface IngestWriterOptions {
  pool: Pool;
  scalars: ScalarsStore;
  connectivity: ConnectivityStore;
  quarantine: QuarantineStore;
  metrics: IngestMetrics;
  limitedLog: LimitedLog;
  /** The nodes' gaps were filled: their day is to be counted again. */
  noteFilled: (states: readonly LiveState[]) => void;
}

export interface IngestWriter {
  write: (entries: readonly IngestEntry[]) => Promise<void>;
  quarantine: (entry: IngestEntry, error: unknown) => Promise<void>;
}

const dayMs = 86_400_000;

/** Puts a batch of entries into one transaction. */
export function createIngestWriter(options: IngestWriterOptions): IngestWriter {
  const { pool, scalars, connectivity, quarantine, metrics, limitedLog, noteFilled } = options;
  const preparedDays = new Set<number>();

  const preparePartitions = async (plan: IngestPlan) => {
    let lastDay = -1;
    for (const { reading } of [...plan.readings, ...plan.lateReadings]) {
      const day = Math.floor(reading.atMs / dayMs);
      if (day === lastDay || preparedDays.has(day)) continue;
      lastDay = day;
      await scalars.ensurePartition((day * dayMs) / 1000);
      preparedDays.add(day);
    }
  };

  return {
    async write(entries) {
      const beganAt = performance.now();
      const plan = planBatch(entries);
      const { births, activities, messages } = collect(entries);
      try {
        await preparePartitions(plan);
        const { storedReadings, filledSerials } = await inTransaction(pool, async (client) => {
          const counts = await scalars.write(client, plan);
          if (births.length > 0) await connectivity.writeBirths(client, births);
          if (activities.length > 0) await connectivity.writeActivities(client, activities);
          if (messages.length > 0) await quarantine.write(client, messages);
          return counts;
        });
        commitPlan(plan);
        if (filledSerials.length > 0) {
          const filled = new Set(filledSerials);
          noteFilled(plan.live.flatMap(({ state }) => (filled.has(state.serial) ? [state] : [])));
        }
        metrics.noteStored(storedReadings, plan.readings.length + plan.lateReadings.length - storedReadings);
        metrics.noteFlush((performance.now() - beganAt) / 1000);
        for (const { reason } of messages) metrics.noteQuarantined(reason);
        warnOfClocks(plan, limitedLog);
      } catch (error) {
        if (lacksPartition(error)) preparedDays.clear();
        throw error;
      }
    },
    async quarantine(entry, error) {
      const reason = "refused-by-database";
      limitedLog(
        "error",
        reason,
        { err: error, serial: entry.serial, topic: entry.topic },
        "the database refused a message; it is quarantined",
      );
      const message = { serial: entry.serial, reason, topic: entry.topic, bytes: entry.bytes, receivedAtMs: entry.receivedAtMs };
      metrics.noteQuarantined(reason);
      await inTransaction(pool, (client) => quarantine.write(client, [message]));
    },
  };
}

function collect(entries: readonly IngestEntry[]) {
  const births = new Map<number, StoredBirthRow>();
  const activities: NewNodeActivity[] = [];
  const messages: QuarantinedMessage[] = [];
  for (const { serial, topic, bytes, receivedAtMs, connection, activities: own, quarantine } of entries) {
    if (connection?.birth) births.set(serial, { serial, bornAtMs: receivedAtMs, ...connection.birth });
    activities.push(...own);
    for (const reason of quarantine) messages.push({ serial, reason, topic, bytes, receivedAtMs });
  }
  return { births: [...births.values()], activities, messages };
}

function warnOfClocks(plan: IngestPlan, limitedLog: LimitedLog): void {
  for (const { state, skewMs } of plan.live) {
    if (skewMs === undefined || Math.abs(skewMs) <= warnSkewMs) continue;
    limitedLog("warn", "clock-drift", { serial: state.serial, skewMs }, "CLOCK_DRIFT: a node's clock is away from ours");
  }
}
