import { setImmediate as nextTurn } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { dataFileName, parseDataFileName } from "@busbar/contract/files/data-file-name.ts";
import { isExternalNodeType } from "@busbar/contract/values/option-lists.ts";
import { inTransaction } from "@busbar/server/db/transaction.ts";
import { createDataFilesStore, type NewDataFile } from "@busbar/server/features/files/data-files/data-files.store.ts";
import type { FileStore } from "@busbar/server/lib/file-store.ts";
import type { Pool } from "@busbar/server/db/pool.ts";
import { defaultDataInterval, makeDataFile } from "@busbar/simulator/files/data-file.ts";
import { md5Of } from "@busbar/simulator/files/data-file-text.ts";
import { createPlant } from "@busbar/simulator/node-model/plant.ts";
import type { DemoNode } from "./world/demo-world.ts";
import { hasScalars, toSimNodes } from "./world/sim-nodes.ts";
import { findOldestFiles } from "./file-history.store.ts";

export interface FileHistoryOptions {
  pool: Pool;
  fileStore: FileStore;
  nodes: readonly DemoNode[];
  seed: number;
  faultScale: number;
  hours: number;
  /** Epoch seconds. */
  now: number;
  signal: AbortSignal;
}

interface PastFile {
  name: string;
  bytes: Uint8Array;
  receivedAtMs: number;
}

const batchFiles = 60;
const oneSecondHours = 6;
const externalEverySeconds = 6 * 3_600;

/**
 * Files that the nodes uploaded in the past, newest first, made beside everything else: the demo does not wait for them. What a former
 * start left undone is gone on with.
 */
export async function fillFileHistory(options: FileHistoryOptions): Promise<void> {
  const { pool, fileStore, signal } = options;
  const store = createDataFilesStore(pool);
  let batch: PastFile[] = [];
  const flush = async () => {
    const files = batch;
    batch = [];
    if (files.length === 0) return;
    const hashes = await fileStore.putAll(files.map(({ bytes }) => bytes));
    const rows = files.map(({ name, bytes, receivedAtMs }, index): NewDataFile => ({
      parsed: parseDataFileName(name)!,
      hash: hashes[index]!,
      md5: md5Of(bytes),
      storedBytes: bytes.length,
      isGzip: true,
      receivedAtMs,
      source: name.includes("_X") ? "upload" : "node",
    }));
    await inTransaction(pool, (client) => store.store(client, rows));
  };
  for (const file of pastFiles(options, await findOldestFiles(pool))) {
    if (signal.aborted) return;
    batch.push(file);
    if (batch.length >= batchFiles) await flush();
    await nextTurn();
  }
  await flush();
}

function* pastFiles({ nodes, seed, faultScale, hours, now }: FileHistoryOptions, oldest: ReadonlyMap<number, number>): Generator<PastFile> {
  const simNodes = toSimNodes(nodes.filter(hasScalars), new Map());
  const plant = createPlant({ seed, nodes: simNodes, faultScale, script: [] });
  const newest = (Math.floor(now / defaultDataInterval) - 1) * defaultDataInterval;
  for (let timestamp = newest; timestamp > now - hours * 3_600; timestamp -= defaultDataInterval) {
    const kinds = timestamp > now - oneSecondHours * 3_600 ? (["D", "S"] as const) : (["D"] as const);
    for (const plantNode of plant.nodes.values()) {
      const { serial } = plantNode.model.node;
      if (timestamp >= (oldest.get(serial) ?? Infinity)) continue;
      for (const kind of kinds) {
        const file = makeDataFile({ seed, plantNode, kind, timestamp, faultScale });
        const arrivedAt = timestamp + defaultDataInterval + (file?.fault?.kind === "fileLate" ? file.fault.seconds : 20);
        if (file && arrivedAt < now) yield { name: file.name, bytes: file.bytes, receivedAtMs: arrivedAt * 1000 };
      }
    }
    if (timestamp % externalEverySeconds === 0) yield* externalFiles(nodes, timestamp, oldest);
  }
}

/** What recorders of other makers upload: readings each minute. */
function* externalFiles(nodes: readonly DemoNode[], timestamp: number, oldest: ReadonlyMap<number, number>): Generator<PastFile> {
  for (const { serial, type, currentStatus } of nodes) {
    if (!isExternalNodeType(type) || currentStatus === "Decommissioned" || timestamp >= (oldest.get(serial) ?? Infinity)) continue;
    const rows = Array.from({ length: 60 }, (_, minute) => {
      const wave = Math.sin((timestamp / 60 + minute + serial) / 9);
      return `${timestamp + minute * 60},${(478 + 2 * wave).toFixed(1)},${(61 + 8 * wave).toFixed(2)}`;
    });
    const bytes = gzipSync(`time,volts,amps\n${rows.join("\n")}\n`);
    const name = dataFileName({ serial, timestamp, kind: "X", interval: 3_600, extension: "csv" });
    yield { name, bytes, receivedAtMs: (timestamp + 3_660) * 1000 };
  }
}
