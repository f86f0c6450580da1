const phases = ["", "1", "2", "3"] as const;
const statistics = ["Avg", "Min", "Max"] as const;

export const harmonicOrders = 25;

/** Keys of a data point file in their order, without the four that name the file: `serialNumber`, `timestamp`, `interval`, `kind`. */
export const dataPointKeys: readonly string[] = [
  ...["Voltage", "Current", "Hp", "Sf", "RunningSpeed", "Frequency", "Poles", "RotorBars", "StatorSlots"].map((name) => `np${name}`),
  ...["voltage", "current", "powerKw", "powerKva", "powerKvaR", "powerFactor"].flatMap((quantity) =>
    phases.flatMap((phase) => statistics.map((statistic) => `${quantity}${phase}${statistic}`)),
  ),
  ...statistics.map((statistic) => `lineFrequency${statistic}`),
  "voltageImbalance",
  "currentImbalance",
  "voltageU2",
  "currentU2",
  ...["voltageThd", "currentThd"].flatMap((quantity) => [1, 2, 3].map((phase) => `${quantity}${phase}`)),
  "runningSeconds",
  "startCount",
  "stopCount",
  "ampHours",
  "kwh",
  "kvarh",
  "slip",
  "speedRpm",
  "cycleCount",
  "samples",
  "missing",
  "fw",
  "seqNo",
  "timeSource",
  "clockOffsetMs",
  ...["fieldVoltage", "fieldCurrent"].flatMap((quantity) => statistics.map((statistic) => `${quantity}${statistic}`)),
  ...["V", "I"].flatMap((quantity) =>
    [1, 2, 3].flatMap((phase) => Array.from({ length: harmonicOrders }, (_, index) => harmonicKey(`${quantity}${phase}`, index + 1))),
  ),
];

/** Keys whose values are words, not numbers. */
export const dataPointTextKeys: ReadonlySet<string> = new Set(["fw", "timeSource", "kind"]);

/** Keys without which a data point is no data point. */
export const requiredDataPointKeys = [
  "serialNumber",
  "timestamp",
  "interval",
  "kind",
  "voltageAvg",
  "currentAvg",
  "powerKwAvg",
  "samples",
  "missing",
] as const;

export function harmonicKey(channel: string, order: number): string {
  return `harmonic${channel}_${String(order).padStart(3, "0")}`;
}

export type SensorDataGroup = "nameplate" | "field" | "harmonic" | "plain";

/** SEN-03: prefixes in this order, case-sensitive. */
export function sensorDataGroup(key: string): SensorDataGroup {
  if (key.startsWith("np")) return "nameplate";
  if (key.startsWith("field")) return "field";
  return key.startsWith("harmonic") ? "harmonic" : "plain";
}
