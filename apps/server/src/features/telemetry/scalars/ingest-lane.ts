import { setTimeout as wait } from "node:timers/promises";
import type { IngestEntry } from "./ingest-entry.ts";
import { LostGroupError } from "./lost-group-error.ts";

export interface IngestLaneOptions {
  /** Stores all entries in one transaction or none. */
  write: (entries: readonly IngestEntry[]) => Promise<void>;
  /** Whether the failure is the database's, not the data's: the same batch is tried again until it succeeds. */
  isOutage: (error: unknown) => boolean;
  /** Called for each failed attempt. */
  noteFailure: (error: unknown) => void;
  /** Keeps what the database refuses, in its place. */
  quarantine: (entry: IngestEntry, error: unknown) => Promise<void>;
  /** Work that must not run beside a write, such as counting again. */
  betweenWrites: () => Promise<void>;
  maxBatch?: number;
  /** Batches begin at least this far apart. */
  pauseMs?: number;
  /** Under a light load live values wait so long for others: a transaction costs much more than a value in it. */
  calmPauseMs?: number;
}

export interface IngestLane {
  add(entry: IngestEntry): void;
  /** Runs `betweenWrites` when nothing is being written. */
  poke(): void;
  /** Gives up: whatever is not stored yet is settled with the error. */
  abandon(error: Error): void;
  readonly length: number;
}

const noOneWaits = () => {};
const firstBackoffMs = 100;
const maxBackoffMs = 5_000;
/** So small a batch is a sign of light load; so many that wait do not wait any longer. */
const calmBatch = 10;

/**
 * One of the writers. A node belongs to exactly one lane and a lane writes one batch at a time, so the changes of a node reach the
 * database in their order and two transactions never meet on its rows.
 */
export function createIngestLane(options: IngestLaneOptions): IngestLane {
  const { write, isOutage, noteFailure, quarantine, betweenWrites, maxBatch = 4_000, pauseMs = 5, calmPauseMs = 100 } = options;
  let queue: IngestEntry[] = [];
  let isRunning = false;
  let lastBeganAt = -Infinity;
  /** The senders of the last batch, when it was small. */
  let lastSerials: ReadonlySet<number> | undefined;
  let isHurried = false;
  let hurry = noOneWaits;
  const abandoned = new AbortController();

  const settleAll = (entries: readonly IngestEntry[], error?: Error) => {
    for (const entry of entries) entry.settle(error);
  };

  /** What another process stores now is not stored here. */
  const dropLost = (entries: readonly IngestEntry[]): readonly IngestEntry[] => {
    if (!entries.some(({ hold }) => hold?.isLost)) return entries;
    for (const entry of entries) if (entry.hold?.isLost) entry.settle(new LostGroupError(entry.hold));
    return entries.filter(({ hold }) => !hold?.isLost);
  };

  // Tries until the database takes the work, refuses the data in it, or ingest ends.
  const persist = async (work: () => Promise<void>): Promise<{ refusal: unknown } | "stored" | "abandoned"> => {
    for (let attempt = 0; !abandoned.signal.aborted; attempt++) {
      try {
        await work();
        return "stored";
      } catch (error) {
        noteFailure(error);
        if (!isOutage(error)) return { refusal: error };
        const backoffMs = Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.min(attempt, 10)) * (0.75 + Math.random() / 2);
        await wait(backoffMs, undefined, { signal: abandoned.signal }).catch(() => undefined);
      }
    }
    return "abandoned";
  };

  const store = async (all: readonly IngestEntry[]): Promise<void> => {
    let entries = all;
    const outcome = await persist(async () => {
      entries = dropLost(entries);
      if (entries.length > 0) await write(entries);
    });
    if (outcome === "stored") settleAll(entries);
    else if (outcome === "abandoned") settleAll(entries, abandoned.signal.reason as Error);
    else if (entries.length === 1) {
      const kept = await persist(() => quarantine(entries[0]!, outcome.refusal));
      settleAll(entries, kept === "abandoned" ? (abandoned.signal.reason as Error) : undefined);
    } else {
      // Something in the batch is refused: halves find it in few steps, and spare the others.
      const middle = entries.length >> 1;
      await store(entries.slice(0, middle));
      await store(entries.slice(middle));
    }
  };

  const isCalm = () => lastSerials !== undefined && queue.length <= calmBatch && !isHurried && !abandoned.signal.aborted;

  const waitForOthers = (milliseconds: number): Promise<void> =>
    new Promise((done) => {
      const end = () => {
        clearTimeout(timer);
        hurry = noOneWaits;
        done();
      };
      const timer = setTimeout(end, Math.max(0, milliseconds));
      hurry = end;
    });

  const run = async (): Promise<void> => {
    isRunning = true;
    while (queue.length > 0) {
      const sinceLast = performance.now() - lastBeganAt;
      if (sinceLast < pauseMs && queue.length < maxBatch) await wait(pauseMs - sinceLast);
      if (isCalm()) await waitForOthers(calmPauseMs - (performance.now() - lastBeganAt));
      lastBeganAt = performance.now();
      const batch = queue.length <= maxBatch ? queue : queue.slice(0, maxBatch);
      queue = batch === queue ? [] : queue.slice(maxBatch);
      if (queue.length === 0) isHurried = false;
      lastSerials = batch.length <= calmBatch ? new Set(batch.map(({ serial }) => serial)) : undefined;
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
      // Who sends again at once sends one message after the other, each after the acknowledgement of the one before.
      if (isUrgent(entry) || lastSerials?.has(entry.serial)) isHurried = true;
      if (!isCalm()) hurry();
      start();
    },
    poke() {
      if (isRunning) return;
      isRunning = true;
      void betweenWrites().then(run);
    },
    abandon(error) {
      abandoned.abort(error);
      hurry();
    },
    get length() {
      return queue.length;
    },
  };
}

/** Someone waits for it, or it is one of many that a node kept: anything but values of now. */
function isUrgent({ connection, report, telemetry, activities, quarantine }: IngestEntry): boolean {
  if (connection || report || !telemetry || activities.length > 0 || quarantine.length > 0) return true;
  return telemetry.events.length > 0 || telemetry.files !== undefined || telemetry.readings.some(({ isHistorical }) => isHistorical);
}
