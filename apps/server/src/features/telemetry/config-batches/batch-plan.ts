import { createHash } from "node:crypto";
import { configDatatypes, type ConfigDatatype } from "@busbar/contract/telemetry/config-rules.ts";
import { canonicalConfigValue, configProblem, isSameConfigValue } from "@busbar/contract/telemetry/node-config.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import type { ConfigNode } from "#features/telemetry/node-config/node-config.store.ts";

/** What is to become of a parameter of a node. */
export interface PlannedChange {
  key: string;
  newValue: string;
  /** What the node reported in the dry run: it writes only while that holds. */
  oldValue?: string;
  /** As the node reported it, for a key that is in no catalogue. */
  datatype?: ConfigDatatype;
  /** A value that is put back must still be the one that was written. */
  expected?: string;
}

/** Where a node is: its stay there, which ends when it or its place moves. */
export interface NodePlace {
  /** null for at no location. */
  stay: number | null;
  locationName: string;
}

/** Of a node of a batch: what is sealed in its row. */
export interface NodePlan {
  changes: PlannedChange[];
  /** Where it was when it was read. */
  place?: NodePlace;
  /** Where it must still be for its values to be put back. */
  cameFrom?: NodePlace | undefined;
  /** Why it is left out, or what it answered. */
  reason: string;
}

export type LeftFor = "away" | "silent" | "same" | "range" | "unknownKey" | "changed" | "busy" | "decommissioned" | "missing" | "moved";
export type DryRun = { changes: PlannedChange[] } | { leftFor: LeftFor; reason: string; changes: PlannedChange[] };

export const isSamePlace = (a: NodePlace | undefined, b: NodePlace): boolean => a !== undefined && a.stay === b.stay;
export const placeWords = ({ locationName }: NodePlace): string => locationName || "no location";

const shown = (value: string): string => value || "(empty)";

/** Compares what a node reported with what it is to become. A node that cannot have one of the values is left out whole. */
export function planNode(targets: readonly PlannedChange[], { values, types }: Pick<ConfigNode, "values" | "types">): DryRun {
  const reported = new Map(Object.entries(values ?? {}));
  const planned = targets.map(({ key, newValue, expected }): PlannedChange => {
    const oldValue = reported.get(key);
    const datatype = typeOf(types?.[key]);
    return {
      key,
      newValue: canonicalConfigValue(key, newValue, datatype) ?? newValue,
      ...(oldValue === undefined ? {} : { oldValue }),
      ...(datatype ? { datatype } : {}),
      ...(expected === undefined ? {} : { expected }),
    };
  });
  const after = new Map([...reported, ...planned.map(({ key, newValue }) => [key, newValue] as const)]);
  for (const { key, newValue, oldValue, datatype, expected } of planned) {
    if (oldValue === undefined) return { leftFor: "unknownKey", reason: `It does not have ${key}`, changes: planned };
    const problem = configProblem(key, newValue, after, datatype);
    if (problem) return { leftFor: "range", reason: `${key} ${problem}`, changes: planned };
    if (
      expected !== undefined &&
      !isSameConfigValue(key, oldValue, expected, datatype) &&
      !isSameConfigValue(key, oldValue, newValue, datatype)
    )
      return { leftFor: "changed", reason: `${key} was changed since: it is ${shown(oldValue)} now`, changes: planned };
  }
  const changes = planned.filter(({ key, newValue, oldValue = "", datatype }) => !isSameConfigValue(key, oldValue, newValue, datatype));
  if (changes.length > 0) return { changes };
  return { leftFor: "same", reason: planned.length === 1 ? "It has this value already" : "It has these values already", changes: planned };
}

// A text where the node did not say.
const typeOf = (number: number = DataType.String): ConfigDatatype | undefined => configDatatypes.find((name) => DataType[name] === number);

/** Of exactly these nodes at their places with their old and new values, in whichever order they come. */
export function batchHash(nodes: readonly ({ serial: number } & Pick<NodePlan, "place" | "changes">)[]): string {
  const said = nodes
    .toSorted((a, b) => a.serial - b.serial)
    .map(({ serial, place, changes }) => [
      serial,
      place?.stay ?? null,
      changes.map(({ key, oldValue, newValue }) => [key, oldValue ?? null, newValue]),
    ]);
  return createHash("sha256").update(JSON.stringify(said)).digest("hex");
}

export interface Course {
  /** Nodes that ended since someone last said that it may go on, and those of them that failed. */
  settled: number;
  failed: number;
  /** Nodes that are to be changed in all, and those whose turn has come. */
  total: number;
  begun: number;
  sending: number;
  firstWave: number;
  isFirstWaveOver: boolean;
  stopPercent: number;
}

/** A share says little of a few nodes. */
const fewestJudged = 20;

/** Whether a roll-out goes on: the first wave by its own share of failures, the others by the share of all. */
export function judgeCourse({
  settled,
  failed,
  total,
  begun,
  sending,
  firstWave,
  isFirstWaveOver,
  stopPercent,
}: Course): "stop" | "wave" | "go" {
  if (isFirstWaveOver) return failed * 100 > stopPercent * Math.max(settled, Math.min(total, fewestJudged)) ? "stop" : "go";
  if (begun < Math.min(firstWave, total) || sending > 0) return "wave";
  return failed * 100 > stopPercent * settled ? "stop" : "go";
}

/** How many nodes may begin now, and from when on the next one may. Times in epoch seconds. */
export function paceOf(
  { atOnce, perMinute, nextAt }: { atOnce: number; perMinute: number | null; nextAt: number | null },
  sending: number,
  now: number,
): { room: number; nextAfter: (count: number) => number | null } {
  const free = Math.max(0, atOnce - sending);
  if (perMinute === null) return { room: free, nextAfter: () => null };
  const seconds = 60 / perMinute;
  // What was missed while all places were taken is not made up for.
  const from = Math.max(nextAt ?? now, now - seconds);
  const room = from > now ? 0 : Math.min(free, Math.floor((now - from) / seconds) + 1);
  return { room, nextAfter: (count) => from + count * seconds };
}

/** What became of a node of a batch. */
interface Ended {
  state: string;
  leftFor: string;
  confirmedCount: number;
}

/** What was not changed, but for what had its value already. */
export function changesToRetry({ state, leftFor, confirmedCount }: Ended, changes: readonly PlannedChange[]): PlannedChange[] {
  if (state === "confirmed" || leftFor === "same") return [];
  return changes
    .slice(confirmedCount)
    .map(({ key, newValue, expected }) => ({ key, newValue, ...(expected === undefined ? {} : { expected }) }));
}

/** What was changed, or may have been. */
export function changesToPutBack({ state, confirmedCount }: Ended, changes: readonly PlannedChange[]): PlannedChange[] {
  return changes
    .slice(0, confirmedCount + (state === "unknown" ? 1 : 0))
    .flatMap(({ key, newValue, oldValue }) => (oldValue === undefined ? [] : [{ key, newValue: oldValue, expected: newValue }]))
    .toReversed();
}
