import type { ActivePhases } from "@busbar/metering/phases.ts";
import { zoneOrUtc } from "#lib/local-day.ts";
import { createClockSkew, type ClockSkew } from "./clock-skew.ts";
import { readLastValues, type LastValues } from "./last-values.ts";
import type { MissingScalars } from "./missing-scalars.ts";
import { readOpenDemand, type OpenDemand, type PowerDemand } from "./power-demand.ts";
import { minutesUntil, type QuarterMinutes } from "./scalar-coverage.ts";
import type { NodeFacts } from "./telemetry.ts";

/** What ingest keeps in memory of one node or sub node; a copy of its committed row, never ahead of it. */
export interface LiveState {
  readonly serial: number;
  /** UTC for a node at no location. */
  timezone: string;
  scalarIntervalSeconds: number;
  /** Newest scalar stored, historical ones included: where the next gap begins. */
  newestStoredMs: number | undefined;
  missing: MissingScalars;
  facts: NodeFacts;
  skew: ClockSkew;
  /** Phases whose power counts. */
  activePower: ActivePhases;
  demand: PowerDemand;
  last: LastValues;
  /** The newest noted first. */
  minutes: readonly QuarterMinutes[];
}

/** What the database says about a node when ingest meets it. */
export interface LiveStateRow extends OpenDemand {
  serial: number;
  timezone: string | null;
  scalarIntervalSeconds: number;
  lastScalarAtMs: number | null;
  lastScalarData: string;
  lastScalarTimes: string;
  missingDay: string | null;
  missingCount: number;
  platformMissedCount: number;
  macAddress: string | null;
  ipAddress: string | null;
  nodeHardwareVersion: string | null;
  viModuleHardwareVersion: string | null;
  isPoeEnabled: boolean;
  activePower: ActivePhases;
}

const phases = new Map<string, ActivePhases>();

/** The same for all nodes with these phases: each answer of the database brings its own. */
export function sharedPhases(active: ActivePhases): ActivePhases {
  const key = String(active);
  const known = phases.get(key);
  if (known === undefined) phases.set(key, active);
  return known ?? active;
}

export function createLiveState(row: LiveStateRow): LiveState {
  return {
    serial: row.serial,
    timezone: zoneOrUtc(row.timezone),
    scalarIntervalSeconds: row.scalarIntervalSeconds,
    newestStoredMs: row.lastScalarAtMs ?? undefined,
    missing: { day: row.missingDay ?? undefined, count: row.missingCount, platformCount: row.platformMissedCount },
    facts: {
      macAddress: row.macAddress ?? undefined,
      ipAddress: row.ipAddress ?? undefined,
      nodeHardwareVersion: row.nodeHardwareVersion ?? undefined,
      viModuleHardwareVersion: row.viModuleHardwareVersion ?? undefined,
      isPoeEnabled: row.isPoeEnabled,
    },
    skew: createClockSkew(),
    activePower: sharedPhases(row.activePower),
    demand: readOpenDemand(row),
    last: readLastValues(row.lastScalarData, row.lastScalarTimes),
    minutes: minutesUntil(row.lastScalarAtMs ?? undefined),
  };
}
