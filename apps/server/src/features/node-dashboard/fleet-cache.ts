import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";
import { createEntry, renderLive } from "./fleet-entry.ts";
import type { FleetEntry } from "./fleet-entry.ts";
import type { DirectoryRow, FleetReadModel, LiveRow } from "./fleet.read-model.ts";

const tickMs = 500;
const timedValuesEveryMs = 10_000;

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
export function createFleetCache({ readModel, clock, log }: { readModel: FleetReadModel; clock: Clock; log: Log }) {
  const entries = new Map<string, FleetEntry>();
  const removed = new Map<string, number>();
  const listeners = new Set<() => void>();
  const snapshot = { entries, removed, horizonXid: 0, revisionXid: 0, generation: 0, asOf: 0, isStale: true };
  let isLoaded = false;
  let timedValuesAt = 0;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;

  async function tick(): Promise<void> {
    const since = snapshot.revisionXid;
    const watermark = await readModel.watermark(since);
    const directory = !isLoaded || watermark.hasDirectoryChange ? await readModel.directory() : undefined;
    const directoryXid = directory ? await readModel.newestDirectoryChange() : 0;
    const live = await readModel.liveRows(since);
    let hasChanged = snapshot.isStale;
    if (directory && applyDirectory(directory, directoryXid, watermark.at)) hasChanged = true;
    if (applyLive(live, watermark.at)) hasChanged = true;
    if (clock.monotonic() - timedValuesAt >= timedValuesEveryMs && renderTimedValues(watermark.xid, watermark.at)) hasChanged = true;
    if (!isLoaded) snapshot.horizonXid = watermark.xid;
    isLoaded = true;
    if (watermark.xid !== snapshot.revisionXid) hasChanged = true;
    snapshot.revisionXid = watermark.xid;
    snapshot.asOf = watermark.at;
    snapshot.isStale = false;
    if (hasChanged) snapshot.generation++;
  }

  function applyDirectory(rows: DirectoryRow[], xid: number, now: number): boolean {
    const present = new Set<string>();
    let hasChanged = false;
    for (const row of rows) {
      const serial = String(row.serialNumber);
      present.add(serial);
      const old = entries.get(serial);
      const fresh = createEntry(row, old?.live ?? neverSeen(row.serialNumber), now, xid);
      if (old && old.directoryJson === fresh.directoryJson) continue;
      if (old) fresh.liveXid = old.liveXid;
      entries.set(serial, fresh);
      removed.delete(serial);
      hasChanged = true;
    }
    for (const serial of entries.keys()) {
      if (present.has(serial)) continue;
      entries.delete(serial);
      removed.set(serial, xid);
      hasChanged = true;
    }
    return hasChanged;
  }

  function applyLive(rows: LiveRow[], now: number): boolean {
    let hasChanged = false;
    for (const row of rows) {
      const entry = entries.get(String(row.serialNumber));
      if (!entry) continue;
      entry.live = row;
      if (!renderLive(entry, now)) continue;
      entry.liveXid = row.changedXid;
      hasChanged = true;
    }
    return hasChanged;
  }

  function renderTimedValues(xid: number, now: number): boolean {
    timedValuesAt = clock.monotonic();
    let hasChanged = false;
    for (const entry of entries.values()) {
      if (!renderLive(entry, now)) continue;
      entry.liveXid = xid;
      hasChanged = true;
    }
    return hasChanged;
  }

  /** One tick; the database's absence marks the snapshot stale and is no error here. */
  function runTick(): Promise<void> {
    running ??= tick()
      .catch((error: Error) => {
        if (!snapshot.isStale) {
          snapshot.isStale = true;
          snapshot.generation++;
          log.warn({ err: error }, "the fleet cache cannot read the database; serving the last snapshot");
        }
      })
      .finally(() => {
        running = undefined;
        for (const listener of listeners) listener();
      });
    return running;
  }

  function schedule(): void {
    if (isStopped) return;
    timer = setTimeout(() => void runTick().then(schedule), tickMs);
  }

  return {
    snapshot: snapshot as FleetSnapshot,
    isLoaded: () => isLoaded,
    runTick,
    /** Called after each tick. */
    onTick: (listener: () => void) => void listeners.add(listener),
    async start(): Promise<void> {
      await runTick();
      schedule();
    },
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
export type FleetCache = ReturnType<typeof createFleetCache>;

function neverSeen(serialNumber: number): LiveRow {
  return {
    serialNumber,
    isConnected: false,
    lastScalarAt: null,
    lastScalarData: "",
    lastMeterAt: null,
    missingScalarDay: null,
    missingScalarCount: 0,
    isSensorOk: null,
    lastOneSecondFileAt: null,
    lastDatafileAt: null,
    missingDatafileCount: 0,
    lastExternalFileAt: null,
    eventCount: 0,
    changedXid: 0,
  };
}
