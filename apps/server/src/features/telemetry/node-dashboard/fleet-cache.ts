import { setImmediate as othersTurn } from "node:timers/promises";
import type { Log } from "#lib/log.ts";
import { ReadOnlyReplica } from "#db/database-problem.ts";
import { outagesBetween, type PlatformOutage } from "#lib/platform-outages.ts";
import { createEntry, renderLive, renderVerdict, type FleetEntry } from "./fleet-entry.ts";
import type { DirectoryRow, FleetReadModel, LiveRow, VerdictRow, Watermark } from "./fleet.read-model.ts";

const tickMs = 500;
/** The database gets its breath back after a slow tick. */
const shortestPauseMs = 100;
/** A database that takes longer than this for a tick counts as away. */
const tickLimitMs = 2_000;
const timedValuesEverySeconds = 10;
/** About a millisecond of work. */
const entriesAtOnce = 100;
/** More transactions than so many are lost only where replication is asynchronous, or a backup was restored. */
const mostRepeated = 1_000;

/** The state that one answer shows. Changes at each tick; equal `generation` means equal contents. */
export interface FleetSnapshot {
  entries: ReadonlyMap<string, FleetEntry>;
  /** Serial numbers that are gone, and the transaction since when. */
  removed: ReadonlyMap<string, number>;
  /** Changes before it are not known one by one. */
  horizonXid: number;
  revisionXid: number;
  generation: number;
  asOf: number;
  isStale: boolean;
}

/** Keeps the fleet in memory and follows the database by transaction watermark (decision 0002). */
export function createFleetCache({ readModel, log }: { readModel: FleetReadModel; log: Log }) {
  const entries = new Map<string, FleetEntry>();
  const removed = new Map<string, number>();
  const listeners = new Set<() => void>();
  const snapshot = { entries, removed, horizonXid: 0, revisionXid: 0, generation: 0, asOf: 0, isStale: true };
  let isLoaded = false;
  let timeline: string | undefined;
  let isFailing = false;
  let problem = "";
  let directoryMark = "";
  let timedAt = 0;
  let outages: PlatformOutage[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;

  async function tick(): Promise<void> {
    const watermark = await readWatermark();
    const isOtherTimeline = watermark.timeline !== timeline;
    const since = isOtherTimeline ? 0 : snapshot.revisionXid;
    const directory = !isOtherTimeline && !isDirectoryNew(since, watermark) ? undefined : await readModel.directory();
    const directoryXid = directory ? await readModel.newestDirectoryChange() : 0;
    const live = await readModel.liveRows(since);
    const verdicts = await readModel.verdicts(since);
    outages = outagesBetween(await readModel.presence(), watermark.at);
    // Every process computes the values that time moves at the same instants, so that any can answer any client's `since`.
    const instant = Math.floor(watermark.at / timedValuesEverySeconds) * timedValuesEverySeconds;
    let hasChanged = snapshot.isStale || watermark.xid !== since || instant !== timedAt;
    if (directory && (await applyDirectory(directory, directoryXid, instant))) hasChanged = true;
    if (await applyLive(live, instant)) hasChanged = true;
    if (await applyVerdicts(verdicts)) hasChanged = true;
    if (instant !== timedAt) await renderTimedValues(watermark.xid, instant);
    if (isOtherTimeline) snapshot.horizonXid = watermark.xid;
    isLoaded = true;
    timeline = watermark.timeline;
    timedAt = instant;
    directoryMark = markOf(since, watermark);
    snapshot.revisionXid = watermark.xid;
    snapshot.asOf = watermark.at;
    snapshot.isStale = false;
    if (hasChanged) snapshot.generation++;
  }

  /** After a failover the numbers of transactions that the old primary rolled back come again: they are skipped, as clients know them. */
  async function readWatermark(): Promise<Watermark & { timeline: string }> {
    let watermark = await readModel.watermark(snapshot.revisionXid);
    const repeated = snapshot.revisionXid - watermark.xid + 1;
    if (
      timeline !== undefined &&
      watermark.timeline !== null &&
      watermark.timeline !== timeline &&
      repeated > 0 &&
      repeated <= mostRepeated
    ) {
      await readModel.skipXids(repeated);
      watermark = await readModel.watermark(snapshot.revisionXid);
    }
    if (watermark.timeline === null) throw new ReadOnlyReplica();
    return { ...watermark, timeline: watermark.timeline };
  }

  /** While a long transaction holds the watermark back, the same changes are seen at each tick: a new one makes them more. */
  function isDirectoryNew(since: number, watermark: Watermark): boolean {
    return watermark.directoryChanges > 0 && markOf(since, watermark) !== directoryMark;
  }

  async function applyDirectory(rows: DirectoryRow[], xid: number, now: number): Promise<boolean> {
    const present = new Set<string>();
    let hasChanged = await inParts(rows, (row) => {
      const serial = row.serialNumber;
      present.add(serial);
      const old = entries.get(serial);
      const fresh = createEntry(row, old ?? { live: neverSeen(Number(serial)), verdict: null }, now, xid, outages);
      if (old && old.directoryJson === fresh.directoryJson) return false;
      if (old) fresh.liveXid = old.liveXid;
      entries.set(serial, fresh);
      removed.delete(serial);
      return true;
    });
    for (const serial of entries.keys()) {
      if (present.has(serial)) continue;
      entries.delete(serial);
      removed.set(serial, xid);
      hasChanged = true;
    }
    return hasChanged;
  }

  const applyLive = (rows: LiveRow[], now: number) =>
    inParts(rows, (row) => {
      const entry = entries.get(String(row.serialNumber));
      if (!entry) return false;
      entry.live = row;
      if (!renderLive(entry, now, outages)) return false;
      entry.liveXid = row.changedXid;
      return true;
    });

  const applyVerdicts = (rows: VerdictRow[]) =>
    inParts(rows, (row) => {
      const entry = entries.get(String(row.serialNumber));
      if (!entry) return false;
      entry.verdict = row.verdict;
      if (!renderVerdict(entry)) return false;
      entry.directoryXid = row.changedXid;
      return true;
    });

  const renderTimedValues = (xid: number, now: number) =>
    inParts(entries.values(), (entry) => {
      if (!renderLive(entry, now, outages)) return false;
      entry.liveXid = xid;
      return true;
    });

  function markStale(error: Error): void {
    if (!isFailing) log.warn({ err: error }, "the fleet cache cannot read the database; it serves the last snapshot");
    isFailing = true;
    problem = error instanceof ReadOnlyReplica ? error.message : "the database cannot be reached";
    if (snapshot.isStale) return;
    snapshot.isStale = true;
    snapshot.generation++;
    for (const listener of listeners) listener();
  }

  /** One tick; the database's absence marks the snapshot stale and is no error here. */
  function runTick(): Promise<void> {
    running ??= runTickOnce().finally(() => {
      running = undefined;
      for (const listener of listeners) listener();
    });
    return running;
  }

  async function runTickOnce(): Promise<void> {
    const limit = setTimeout(() => markStale(new Error(`no answer within ${tickLimitMs} ms`)), tickLimitMs);
    try {
      await tick();
      if (isFailing) log.info("the fleet cache reads the database again");
      isFailing = false;
    } catch (error) {
      markStale(error as Error);
    } finally {
      clearTimeout(limit);
    }
  }

  /** The next tick is due a fixed time after this one began, so that a slow one makes no one wait for twice as long. */
  function schedule(beganAt: number): void {
    if (isStopped) return;
    const pauseMs = Math.max(shortestPauseMs, tickMs - (performance.now() - beganAt));
    timer = setTimeout(() => void runTickAndGoOn(), pauseMs);
  }

  async function runTickAndGoOn(): Promise<void> {
    const beganAt = performance.now();
    await runTick();
    schedule(beganAt);
  }

  return {
    snapshot: snapshot as FleetSnapshot,
    isLoaded: () => isLoaded,
    /** What keeps it from answering freshly. */
    problem(this: void): string | undefined {
      if (!isLoaded) return problem || "the fleet has not been read yet";
      return snapshot.isStale ? problem : undefined;
    },
    runTick,
    /** Called after each tick. */
    onTick: (listener: () => void) => void listeners.add(listener),
    start: runTickAndGoOn,
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
export type FleetCache = ReturnType<typeof createFleetCache>;

/**
 * Others get their turn between the parts of a large fleet: an entry that they see before the tick ends is newer than the revision that they are
 * sent, and comes again with the next one. Returns whether `work` changed something.
 */
async function inParts<T>(items: Iterable<T>, work: (item: T) => boolean): Promise<boolean> {
  let hasChanged = false;
  let done = 0;
  for (const item of items) {
    if (work(item)) hasChanged = true;
    if (++done % entriesAtOnce === 0) await othersTurn();
  }
  return hasChanged;
}

const markOf = (since: number, { directoryChanges }: Watermark) => `${since} ${directoryChanges}`;

function neverSeen(serialNumber: number): LiveRow {
  return {
    serialNumber,
    isConnected: false,
    hasConnected: false,
    lastScalarAt: null,
    lastScalarData: "",
    oldestValueAt: null,
    lastMeterAt: null,
    missingScalarDay: null,
    missingScalarCount: 0,
    platformMissedScalarCount: 0,
    isSensorOk: null,
    lastOneSecondFileAt: null,
    lastDatafileAt: null,
    missingDatafileDay: null,
    missingDatafileCount: 0,
    newestDatafileAt: null,
    lastExternalFileAt: null,
    eventCount: 0,
    changedXid: 0,
  };
}
