import { scalarFlagBits } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import type { PlantNode } from "./plant.ts";
import { createScalarRow, scalarField, type ScalarRow } from "./scalar-row.ts";

/** First acquisition time at or after a moment: nodes measure at different seconds of their interval. */
export function firstSampleAt(serial: number, intervalSeconds: number, fromEpochSeconds: number): number {
  const phase = serial % intervalSeconds;
  return Math.ceil((fromEpochSeconds - phase) / intervalSeconds) * intervalSeconds + phase;
}

export interface BackfillRow {
  epochSeconds: number;
  values: ScalarRow;
}

/**
 * The scalars that a node acquired in [from, to), dropped ones left out: the same rows that its live stream carries.
 * The yielded row is overwritten by the next one; copy what you keep.
 */
export function* backfill(
  { model, link }: PlantNode,
  fromEpochSeconds: number,
  toEpochSeconds: number,
): Generator<BackfillRow, void, undefined> {
  const interval = model.node.scalarIntervalSeconds;
  const row: BackfillRow = { epochSeconds: 0, values: createScalarRow() };
  for (let t = firstSampleAt(model.node.serial, interval, fromEpochSeconds); t < toEpochSeconds; t += interval) {
    const { isPowered, isScalarDropped } = link.at(t);
    if (!isPowered || isScalarDropped) continue;
    row.epochSeconds = t;
    model.scalarAt(t, row.values);
    if (link.isClockUnlocked) row.values[scalarField.flag]! |= scalarFlagBits.isClockUnlocked;
    yield row;
  }
}
