import type { DemandBlock } from "@busbar/metering/demand.ts";
import { localDay } from "#lib/local-day.ts";
import { countMissing, type MissingScalars } from "./missing-scalars.ts";
import type { IngestEntry } from "./ingest-entry.ts";
import { mergeLastValues, type LastValues } from "./last-values.ts";
import type { LiveState } from "./live-state.ts";
import { columnSlotCount } from "./scalar-slots.ts";
import type { NodeEvent } from "./node-event.ts";
import { addPower, isDemandDue, type PowerDemand } from "./power-demand.ts";
import type { DisconnectReason } from "#features/telemetry/connectivity/connectivity.store.ts";
import type { PlatformOutage } from "#lib/platform-outages.ts";
import { noteMinute, type QuarterMinutes } from "./scalar-coverage.ts";
import type { CoveredQuarter } from "#shared/coverage.store.ts";
import { hasMeter, type MeterReading, type NodeFacts, type ScalarReading } from "./telemetry.ts";

/** The one change of a node's live row that a batch makes. */
export interface LiveChange {
  state: LiveState;
  seenAtMs: number;
  isConnected: boolean | undefined;
  disconnectReason: DisconnectReason | undefined;
  connectionAtMs: number | undefined;
  /** Time of the newest live reading. */
  newestMs: number | undefined;
  last: LastValues;
  meterAtMs: number | undefined;
  meter: MeterReading | undefined;
  isSensorOk: boolean | undefined;
  lastSeq: number | undefined;
  skewMs: number | undefined;
  newestStoredMs: number | undefined;
  missing: MissingScalars;
  demand: PowerDemand;
  demandToWrite: readonly DemandBlock[];
  minutes: readonly QuarterMinutes[];
  /** In the order of receipt. */
  readings: PlannedReading[];
  /** The same by time, once one came that is not the newest: a node sends thousands of what it kept. */
  byTime?: Map<number, PlannedReading>;
  /** Only those that changed. */
  facts: NodeFacts | undefined;
}

export interface PlannedReading {
  serial: number;
  reading: ScalarReading;
  /** Newer than all that is stored of its node. */
  isNewest: boolean;
}

/** Everything that one transaction writes for a batch of entries. */
export interface IngestPlan {
  /** Scalars that came in their order, node after node: none of them can be there already, as far as is known. */
  newReadings: PlannedReading[];
  /** Of days that are not counted: no one asks which of them are new. */
  olderReadings: PlannedReading[];
  /** Historical or late ones: those that are new fill a gap, so their nodes are counted again. */
  lateReadings: PlannedReading[];
  live: LiveChange[];
  covered: CoveredQuarter[];
  events: { serial: number; event: NodeEvent }[];
}

/** Pure: the states are read, not changed; `commitPlan` moves them once the database has the plan. */
export function planBatch(entries: readonly IngestEntry[], outages: readonly PlatformOutage[]): IngestPlan {
  const plan: IngestPlan = { newReadings: [], olderReadings: [], lateReadings: [], live: [], covered: [], events: [] };
  const changes = new Map<number, LiveChange>();
  for (const entry of entries) {
    const { subject, plain, telemetry, connection } = entry;
    if (subject === undefined) continue;
    const change = changeOf(changes, subject, entry.receivedAtMs);
    if (entry.lastSeq !== undefined) change.lastSeq = entry.lastSeq;
    if (entry.hasClock) change.skewMs = subject.skew.medianMs;
    if (plain) {
      change.last = mergeLastValues(change.last, plain, change.last !== subject.last);
      planReading(plan, change, plain, outages);
      if (hasMeter(plain.values)) change.meterAtMs = Math.max(change.meterAtMs ?? 0, plain.atMs);
    } else if (telemetry) {
      for (const reading of telemetry.reportedValues) change.last = mergeLastValues(change.last, reading, change.last !== subject.last);
      for (const reading of telemetry.readings) planReading(plan, change, reading, outages);
      if (telemetry.meterAtMs !== undefined) change.meterAtMs = Math.max(change.meterAtMs ?? 0, telemetry.meterAtMs);
      if (telemetry.meter) change.meter = mergeMeters(change.meter, telemetry.meter);
      if (telemetry.isSensorOk !== undefined) change.isSensorOk = telemetry.isSensorOk;
      if (telemetry.facts) change.facts = changedFacts(subject.facts, { ...change.facts, ...telemetry.facts });
      for (const event of telemetry.events) plan.events.push({ serial: subject.serial, event });
    }
    if (connection) {
      connect(change, connection.isConnected, entry.receivedAtMs);
      change.disconnectReason = connection.reason;
      for (const device of connection.endedDevices) connect(changeOf(changes, device, entry.receivedAtMs), false, entry.receivedAtMs);
    }
  }
  for (const change of changes.values()) {
    // A node that goes leaves nothing behind in memory.
    if (isDemandDue(change.demand) || change.isConnected === false) change.demandToWrite = change.demand.blocks;
  }
  // One order for everyone: transactions that meet on rows wait for each other, they do not deadlock.
  plan.live = [...changes.values()].toSorted((a, b) => a.state.serial - b.state.serial);
  // Rows of one node beside each other cost the database less, now and when they are read.
  for (const { readings } of plan.live) for (const planned of readings) if (planned.isNewest) plan.newReadings.push(planned);
  return plan;
}

/** After COMMIT. */
export function commitPlan(plan: IngestPlan): void {
  for (const { state, newestStoredMs, missing, facts, demand, demandToWrite, last, minutes } of plan.live) {
    state.last = last;
    state.newestStoredMs = newestStoredMs;
    state.missing = missing;
    state.minutes = minutes;
    state.demand = demandLeft({ demand, demandToWrite });
    if (facts) state.facts = { ...state.facts, ...facts };
  }
}

/** What is still to be written of the power summed up. */
export const demandLeft = ({ demand, demandToWrite }: Pick<LiveChange, "demand" | "demandToWrite">): PowerDemand =>
  demandToWrite.length > 0 ? { ...demand, blocks: [] } : demand;

function changeOf(changes: Map<number, LiveChange>, state: LiveState, seenAtMs: number): LiveChange {
  let change = changes.get(state.serial);
  if (change === undefined) {
    change = {
      state,
      seenAtMs,
      isConnected: undefined,
      disconnectReason: undefined,
      connectionAtMs: undefined,
      newestMs: undefined,
      last: state.last,
      meterAtMs: undefined,
      meter: undefined,
      isSensorOk: undefined,
      lastSeq: undefined,
      skewMs: undefined,
      newestStoredMs: state.newestStoredMs,
      missing: state.missing,
      demand: state.demand,
      demandToWrite: [],
      minutes: state.minutes,
      readings: [],
      facts: undefined,
    };
    changes.set(state.serial, change);
  } else change.seenAtMs = Math.max(change.seenAtMs, seenAtMs);
  return change;
}

function connect(change: LiveChange, isConnected: boolean, atMs: number): void {
  change.isConnected = isConnected;
  change.connectionAtMs = atMs;
}

function planReading(plan: IngestPlan, change: LiveChange, reading: ScalarReading, outages: readonly PlatformOutage[]): void {
  const { state } = change;
  const previousMs = change.newestStoredMs;
  const isNewest = previousMs === undefined || reading.atMs > previousMs;
  if (isNewest) {
    change.missing = countMissing(change.missing, previousMs, reading.atMs, state.timezone, state.scalarIntervalSeconds, outages);
    change.newestStoredMs = reading.atMs;
  }
  if (!reading.isHistorical) change.newestMs = Math.max(change.newestMs ?? 0, reading.atMs);
  change.demand = addPower(change.demand, withAllPowers(reading, change.last), state.activePower, state.scalarIntervalSeconds);
  change.minutes = noteMinute(change.minutes, reading, state.scalarIntervalSeconds, (noted) =>
    plan.covered.push({ kind: "scalars", serial: state.serial, isLate: false, ...noted }),
  );
  const same = isNewest ? undefined : byTimeOf(change).get(reading.atMs);
  if (same) {
    same.reading = joined(same.reading, reading);
    return;
  }
  const planned = { serial: state.serial, reading, isNewest };
  change.readings.push(planned);
  change.byTime?.set(reading.atMs, planned);
  if (isNewest) return;
  const isOfToday = change.missing.day !== undefined && localDay(state.timezone, reading.atMs / 1000).date === change.missing.day;
  (isOfToday ? plan.lateReadings : plan.olderReadings).push(planned);
}

function byTimeOf(change: LiveChange): Map<number, PlannedReading> {
  return (change.byTime ??= new Map(change.readings.map((planned) => [planned.reading.atMs, planned])));
}

/** One row for a time, however many messages it came in; what was reported first stays, as it does in the table. */
function joined(first: ScalarReading, part: ScalarReading): ScalarReading {
  return { ...first, values: first.values.map((value, slot) => (Number.isNaN(value) ? part.values[slot]! : value)) };
}

/** Powers that a message leaves out beside others are those of before; without any of them it says nothing of power. */
function withAllPowers(reading: ScalarReading, last: LastValues): ScalarReading {
  let missing = 0;
  for (let slot = columnSlotCount; slot < columnSlotCount + 3; slot++) if (Number.isNaN(reading.values[slot])) missing++;
  if (missing === 0 || missing === 3) return reading;
  const values = reading.values.slice();
  for (let slot = columnSlotCount; slot < columnSlotCount + 3; slot++) if (Number.isNaN(values[slot])) values[slot] = last.values[slot]!;
  return { ...reading, values };
}

/** The newer values, and older ones where the newer message had none. */
function mergeMeters(known: MeterReading | undefined, reported: MeterReading): MeterReading {
  if (known === undefined) return reported;
  const [newer, older] = reported.atMs >= known.atMs ? [reported, known] : [known, reported];
  return { atMs: newer.atMs, values: newer.values.map((value, slot) => (Number.isNaN(value) ? older.values[slot]! : value)) };
}

/** Only what differs from what is known: people may have corrected the rest. */
function changedFacts(known: NodeFacts, reported: NodeFacts): NodeFacts | undefined {
  const changed = Object.entries(reported).filter(([key, value]) => value !== undefined && value !== known[key as keyof NodeFacts]);
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}
