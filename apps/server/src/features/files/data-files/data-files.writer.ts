import { setTimeout as wait } from "node:timers/promises";
import { inTransaction } from "#db/transaction.ts";
import type { FileStore } from "#lib/file-store.ts";
import type { AssembledFile } from "./file-assembly.ts";
import { fileKey, filePart, type DataFilesStore, type NewDataFile, type StoreOutcome } from "./data-files.store.ts";
import type { Pool } from "pg";

/** A whole file that waits to be stored. `settle` is called once, after COMMIT; never when ingest ends before. */
export interface WaitingFile extends AssembledFile {
  receivedAtMs: number;
  settle: (outcome: StoreOutcome) => void;
}

export interface DataFilesWriter {
  /** False when it holds all that it may hold: the file is not taken, its sender keeps it. */
  add(file: WaitingFile): boolean;
  stop(): Promise<void>;
}

export interface DataFilesWriterOptions {
  pool: Pool;
  store: DataFilesStore;
  fileStore: FileStore;
  noteFailure: (error: unknown) => void;
  maxBytes?: number;
}

const maxBatchFiles = 256;
const maxBatchBytes = 8 * 1024 * 1024;
const firstBackoffMs = 100;
const maxBackoffMs = 5_000;

/** Stores whole files: bytes first, then their rows in one transaction, then the word to the senders. */
export function createDataFilesWriter(options: DataFilesWriterOptions): DataFilesWriter {
  const { pool, store, fileStore, noteFailure, maxBytes = 64 * 1024 * 1024 } = options;
  let queue: WaitingFile[] = [];
  let heldBytes = 0;
  let running: Promise<void> | undefined;
  const stopping = new AbortController();

  const write = async (files: readonly WaitingFile[]): Promise<StoreOutcome[]> => {
    const hashes = await fileStore.putAll(files.map(({ bytes }) => bytes));
    const rows = files.map(({ parsed, md5, isGzip, bytes, receivedAtMs }, index): NewDataFile => ({
      parsed,
      md5,
      isGzip,
      hash: hashes[index]!,
      storedBytes: bytes.length,
      receivedAtMs,
      source: "node",
    }));
    return inTransaction(pool, (client) => store.store(client, rows));
  };

  const persist = async (files: readonly WaitingFile[]): Promise<void> => {
    for (let attempt = 0; !stopping.signal.aborted; attempt++) {
      try {
        const outcomes = await write(files);
        files.forEach((file, index) => file.settle(outcomes[index]!));
        return;
      } catch (error) {
        noteFailure(error);
        const backoffMs = Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.min(attempt, 10)) * (0.75 + Math.random() / 2);
        await wait(backoffMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };

  const run = async (): Promise<void> => {
    // What has just been read from the sockets goes into one batch.
    await wait(5);
    while (queue.length > 0 && !stopping.signal.aborted) {
      const { batch, rest } = takeBatch(queue);
      queue = rest;
      await persist(batch);
      for (const { bytes } of batch) heldBytes -= bytes.length;
    }
    running = undefined;
  };

  return {
    add(file) {
      if (stopping.signal.aborted || heldBytes + file.bytes.length > maxBytes) return false;
      heldBytes += file.bytes.length;
      queue.push(file);
      running ??= run();
      return true;
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Files of one transaction; of two under one name the later one waits for the next. */
function takeBatch(queue: readonly WaitingFile[]): { batch: WaitingFile[]; rest: WaitingFile[] } {
  const batch: WaitingFile[] = [];
  const rest: WaitingFile[] = [];
  const keys = new Set<string>();
  let bytes = 0;
  for (const file of queue) {
    const key = fileKey(file.parsed, filePart(file.parsed));
    const isFull = batch.length >= maxBatchFiles || (bytes > 0 && bytes + file.bytes.length > maxBatchBytes);
    if (isFull || keys.has(key)) rest.push(file);
    else {
      batch.push(file);
      bytes += file.bytes.length;
    }
    keys.add(key);
  }
  return { batch, rest };
}
