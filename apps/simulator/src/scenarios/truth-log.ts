import { badPayloadAt } from "#src/bad-payload.ts";
import { firstSampleAt } from "#node-model/backfill.ts";
import type { Plant, PlantNode } from "#node-model/plant.ts";
import { clockOffset, defaultDataInterval } from "#src/files/data-file.ts";
import { dataFileFault } from "#src/files/data-file-faults.ts";

/** One line of the truth log: what the simulation did, to compare detections with. Times are epoch seconds. */
export interface TruthEntry {
  at: number;
  durationS: number;
  serial?: number;
  facility?: string;
  fault: string;
  params: object;
  source: "mix" | "script" | "quirk";
  /** For faults of a machine: whether it ran when the fault began; a stopped machine shows none. */
  isRunning?: boolean;
}

/**
 * What happens in [from, to): faults that begin, scalars that are dropped, messages that go out malformed, files of intervals that
 * begin (by the node's clock) and are spoiled, late, repeated or never made; in order of time.
 * The same plant gives the same entries, however the time is cut.
 */
export function truthBetween(plant: Plant, seed: number, from: number, to: number): TruthEntry[] {
  const entries: TruthEntry[] = plant.faultsStartingIn(from, to).map((fault) => {
    const target = fault.serial === undefined ? undefined : plant.nodes.get(fault.serial);
    return {
      at: fault.start,
      durationS: fault.durationSeconds,
      ...(fault.serial === undefined ? { facility: fault.facilityKey! } : { serial: fault.serial }),
      fault: fault.kind,
      params: fault.params,
      source: fault.source,
      ...(target && { isRunning: target.model.isRunningAt(Math.floor(fault.start) - 1) }),
    };
  });
  for (const plantNode of plant.nodes.values()) {
    const { model, link } = plantNode;
    const { node } = model;
    if (node.type !== "Node" && node.type !== "subNode") continue;
    entries.push(...fileTruth(plantNode, seed, plant.faultScale, from, to));
    for (let t = firstSampleAt(node.serial, node.scalarIntervalSeconds, from); t < to; t += node.scalarIntervalSeconds) {
      const { isPowered, isScalarDropped } = link.at(t);
      const lost = { at: t, durationS: node.scalarIntervalSeconds, serial: node.serial };
      if (isPowered && isScalarDropped) entries.push({ ...lost, fault: "droppedScalar", params: {}, source: "mix" });
      const bad = badPayloadAt(seed, node, t);
      if (bad) entries.push({ ...lost, fault: "badPayload", params: { kind: bad }, source: "quirk" });
    }
  }
  return entries.toSorted((a, b) => a.at - b.at || (a.serial ?? 0) - (b.serial ?? 0));
}

function fileTruth(plantNode: PlantNode, seed: number, faultScale: number, from: number, to: number): TruthEntry[] {
  const { node } = plantNode.model;
  const interval = node.dataIntervalSeconds ?? defaultDataInterval;
  const entries: TruthEntry[] = [];
  for (let t = Math.ceil(from / interval) * interval; t < to; t += interval) {
    const entry = { at: t, durationS: interval, serial: node.serial };
    if (!hasPowerWithin(plantNode, t - clockOffset(plantNode, t), interval)) {
      entries.push({ ...entry, fault: "missingFile", params: {}, source: "mix" });
      continue;
    }
    for (const kind of ["D", "S"] as const) {
      const fault = dataFileFault(seed, plantNode, kind, t, faultScale);
      if (!fault) continue;
      const { kind: name, ...params } = fault;
      entries.push({
        ...entry,
        fault: name,
        params: { file: kind, ...params },
        source: node.quirks.badFiles === undefined ? "mix" : "quirk",
      });
    }
  }
  return entries;
}

function hasPowerWithin({ link }: PlantNode, from: number, seconds: number): boolean {
  for (let t = from; t < from + seconds; t++) if (link.at(t).isPowered) return true;
  return false;
}

export interface TruthLog {
  /** Writes what happened since the last call. */
  advance(toEpochSeconds: number): void;
}

const longestStepSeconds = 600;

export function createTruthLog(plant: Plant, seed: number, fromEpochSeconds: number, write: (line: string) => void): TruthLog {
  let written = fromEpochSeconds;
  for (const { model } of plant.nodes.values()) {
    const { serial, quirks } = model.node;
    if (Object.keys(quirks).length > 0) {
      write(JSON.stringify({ at: written, durationS: 0, serial, fault: "quirk", params: quirks, source: "quirk" } satisfies TruthEntry));
    }
  }
  return {
    advance(to) {
      while (written < to) {
        const next = Math.min(to, written + longestStepSeconds);
        for (const entry of truthBetween(plant, seed, written, next)) write(JSON.stringify(entry));
        written = next;
      }
    },
  };
}
