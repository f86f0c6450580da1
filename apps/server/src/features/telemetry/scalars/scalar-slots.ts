import { metricNames, phasePowers, scalarMeasurements } from "@busbar/contract/telemetry/sparkplug-namespace.ts";

/** Metrics of one scalar in the order of its text; the first nine are columns of the table. */
const scalarMetrics = [metricNames.scalarVersion, metricNames.scalarFlag, ...scalarMeasurements, ...phasePowers] as const;

export const slotCount = scalarMetrics.length;
/** Version and flag: 16-bit integers. The other slots are measurements. */
export const integerSlotCount = 2;
/** Slots of metrics in `Scalar/`; the ones behind are in `Meter/`. */
export const columnSlotCount = 9;

const slots: ReadonlyMap<string, number> = new Map(scalarMetrics.map((name, slot) => [name, slot]));

export function scalarSlot(metricName: string): number | undefined {
  return slots.get(metricName);
}
