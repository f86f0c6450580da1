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
  /** Of nodes whose rows someone else holds: they wait by themselves. Without it a batch waits for all of its rows. */
  locked?: LockedNodes;
  /** Work that must not run beside a write, such as counting again. */
  betweenWrites: () => Promise<void>;
  maxBatch?: number;
  /** Batches begin at least this far apart. */
  pauseMs?: number;
  /** Under a light load live values wait so long for others: a transaction costs much more than a value in it. */
  calmPauseMs?: number;
}

export interface LockedNodes {
  /** Whether a write failed because it would have waited for too long. */
  isBlame: (error: unknown) => boolean;
  /** Edge nodes whose rows cannot be written now. */
  find: (entries: readonly IngestEntry[]) => Promise<ReadonlySet<number>>;
}

export interface IngestLane {
  add(entry: IngestEntry): void;
  /** Runs `betweenWrites` when nothing is being written. */
  poke(): void;
  /** Gives up: whatever is not stored yet is settled with the error. */
  abandon(error: Error): void;
  readonly length: number;
}

const apartPauseMs = 100;
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
  const { write, isOutage, noteFailure, quarantine, betweenWrites, locked, maxBatch = 4_000, pauseMs = 5, calmPauseMs = 100 } = options;
  let queue: IngestEntry[] = [];
  let isRunning = false;
  let lastBeganAt = -Infinity;
  /** The senders of the last batch, when it was small. */
  let lastSerials: ReadonlySet<number> | undefined;
  let isHurried = false;
  let hurry = noOneWaits;
  const abandoned = new AbortController();
  /** Nodes whose rows were held, and what came from them since. */
  const apart = new Set<number>();
  let apartQueue: IngestEntry[] = [];

  const isLocked = (error: unknown) => locked?.isBlame(error) === true;

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
  const persist = async (
    work: () => Promise<void>,
    mayGoOn: (error: unknown) => Promise<boolean> = () => Promise.resolve(false),
  ): Promise<{ refusal: unknown } | "stored" | "abandoned"> => {
    for (let attempt = 0; !abandoned.signal.aborted; attempt++) {
      try {
        await work();
        return "stored";
      } catch (error) {
        if (await mayGoOn(error)) continue;
        noteFailure(error);
        // A lock that no node's row explains ends some time, too.
        if (!isOutage(error) && !isLocked(error)) return { refusal: error };
        const backoffMs = Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.min(attempt, 10)) * (0.75 + Math.random() / 2);
        await wait(backoffMs, undefined, { signal: abandoned.signal }).catch(() => undefined);
      }
    }
    return "abandoned";
  };

  const store = async (all: readonly IngestEntry[]): Promise<void> => {
    let entries = all;
    const outcome = await persist(
      async () => {
        entries = dropLost(entries);
        if (entries.length > 0) await write(entries);
      },
      async (error) => {
        if (!isLocked(error)) return false;
        const before = entries.length;
        entries = await setApart(entries);
        return entries.length < before;
      },
    );
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

  /** Returns those that need not wait. */
  const setApart = async (entries: readonly IngestEntry[]): Promise<readonly IngestEntry[]> => {
    const serials = await locked!.find(entries).catch(() => new Set<number>());
    if (serials.size === 0) return entries;
    for (const serial of serials) apart.add(serial);
    const isFirst = apartQueue.length === 0;
    // What came from them meanwhile comes after what is in the batch.
    apartQueue = [...apartQueue, ...[...entries, ...queue].filter(({ serial }) => serials.has(serial))];
    queue = queue.filter(({ serial }) => !serials.has(serial));
    if (isFirst) void runApart();
    return entries.filter(({ serial }) => !serials.has(serial));
  };

  /** Writes what was set apart as soon as its rows are free. */
  const runApart = async (): Promise<void> => {
    while (apartQueue.length > 0) {
      await wait(apartPauseMs, undefined, { signal: abandoned.signal }).catch(() => undefined);
      if (abandoned.signal.aborted) return settleAll(apartQueue.splice(0), abandoned.signal.reason as Error);
      apartQueue = [...dropLost(apartQueue)];
      const entries = apartQueue;
      try {
        const serials = await locked!.find(entries);
        const free = entries.filter(({ serial }) => !serials.has(serial)).slice(0, maxBatch);
        if (free.length === 0) continue;
        await write(free);
        const written = new Set(free);
        apartQueue = apartQueue.filter((entry) => !written.has(entry));
        settleAll(free);
      } catch (error) {
        if (!isLocked(error)) giveBack(error);
      }
      const left = new Set(apartQueue.map(({ serial }) => serial));
      for (const serial of apart) if (!left.has(serial)) apart.delete(serial);
    }
  };

  /** What does not fail for its locks is for the lane to deal with. */
  const giveBack = (error: unknown) => {
    noteFailure(error);
    if (isOutage(error)) return;
    queue = [...apartQueue.splice(0), ...queue];
    start();
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
      if (apart.size > 0 && apart.has(entry.serial)) {
        apartQueue.push(entry);
        return;
      }
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
function isUrgent({ connection, report, telemetry, plain, activities, quarantine }: IngestEntry): boolean {
  if (plain) return false;
  if (connection || report || !telemetry || activities.length > 0 || quarantine.length > 0) return true;
  return telemetry.events.length > 0 || telemetry.files !== undefined || telemetry.readings.some(({ isHistorical }) => isHistorical);
}
