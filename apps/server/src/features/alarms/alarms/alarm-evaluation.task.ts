import { counted } from "@busbar/contract/values/counted.ts";
import type { AlarmKind } from "@busbar/alarms/alarm-kinds.ts";
import type { AlarmSettings } from "@busbar/alarms/alarm-settings.ts";
import { isRunning } from "@busbar/alarms/measures.ts";
import { createNodeAlarms, type NodeAlarms, type Scalar } from "@busbar/alarms/node-alarms.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import { createBoundedMap } from "#lib/bounded-map.ts";
import type { Clock } from "#lib/clock.ts";
import type { Task } from "#services/service.ts";
import { batchesOf, startWalk } from "#services/walk.ts";
import { toAlarmSettings, type FleetLimits } from "./alarm-settings.view.ts";
import {
  clearAlarmsExceptOf,
  type AlarmsStore,
  type MonitoredNodeRow,
  type NodeAlarmChange,
  type ScalarRange,
  type ScalarRow,
  type LastMeasurement,
  type LastMeasurements,
} from "./alarms.store.ts";
import { writeAlarmChanges, type NotifyOfAlarms } from "./write-alarm-changes.ts";

const name = "AlarmEvaluation";
/** Scalars this young may still be on their way. */
const latenessSeconds = 5;
/** After a longer pause the time before is not judged any more: its alarms would come too late for anyone. */
const longestCatchUpSeconds = 3_600;
const nodesPerBatch = 500;
/** An hour of the past is sixty times a run's: fewer at once, so that others of the process get their turn. */
const learningNodesPerBatch = 50;
const scalarsAtOnce = 4_000;
/** What the nodes of the first batch send says how large the next ones may be. */
const firstNodes = 5;
const steepestGrowth = 4;

/** A node that sends more often is judged by means of this part of its interval, within these bounds. */
const meanShare = 1 / 4;
const shortestMeanSeconds = 0.5;
const longestMeanSeconds = 5;
const mostDefinitions = 1_000;

/** What an engine was made from; another text makes a new one. Nodes of equal settings share theirs. */
interface Definition {
  text: string;
  settings: AlarmSettings;
}

interface Watched {
  definition: Definition;
  alarms: NodeAlarms;
  /** Of the last scalar that was judged, epoch seconds. */
  judgedUntil: number;
  /** The last value of each measurement, where scalars hold only what changed. */
  last: Measurements;
  /** The last scalar, if it held every measurement. */
  whole: WholeRow | undefined;
}

const keys = ["i1", "i2", "i3", "v1", "v2", "v3"] as const;
type Measurements = Omit<LastMeasurements, "serialNumber">;
type WholeRow = ScalarRow & Record<(typeof keys)[number], number>;
const nothingMeasured: Measurements = {};
const noneMeasured: ReadonlyMap<number, LastMeasurements> = new Map();

export interface AlarmEvaluationOptions {
  pool: Pool;
  store: AlarmsStore;
  clock: Clock;
  limits: () => Promise<FleetLimits>;
  notify: NotifyOfAlarms;
}

/**
 * Judges the scalars that came since the last run. Means of the past live in memory: a process that takes over reads as much of the
 * past as the longest mean needs and goes on with the alarms that are open. Scalars that arrive later than newer ones of their node
 * are history and raise nothing.
 */
export function createAlarmEvaluation({ pool, store, clock, limits, notify }: AlarmEvaluationOptions): Task {
  const watched = new Map<number, Watched>();
  let knownUntil: number | undefined;
  const judgedAtOnce = createBatchSize(nodesPerBatch);
  const learntAtOnce = createBatchSize(learningNodesPerBatch);
  /** Of nodes that were set aside: until when they were judged. */
  const leftAt = new Map<number, number>();
  const definitions = createBoundedMap<string, Definition>(mostDefinitions);

  function definitionOf(row: MonitoredNodeRow, fleetLimits: FleetLimits): Definition {
    const settings = toAlarmSettings(row, fleetLimits);
    const text = JSON.stringify([settings, row.scalarIntervalSeconds]);
    const known = definitions.get(text);
    if (known) return known;
    const definition = { text, settings };
    definitions.set(text, definition);
    return definition;
  }

  /** An engine for each node; new ones learn the past first. */
  async function watch(rows: readonly MonitoredNodeRow[], fleetLimits: FleetLimits, from: number): Promise<void> {
    const added: { row: MonitoredNodeRow; alarms: NodeAlarms; longestSeconds: number }[] = [];
    for (const row of rows) {
      const definition = definitionOf(row, fleetLimits);
      const known = watched.get(row.serialNumber);
      if (known?.definition.text === definition.text) continue;
      const { settings } = definition;
      const alarms = createNodeAlarms(settings, row.scalarIntervalSeconds);
      const longestSeconds = 60 * Math.max(2, settings.shortTermOverCurrentAveragingPeriod, settings.longTermOverCurrentAveragingPeriod);
      added.push({ row, alarms, longestSeconds });
      watched.set(row.serialNumber, {
        definition,
        alarms,
        judgedUntil: known?.judgedUntil ?? leftAt.get(row.serialNumber) ?? from,
        last: known?.last ?? nothingMeasured,
        whole: known?.whole,
      });
    }
    if (added.length === 0) return;
    const open = await store.openAlarms();
    for (const batch of batchesOf(added, learntAtOnce.now)) {
      const ranges = batch.map(({ row, longestSeconds }) => rangeOf(row, from - longestSeconds));
      const past = await readScalars(ranges, from);
      learntAtOnce.note(past.count, batch.length);
      for (const { row, alarms } of batch) {
        const until = watched.get(row.serialNumber)?.judgedUntil ?? from;
        for (const scalar of past.byNode.get(row.serialNumber) ?? []) if (scalar.at <= until) alarms.addScalar(scalar);
        alarms.resume(open.get(row.serialNumber) ?? new Map<AlarmKind, number>());
      }
    }
  }

  /** What they took in may not be stored: they learn again when they are tried again. */
  function forgetEngines(rows: readonly MonitoredNodeRow[], judgedUntil: ReadonlyMap<number, number>): void {
    for (const { serialNumber } of rows) {
      const until = judgedUntil.get(serialNumber);
      if (until !== undefined) leftAt.set(serialNumber, until);
      watched.delete(serialNumber);
    }
  }

  async function readScalars(ranges: readonly ScalarRange[], until: number) {
    const rows = await store.scalarsAfter(ranges, until);
    const partial = new Set(rows.filter((row) => !isWhole(row)).map(({ serialNumber }) => serialNumber));
    const last =
      partial.size === 0 ? noneMeasured : new Map((await store.lastMeasurements([...partial])).map((one) => [one.serialNumber, one]));
    return { count: rows.length, byNode: groupByNode(rows, watched, last) };
  }

  /** Judges what came of these nodes since they were judged; all of it is stored, or nothing. */
  async function judgeNodes(rows: readonly MonitoredNodeRow[], fleetLimits: FleetLimits, from: number, until: number): Promise<number> {
    const judgedUntil = new Map<number, number>();
    try {
      await watch(rows, fleetLimits, from);
      for (const { serialNumber } of rows) judgedUntil.set(serialNumber, watched.get(serialNumber)?.judgedUntil ?? from);
      const ranges = rows.map((row) => rangeOf(row, Math.max(until - longestCatchUpSeconds, judgedUntil.get(row.serialNumber) ?? from)));
      const scalars = await readScalars(ranges, until);
      judgedAtOnce.note(scalars.count, rows.length);
      const changes = judge(rows, scalars.byNode);
      if (changes.length > 0) await inTransaction(pool, (client) => writeAlarmChanges(client, changes, notify));
      for (const { serialNumber } of rows) leftAt.delete(serialNumber);
      return scalars.count;
    } catch (error) {
      forgetEngines(rows, judgedUntil);
      throw error;
    }
  }

  function forgetExcept(serials: ReadonlySet<number>): void {
    for (const map of [watched, leftAt]) for (const serial of map.keys()) if (!serials.has(serial)) map.delete(serial);
  }

  function judge(rows: readonly MonitoredNodeRow[], scalars: ReadonlyMap<number, Scalar[]>): NodeAlarmChange[] {
    return rows.flatMap(({ serialNumber, locationId, machineSerial, scalarIntervalSeconds }) => {
      const node = watched.get(serialNumber);
      if (!node) return [];
      const isMachineRunningAt = machineSerial === null ? undefined : runningOf(machineSerial, scalars, 2 * scalarIntervalSeconds);
      return (scalars.get(serialNumber) ?? []).flatMap((scalar) => {
        node.judgedUntil = scalar.at;
        return node.alarms.addScalar(scalar, isMachineRunningAt?.(scalar.at)).map((change) => ({ ...change, serialNumber, locationId }));
      });
    });
  }

  /** Whether a field's machine draws current, by its reading nearest to a time; undefined when there is none near, or no one watches it. */
  function runningOf(machineSerial: number, scalars: ReadonlyMap<number, Scalar[]>, nearSeconds: number) {
    const machine = watched.get(machineSerial);
    const readings = scalars.get(machineSerial) ?? [];
    let place = 0;
    return (at: number): boolean | undefined => {
      const distance = (index: number) => Math.abs((readings[index]?.at ?? Number.POSITIVE_INFINITY) - at);
      while (place + 1 < readings.length && distance(place + 1) <= distance(place)) place++;
      const nearest = readings[place];
      return machine && nearest && distance(place) <= nearSeconds ? isRunning(nearest, machine.definition.settings) : undefined;
    };
  }

  return {
    name,
    intervalSeconds: 60,
    did: (count) => `Judged ${counted(count, "scalar")}`,
    async run(signal) {
      const until = clock.now() / 1000 - latenessSeconds;
      const stored = await store.evaluatedUntil();
      // Another process evaluated meanwhile: what is remembered here is of another time.
      if (stored !== knownUntil) {
        watched.clear();
        leftAt.clear();
      }
      const from = Math.max(stored ?? until, until - longestCatchUpSeconds);
      const rows = await store.monitoredNodes();
      const serials = rows.map(({ serialNumber }) => serialNumber);
      forgetExcept(new Set(serials));
      await inTransaction(pool, (client) => clearAlarmsExceptOf(client, serials, until));
      try {
        const walk = startWalk({ pool, clock, service: name, signal });
        const fleetLimits = await limits();
        const count = await walk.over({
          items: rows,
          kind: "node",
          idOf: ({ serialNumber }) => serialNumber,
          batchSize: judgedAtOnce.now,
          goesWithPrevious: ({ machineSerial }) => machineSerial !== null,
          // A field's node comes after its machine's and needs it.
          work: (some) => judgeNodes(some, fleetLimits, from, until),
        });
        if (signal.aborted) throw new Error("It was asked to stop; the rest is judged by the next run");
        await store.setEvaluatedUntil(until);
        knownUntil = until;
        return await walk.end(count);
      } catch (error) {
        // What engines took in may not be stored: the next run begins again from the last stored time.
        watched.clear();
        leftAt.clear();
        knownUntil = undefined;
        throw error;
      }
    },
  };
}

/** How many nodes to take at once so that about 25,000 scalars are held: nodes that send far too much make the batches smaller. */
function createBatchSize(mostNodes: number) {
  let next = firstNodes;
  return {
    now: () => next,
    note(scalars: number, nodes: number) {
      const fitting = Math.floor((scalarsAtOnce * nodes) / Math.max(1, scalars));
      next = Math.max(1, Math.min(mostNodes, fitting, steepestGrowth * nodes));
    },
  };
}

const rangeOf = ({ serialNumber, scalarIntervalSeconds }: MonitoredNodeRow, after: number): ScalarRange => ({
  serialNumber,
  after,
  meanSeconds: Math.min(longestMeanSeconds, Math.max(shortestMeanSeconds, scalarIntervalSeconds * meanShare)),
});

const isWhole = (row: ScalarRow): row is WholeRow => keys.every((key) => row[key] !== null);

/** What is known of a node after its last scalar. */
function lastOf({ last, whole }: Pick<Watched, "last" | "whole">): Measurements {
  if (whole === undefined) return last;
  const measured: Measurements = {};
  for (const key of keys) measured[key] = { value: whole[key], at: whole.at };
  return measured;
}

/** Scalars of which every measurement is known by then; what one does not hold is as it was reported last, be it in a birth. */
function groupByNode(
  rows: readonly ScalarRow[],
  watched: ReadonlyMap<number, Watched>,
  lastByNode: ReadonlyMap<number, LastMeasurements>,
): Map<number, Scalar[]> {
  const groups = new Map<number, Scalar[]>();
  const add = (serialNumber: number, scalar: Scalar) => {
    const group = groups.get(serialNumber);
    if (group) group.push(scalar);
    else groups.set(serialNumber, [scalar]);
  };
  for (const row of rows) {
    const { serialNumber, at } = row;
    const node = watched.get(serialNumber);
    // Nearly all of them.
    if (isWhole(row)) {
      if (node) node.whole = row;
      add(serialNumber, { at, currents: [row.i1, row.i2, row.i3], voltages: [row.v1, row.v2, row.v3] });
      continue;
    }
    const last = node ? lastOf(node) : nothingMeasured;
    const live = lastByNode.get(serialNumber);
    const known = { ...last };
    for (const key of keys) known[key] = row[key] === null ? newer(last[key], live?.[key], at) : { value: row[key], at };
    if (node) Object.assign(node, { last: known, whole: undefined });
    const { i1, i2, i3, v1, v2, v3 } = known;
    if (!i1 || !i2 || !i3 || !v1 || !v2 || !v3) continue;
    add(serialNumber, { at, currents: [i1.value, i2.value, i3.value], voltages: [v1.value, v2.value, v3.value] });
  }
  return groups;
}

/** The later one, of what was reported until then. */
function newer(last: LastMeasurement | undefined, live: LastMeasurement | undefined, until: number): LastMeasurement | undefined {
  if (!live || live.at > until) return last;
  return last && last.at > live.at ? last : live;
}
