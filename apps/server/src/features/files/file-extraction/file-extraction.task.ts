import { counted } from "@busbar/contract/values/counted.ts";
import type { Pool } from "pg";
import { ensureSensorDataPartitions } from "#db/sensor-data-partitions.ts";
import { inTransaction } from "#db/transaction.ts";
import type { NotifyExtractionFailures } from "#features/alarms/fleet-notices/extraction-notices.ts";
import { maxFileBytes } from "#lib/file-limits.ts";
import type { Clock } from "#lib/clock.ts";
import type { FileStore } from "#lib/file-store.ts";
import { localDay, zoneOrUtc } from "#lib/local-day.ts";
import { readStoredFile } from "#lib/stored-file.ts";
import { UnreadableFile } from "#lib/unreadable-file.ts";
import { zipProblem } from "#lib/zip-problem.ts";
import type { Task } from "#services/service.ts";
import { startWalk } from "#services/walk.ts";
import { fileItem } from "#shared/file-item-sql.ts";
import { parseDataPoint, type SensorValues } from "./data-point.parser.ts";
import type { DayOfNode, ExtractedFile, FileExtractionStore, PendingFileRow } from "./file-extraction.store.ts";
import { checkTime } from "./file-identity.ts";
import { checkHarmonicsFile, checkOneSecondFile } from "./sample-rows.parser.ts";
import { readText } from "./read-text.ts";

export interface FileExtractionOptions {
  pool: Pool;
  store: FileExtractionStore;
  fileStore: FileStore;
  clock: Clock;
  /** Notifies people of nodes whose files failed just now. */
  notifyFailures?: NotifyExtractionFailures;
}

const name = "FileExtraction";
const batchSize = 200;
const parallelReads = 8;
const binaryExtensions = /\.(dat|zip|cff)$/;

/** Turns stored files into sensor data, or says why not. The same file may be extracted any number of times. */
export function createFileExtraction({ pool, store, fileStore, clock, notifyFailures }: FileExtractionOptions): Task {
  const extract = async (file: PendingFileRow): Promise<ExtractedFile> => {
    try {
      return { file, failedReason: null, values: await readFile(file, fileStore, clock.now() / 1000) };
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      return { file, failedReason: error.message, values: undefined };
    }
  };

  const finish = async (extracted: readonly ExtractedFile[]): Promise<void> => {
    const now = clock.now() / 1000;
    const months = extracted.filter(({ values }) => values !== undefined).map(({ file }) => file.timestamp);
    await ensureSensorDataPartitions(pool, months);
    await inTransaction(pool, async (client) => {
      await store.finish(client, extracted, now);
      const days = daysOf(extracted, now);
      if (days.length > 0) await store.countMissing(client, days, now);
      const failed = new Set(extracted.filter(({ failedReason }) => failedReason !== null).map(({ file }) => file.serial));
      if (failed.size > 0) await notifyFailures?.(client, [...failed], now);
    });
  };

  return {
    name,
    intervalSeconds: 5,
    did: (count) => `Read ${counted(count, "file")}`,
    async run(signal) {
      const walk = startWalk({ pool, clock, service: name, signal });
      const total = await walk.throughQueue({
        kind: "file",
        find: (ids) => store.findPending(batchSize, ids),
        idOf: fileItem,
        async work(files) {
          await finish(await inParallel(files, extract));
          return files.length;
        },
        findSize: batchSize,
      });
      return walk.end(total);
    },
  };
}

async function readFile(file: PendingFileRow, fileStore: FileStore, now: number): Promise<SensorValues | undefined> {
  const { serial, timestamp, kind, interval } = file;
  if (file.nodeInterval === null) throw new UnreadableFile(`Unknown node ${serial}`);
  if (file.isDecommissioned) throw new UnreadableFile("Node is decommissioned");
  const content = await readStoredFile(fileStore, file, maxFileBytes[kind]);
  if (kind === "X") {
    checkTime(timestamp, timestamp, now);
    if (content.length === 0) throw new UnreadableFile("Empty file");
    if (!binaryExtensions.test(file.fileName) && content.includes(0)) throw new UnreadableFile(`NUL byte at ${content.indexOf(0)}`);
    const problem = file.fileName.endsWith(".zip") ? zipProblem(content) : undefined;
    if (problem !== undefined) throw new UnreadableFile(problem);
    return undefined;
  }
  const text = readText(content);
  const identity = { serial, timestamp, interval, nodeInterval: kind === "D" ? file.nodeInterval : undefined, now };
  if (kind === "D") return parseDataPoint(text, identity);
  if (kind === "S") checkOneSecondFile(text, identity);
  else checkHarmonicsFile(text, identity);
  return undefined;
}

/** The days to count again: the local day of now, for each node that had a data file. */
function daysOf(extracted: readonly ExtractedFile[], now: number): DayOfNode[] {
  const days = new Map<number, DayOfNode>();
  for (const { file } of extracted) {
    if (file.kind !== "D" || file.nodeInterval === null) continue;
    const { date, start } = localDay(zoneOrUtc(file.timezone), now);
    days.set(file.serial, { serial: file.serial, interval: file.nodeInterval, day: date, start });
  }
  return [...days.values()].toSorted((a, b) => a.serial - b.serial);
}

/** Nothing goes on behind the caller's back when one fails. */
async function inParallel<In, Out>(items: readonly In[], work: (item: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  const failures: unknown[] = [];
  const queue = items.values();
  const lane = async () => {
    for (const item of queue) {
      if (failures.length > 0) return;
      await work(item).then(
        (result) => results.push(result),
        (error: unknown) => failures.push(error),
      );
    }
  };
  await Promise.all(Array.from({ length: parallelReads }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
