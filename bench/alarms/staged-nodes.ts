import { makeFleet } from "@busbar/simulator/make-fleet.ts";
import type { Fault, FaultKind, FaultParams } from "@busbar/simulator/node-model/fault.ts";
import { createPlant, type Plant } from "@busbar/simulator/node-model/plant.ts";

const hour = 3_600;

/** Those that the mix makes too rarely, or never for long enough, for a case of each kind of alarm in a day. */
const stagedFaults: readonly { kind: FaultKind; at: number; durationSeconds: number; params: FaultParams; ofFacility?: true }[] = [
  { kind: "swell", at: 6 * hour, durationSeconds: 600, params: { voltage: 1.15 }, ofFacility: true },
  { kind: "imbalance", at: 8 * hour, durationSeconds: hour, params: { voltageLossPercent: 45, phase: 1 } },
  { kind: "singlePhasing", at: 11 * hour, durationSeconds: 60, params: { phase: 2, tripSeconds: 60, repairSeconds: 1_800 } },
  { kind: "longStart", at: 13 * hour, durationSeconds: 90, params: {} },
  { kind: "frequentStarts", at: 14 * hour, durationSeconds: 2_400, params: {} },
  { kind: "phaseBlink", at: 17 * hour + 300, durationSeconds: 1.5, params: { phase: 3 } },
  { kind: "overload", at: 19 * hour, durationSeconds: 1_200, params: { load: 1.4 } },
  { kind: "underload", at: 21 * hour, durationSeconds: 1_800, params: { load: 0.15 } },
];

/** Machines that run day and night, each on a supply of its own, on which every fault happens once and nothing else does. */
export function stageNodes(seed: number, count: number, from: number): Plant {
  const nodes = makeFleet({ seed, count, firstSerial: 60_000 }).map((node) => ({
    ...node,
    equipmentType: "InductionMotor" as const,
    facilityKey: `staged-${node.serial}`,
    shift: "continuous" as const,
    loadProfile: "steady" as const,
    quirks: { hasResonance: true },
  }));
  const script = nodes.flatMap(({ serial, facilityKey }) =>
    stagedFaults.map(({ kind, at, durationSeconds, params, ofFacility }): Fault => ({
      kind,
      start: from + at,
      durationSeconds,
      facilityKey: ofFacility ? facilityKey : undefined,
      serial: ofFacility ? undefined : serial,
      params,
      source: "script",
    })),
  );
  return createPlant({ seed, nodes, faultScale: 0, script });
}
