import type { MeteringStatus } from "@busbar/contract/telemetry/metering.ts";
import { lateAfterSeconds } from "#shared/late-after.ts";
import type { MeterRow } from "./metering.read-model.ts";

/** How long a first value may take before a node counts as not metering. */
const patienceSeconds = 60;

/** Relays and external nodes have files, no meter. */
export const hasMeter = (type: string): boolean => type === "Node" || type === "subNode";

/** The newest scalar since the meter was cleared; epoch seconds. */
export function scalarAt(meter: MeterRow): number | null {
  if (meter.lastScalarAt === null || meter.lastScalarData === "") return null;
  return meter.clearedScalarAt !== null && meter.lastScalarAt <= meter.clearedScalarAt ? null : meter.lastScalarAt;
}

/** Zero is a value like any other: a stopped machine is metered. */
export function meteringStatus(meter: MeterRow, interval: number, nowSeconds: number): MeteringStatus {
  if (!hasMeter(meter.type)) return "Not metering";
  const at = scalarAt(meter);
  if (at !== null) return meter.isConnected && nowSeconds - at <= lateAfterSeconds(interval) ? "Metering" : "Not metering";
  const waitsSince = Math.max(meter.clearedAt ?? 0, meter.connectionChangedAt ?? 0);
  return meter.isConnected && nowSeconds - waitsSince <= patienceSeconds ? "Waiting" : "Not metering";
}
