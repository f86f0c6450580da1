import { setTimeout as wait } from "node:timers/promises";
import type { IngestEntry } from "./ingest-entry.ts";

export interface IngestLaneOptions {
  /** Stores all entries in one transaction or none. */
  write(entries: readonly IngestEntry[]): Promise<void>;
  /** Whether the failure is the database's, not the data's: the same batch is tried again until it succeeds. */
  isOutage(error: unknown): boolean;
  /** Called for each failed attempt. */
  noteFailure(error: unknown): void;
  /** Keeps what the database refuses, in its place. */
  quarantine(entry: IngestEntry, error: unknown): Promise<void>;
  /** Work that must not run beside a write, such as counting again. */
  betweenWrites(): Promise<void>;
  maxBatch?: number;
  /** Batches begin at least this far apart, so that a light load makes few transactions. */
  pauseMs?: number;
}

export interface IngestLane {
  add(entry: IngestEntry): void;
  /** Runs `betweenWrites` when nothing is being written. */
  poke(): void;
  /** Ends the wait between attempts: a database that came back is noticed at once, a stop is not held up. */
  abandon(error: Error): void;
  readonly length: number;
}

const firstBackoffMs = 100;
const maxBackoffMs = 5_000;

/**
 * One of the writers. A node belongs to exactly one lane and a lane writes one batch at a time, so the changes of a node reach the
 * database in their order and two transactions never meet on its rows.
 */
export function createIngestLane(options: IngestLaneOptions): IngestLane {
  const { write, isOutage, noteFailure, quarantine, betweenWrites, maxBatch = 4_000, pauseMs = 5 } = options;
  let queue: IngestEntry[] = [];
  let isRunning = false;
  let lastBeganAt = -Infinity;
  const abandoned = new AbortController();

  const settleAll = (entries: readonly IngestEntry[], error?: Error) => {
    for (const entry of entries) entry.settle(error);
  };

  const store = async (entries: readonly IngestEntry[]): Promise<void> => {
    for (let attempt = 0; ; attempt++) {
      if (abandoned.signal.aborted) return settleAll(entries, abandoned.signal.reason as Error);
      try {
        await write(entries);
        return settleAll(entries);
      } catch (error) {
        noteFailure(error);
        if (!isOutage(error)) return await storeParts(entries, error);
        const backoffMs = Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.min(attempt, 10)) * (0.75 + Math.random() / 2);
        await wait(backoffMs, undefined, { signal: abandoned.signal }).catch(() => undefined);
      }
    }
  };

  // The database refuses the batch because of something in it: halves find it in few steps, and spare the others.
  const storeParts = async (entries: readonly IngestEntry[], error: unknown): Promise<void> => {
    if (entries.length > 1) {
      const middle = entries.length >> 1;
      await store(entries.slice(0, middle));
      await store(entries.slice(middle));
      return;
    }
    for (const entry of entries) {
      await quarantine(entry, error);
      entry.settle();
    }
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    while (queue.length > 0) {
      const sinceLast = performance.now() - lastBeganAt;
      if (sinceLast < pauseMs && queue.length < maxBatch) await wait(pauseMs - sinceLast);
      lastBeganAt = performance.now();
      const batch = queue.length <= maxBatch ? queue : queue.slice(0, maxBatch);
      queue = batch === queue ? [] : queue.slice(maxBatch);
      await store(batch);
      await betweenWrites();
    }
    isRunning = false;
  };

  const start = () => {
    if (isRunning) return;
    isRunning = true;
    // The rest of what has just been read from the sockets goes into the same batch.
    setImmediate(() => void run());
  };

  return {
    add(entry) {
      queue.push(entry);
      start();
    },
    poke() {
      if (isRunning) return;
      isRunning = true;
      void betweenWrites().then(run);
    },
    abandon(error) {
      abandoned.abort(error);
    },
    get length() {
      return queue.length;
    },
  };
}
