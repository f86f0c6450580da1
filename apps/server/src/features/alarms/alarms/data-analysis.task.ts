import { counted } from "@busbar/contract/values/counted.ts";
import type { AlarmSettings } from "@busbar/alarms/alarm-settings.ts";
import { judgeRecord } from "@busbar/alarms/record-alarms.ts";
import { judgeSeconds } from "@busbar/alarms/second-alarms.ts";
import type { SecondSeries } from "@busbar/alarms/second-series.ts";
import type { Pool, PoolClient } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { DataPointReview } from "#features/alarms/data-point-alerts/data-point-alerts.service.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { toAlarmSettings, type FleetLimits } from "./alarm-settings.view.ts";
import type { AlarmsStore, NodeAlarmChange } from "./alarms.store.ts";
import { analysisKey, markAnalysed, rememberNameplates, type DataAnalysisStore, type FileToAnalyse } from "./data-analysis.store.ts";
import { readSignatures } from "#lib/harmonic-signatures.ts";
import { startWalk } from "#services/walk.ts";
import { fileItem } from "#shared/file-item-sql.ts";
import { toDataRecord } from "./data-record.view.ts";
import { writeAlarmChanges, type NotifyOfAlarms } from "./write-alarm-changes.ts";

/** A file whose interval ended longer ago is history: what it shows comes too late for anyone. */
const historySeconds = 3_600;
const name = "DataAnalysis";
const filesPerBatch = 200;
const passedOverAtOnce = 20_000;

export interface DataAnalysisOptions {
  pool: Pool;
  store: DataAnalysisStore;
  alarms: Pick<AlarmsStore, "monitoredNodesOf">;
  clock: Clock;
  limits: () => Promise<FleetLimits>;
  /** What a stored one-second file holds; undefined when its bytes are gone. */
  readSeconds: (file: { hash: Buffer; isGzip: boolean; timestamp: number; interval: number }) => Promise<SecondSeries | undefined>;
  notify: NotifyOfAlarms;
  /** Inside the same transaction. */
  reviewDataPoints: (client: PoolClient, reviews: readonly DataPointReview[]) => Promise<void>;
}

interface Judged {
  file: FileToAnalyse;
  changes: NodeAlarmChange[];
  review: DataPointReview | undefined;
}

/**
 * Judges extracted data points and one-second files, each at most once: the mark, the alarms and their messages are one transaction.
 * A file that comes after a newer one of its node, or more than an hour after its interval, is history: it is marked and raises nothing.
 * So is in the end a file that cannot be judged.
 */
export function createDataAnalysis(options: DataAnalysisOptions): Task {
  const { pool, store, alarms, clock, limits, readSeconds, notify, reviewDataPoints } = options;

  /** In order of time: what a record raises is open for the next one of its node. */
  async function judge(files: readonly FileToAnalyse[]): Promise<Judged[]> {
    const current = files.filter(({ isOvertaken }) => !isOvertaken);
    const serials = [...new Set(current.map(({ serialNumber }) => serialNumber))];
    const fleetLimits = await limits();
    const nodes = new Map((await alarms.monitoredNodesOf(serials)).map((row) => [row.serialNumber, row]));
    const open = await store.openKinds(serials);
    const judged: Judged[] = [];
    for (const file of current) {
      const node = nodes.get(file.serialNumber);
      if (!node) continue;
      const settings = toAlarmSettings(node, fleetLimits);
      const openKinds = open.get(file.serialNumber) ?? new Set<string>();
      open.set(file.serialNumber, openKinds);
      const found =
        file.kind === "D"
          ? judgeRecord(toDataRecord(file), settings, readSignatures(node.signatures), openKinds)
          : await judgeSecondsOf(file, settings);
      for (const { kind, change } of file.kind === "D" ? found : []) {
        if (change === "raised") openKinds.add(kind);
        else openKinds.delete(kind);
      }
      judged.push({
        file,
        changes: found.map((change) => ({ ...change, serialNumber: file.serialNumber, locationId: node.locationId })),
        review: file.kind === "D" && file.values !== null ? reviewOf(file, file.values, settings) : undefined,
      });
    }
    return judged;
  }

  async function judgeSecondsOf(file: FileToAnalyse, settings: AlarmSettings) {
    const series = await readSeconds(file);
    return series ? judgeSeconds(series, settings) : [];
  }

  async function analyse(files: readonly FileToAnalyse[]): Promise<number> {
    const judged = await judge(files);
    return await inTransaction(pool, async (client) => {
      const marked = await markAnalysed(client, files);
      const counting = judged.filter(({ file }) => marked.has(analysisKey(file)));
      const records = files.filter((file) => file.kind === "D" && !file.isOvertaken && marked.has(analysisKey(file)));
      if (records.length > 0) await rememberNameplates(client, records);
      const changes = counting.flatMap((one) => one.changes);
      if (changes.length > 0) await writeAlarmChanges(client, changes, notify);
      const reviews = counting.flatMap(({ review }) => review ?? []);
      if (reviews.length > 0) await reviewDataPoints(client, reviews);
      return files.length;
    });
  }

  return {
    name,
    intervalSeconds: 15,
    did: (count) => `Analysed ${counted(count, "file")}`,
    async run(signal) {
      const now = clock.now() / 1000;
      let total = 0;
      let passedOver = passedOverAtOnce;
      while (passedOver === passedOverAtOnce && !signal.aborted) {
        passedOver = await store.passOver(now - historySeconds, passedOverAtOnce);
        total += passedOver;
      }
      const walk = startWalk({ pool, clock, service: name, signal });
      total += await walk.throughQueue({
        kind: "file",
        find: (ids) => store.findPending(filesPerBatch, ids),
        idOf: fileItem,
        work: analyse,
        findSize: filesPerBatch,
      });
      return walk.end(total);
    },
  };
}

function reviewOf(
  { serialNumber, timestamp, interval }: FileToAnalyse,
  values: NonNullable<FileToAnalyse["values"]>,
  settings: AlarmSettings,
): DataPointReview {
  return { serialNumber, at: timestamp + interval, values, settings };
}
