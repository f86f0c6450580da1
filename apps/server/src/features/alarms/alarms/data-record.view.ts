import type { DataRecord } from "@busbar/alarms/record-alarms.ts";
import { harmonicKey, harmonicOrders } from "@busbar/contract/files/data-point-keys.ts";
import type { FileToAnalyse } from "./data-analysis.store.ts";

const phases = [1, 2, 3] as const;

/** A stored data point as the alarms see it. */
export function toDataRecord({ timestamp, interval, values, starts }: FileToAnalyse): DataRecord {
  const value = (key: string): number | undefined => {
    const value = values?.[key];
    return typeof value === "number" ? value : undefined;
  };
  return {
    at: timestamp + interval,
    voltageThd: phases.map((phase) => value(`voltageThd${phase}`)),
    currentThd: phases.map((phase) => value(`currentThd${phase}`)),
    meanCurrent: value("currentAvg"),
    startsPerHour: ((starts ?? 0) * 3_600) / Math.max(3_600, interval),
    lineFrequency: value("lineFrequencyAvg"),
    currentHarmonics: phases.map((phase) =>
      Array.from({ length: harmonicOrders }, (_, index) => value(harmonicKey(`I${phase}`, index + 1))),
    ),
  };
}
