import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";

/** Totals and accumulators of the meter, in the order of their columns. */
const meterMetrics = [
  metricNames.totalKw,
  metricNames.totalKva,
  metricNames.totalKvar,
  metricNames.totalPowerFactor,
  metricNames.runningSeconds,
  metricNames.ampHours,
  metricNames.kilowattHours,
  metricNames.kilovarHours,
  metricNames.fieldVoltage,
  metricNames.fieldCurrent,
] as const;

export const meterSlotCount = meterMetrics.length;

const slots: ReadonlyMap<string, number> = new Map(meterMetrics.map((name, slot) => [name, slot]));

export function meterSlot(metricName: string): number | undefined {
  return slots.get(metricName);
}
