import type { NodeVerdict } from "@busbar/contract/telemetry/node-verdicts.ts";
import { missedInGap, type MissedScalars, type PlatformOutage } from "#lib/platform-outages.ts";
import { localDay, zoneOrUtc } from "#lib/local-day.ts";
import type { DirectoryRow, LiveRow } from "./fleet.read-model.ts";
import { presentLive, type TimedValues } from "./node-dashboard.view.ts";

/** One node as the fleet cache keeps it: what its live part is computed from, and the JSON of both parts ready to be sent. */
export interface FleetEntry {
  serial: string;
  /** What its JSON begins with. */
  key: string;
  /** UTC for a node at no location. */
  timezone: string;
  isRetired: boolean;
  scalarInterval: number;
  dataInterval: number;
  /** Null until the node was judged for the first time. */
  verdict: NodeVerdict | null;
  live: LiveRow;
  /** With the verdict, which changes as seldom. */
  directoryJson: string;
  /** Of the part of it before the verdict. */
  directoryLength: number;
  liveJson: string;
  /** Newest transaction that changed the part: what `since` is compared with. */
  directoryXid: number;
  liveXid: number;
}

export function createEntry(
  directory: DirectoryRow,
  { live, verdict }: Pick<FleetEntry, "live" | "verdict">,
  now: number,
  xid: number,
  outages: readonly PlatformOutage[],
): FleetEntry {
  const { serialNumber, timezone, currentDeploymentStatus, scalarInterval, dataInterval } = directory;
  const directoryJson = JSON.stringify(directory).slice(1, -1);
  const entry: FleetEntry = {
    serial: serialNumber,
    key: `"${serialNumber}":{`,
    timezone: zoneOrUtc(timezone),
    isRetired: currentDeploymentStatus === "Decommissioned",
    scalarInterval,
    dataInterval,
    verdict,
    live,
    directoryJson,
    directoryLength: directoryJson.length,
    liveJson: "",
    directoryXid: xid,
    liveXid: xid,
  };
  renderVerdict(entry);
  renderLive(entry, now, outages);
  return entry;
}

/** Renders the verdict beside the rest of what seldom changes; returns whether its JSON changed. */
export function renderVerdict(entry: FleetEntry): boolean {
  const json = `${entry.directoryJson.slice(0, entry.directoryLength)},"verdict":${JSON.stringify(entry.verdict)}`;
  if (json === entry.directoryJson) return false;
  entry.directoryJson = json;
  return true;
}

/** Renders the live part again; returns whether its JSON changed. */
export function renderLive(entry: FleetEntry, now: number, outages: readonly PlatformOutage[]): boolean {
  const json = JSON.stringify(presentLive(entry.live, timedValues(entry, now, outages))).slice(1, -1);
  if (json === entry.liveJson) return false;
  entry.liveJson = json;
  return true;
}

const meterIntervals = 3;

function timedValues(entry: FleetEntry, now: number, outages: readonly PlatformOutage[]): TimedValues {
  const { live, scalarInterval } = entry;
  const meterAge = live.lastMeterAt === null ? Infinity : now - live.lastMeterAt;
  const missed = missedScalars(entry, now, outages);
  return {
    missingScalarStreamCount: missed.count,
    platformMissedScalarCount: missed.platformCount,
    missingDatafileCount: missingDatafiles(entry, now),
    meterConnected: live.isConnected && meterAge <= meterIntervals * Math.max(scalarInterval, 10),
  };
}

/**
 * Scalars that should have arrived today and did not: the closed gaps of the local day, which ingest counts, and the open one
 * since the last scalar. Local midnight starts again at zero. A retired node or one that never sent misses nothing.
 */
function missedScalars(
  { live, timezone, isRetired, scalarInterval }: FleetEntry,
  now: number,
  outages: readonly PlatformOutage[],
): MissedScalars {
  if (live.lastScalarAt === null || isRetired) return { count: 0, platformCount: 0 };
  const today = localDay(timezone, now);
  const isToday = live.missingScalarDay === today.date;
  const from = Math.max(live.lastScalarAt, today.start);
  const isOpen = now - from > 1.5 * scalarInterval;
  const open = missedInGap(from, isOpen ? now : from, scalarInterval, outages);
  return {
    count: open.count + (isToday ? live.missingScalarCount : 0),
    platformCount: open.platformCount + (isToday ? live.platformMissedScalarCount : 0),
  };
}

/** A file is due one interval after it began; until half an interval later it is on its way. */
const fileGraceIntervals = 0.5;

/** Data files of today that should have come and did not: those between files that came, counted at extraction, and those since the newest. */
function missingDatafiles({ live, timezone, isRetired, dataInterval }: FleetEntry, now: number): number {
  if (live.newestDatafileAt === null || isRetired) return 0;
  const today = localDay(timezone, now);
  const closed = live.missingDatafileDay === today.date ? live.missingDatafileCount : 0;
  const firstOfToday = Math.ceil(today.start / dataInterval) * dataInterval;
  const next = Math.max(live.newestDatafileAt + dataInterval, firstOfToday);
  return closed + Math.max(0, Math.floor((now - next) / dataInterval - fileGraceIntervals));
}
