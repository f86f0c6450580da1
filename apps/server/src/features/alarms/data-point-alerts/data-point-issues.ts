import { counted } from "@busbar/contract/values/counted.ts";
import type { AlarmSettings } from "@busbar/alarms/alarm-settings.ts";

export type DataPointValues = Readonly<Record<string, number | string | null>>;

/** What may be wrong with one data point. */
export interface DataPointIssue {
  kind: "incomplete" | "implausible" | "deadChannel";
  detail: string;
}

const phases = ["1", "2", "3"] as const;
const families = ["voltage", "current", "powerKw", "powerKva", "powerKvaR", "powerFactor"].flatMap((quantity) =>
  ["", ...phases].map((phase) => `${quantity}${phase}`),
);
/** Beyond these nothing of this world measures; surges and starts stay below. */
const highestVoltageTimes = 3;
const highestCurrentTimes = 25;
const lowestHz = 40;
const highestHz = 70;
const roundingShare = 0.002;
const listedReasons = 4;

/**
 * What a data point says that cannot be: values that are missing, values outside of physics, a channel that measures nothing while the
 * others do. Nothing that a machine or its supply may really do counts.
 */
export function findDataPointIssues(values: DataPointValues, settings: AlarmSettings): DataPointIssue[] {
  const found: [DataPointIssue["kind"], string[]][] = [
    ["incomplete", missingOf(values, settings)],
    ["implausible", impossibleOf(values, settings)],
    ["deadChannel", deadChannelsOf(values, settings)],
  ];
  return found.flatMap(([kind, reasons]) => (reasons.length === 0 ? [] : [{ kind, detail: textOf(reasons) }]));
}

function textOf(reasons: readonly string[]): string {
  const more = reasons.length - listedReasons;
  return `${reasons.slice(0, listedReasons).join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

function numberAt(values: DataPointValues, key: string): number | undefined {
  const value = values[key];
  return typeof value === "number" ? value : undefined;
}

/** Seconds that no one measured, more than half of all; quantities without a value. */
function missingOf(values: DataPointValues, { activeVoltages, activeCurrents }: AlarmSettings): string[] {
  const [samples = 0, interval = 0] = [numberAt(values, "samples"), numberAt(values, "interval")];
  if (2 * samples < interval) return [`${samples} of ${counted(interval, "second")} measured`];
  const needed = [
    "voltageAvg",
    "currentAvg",
    "powerKwAvg",
    ...phases.filter((_, index) => activeVoltages[index]).map((phase) => `voltage${phase}Avg`),
    ...phases.filter((_, index) => activeCurrents[index]).map((phase) => `current${phase}Avg`),
  ];
  return needed.filter((key) => numberAt(values, key) === undefined).map((key) => `no ${key}`);
}

function impossibleOf(values: DataPointValues, { npVoltage, npCurrent }: AlarmSettings): string[] {
  const reasons: string[] = [];
  const outside = (key: string, low: number, high: number, unit: string) => {
    const value = numberAt(values, key);
    if (value !== undefined && (value < low || value > high)) reasons.push(`${key} is ${shown(value)}${unit}`);
  };
  for (const phase of ["", ...phases]) {
    for (const statistic of ["Avg", "Min", "Max"]) {
      outside(`voltage${phase}${statistic}`, 0, highestVoltageTimes * (npVoltage ?? Number.POSITIVE_INFINITY), " V");
      outside(`current${phase}${statistic}`, 0, highestCurrentTimes * (npCurrent ?? Number.POSITIVE_INFINITY), " A");
      outside(`powerFactor${phase}${statistic}`, -1 - roundingShare, 1 + roundingShare, "");
    }
  }
  // Without voltage there is no frequency: zero is no issue.
  if ((numberAt(values, "lineFrequencyMin") ?? 0) > 0) outside("lineFrequencyMin", lowestHz, highestHz, " Hz");
  outside("lineFrequencyMax", 0, highestHz, " Hz");
  for (const family of families) {
    const [least, mean, most] = [numberAt(values, `${family}Min`), numberAt(values, `${family}Avg`), numberAt(values, `${family}Max`)];
    if (least === undefined || mean === undefined || most === undefined) continue;
    const rounding = 0.01 + roundingShare * Math.max(Math.abs(least), Math.abs(most));
    if (mean < least - rounding || mean > most + rounding)
      reasons.push(`${family}Avg ${shown(mean)} is not within ${shown(least)} and ${shown(most)}`);
  }
  const [samples, missing, interval] = [numberAt(values, "samples"), numberAt(values, "missing"), numberAt(values, "interval")];
  if (samples !== undefined && missing !== undefined && interval !== undefined && samples + missing !== interval)
    reasons.push(`${samples} measured and ${missing} missing do not make ${counted(interval, "second")}`);
  return reasons;
}

const shown = (value: number): string => String(Math.round(value * 1000) / 1000);

/** An active channel that stayed at noise in every second while the mean of the others is well above. */
function deadChannelsOf(values: DataPointValues, settings: AlarmSettings): string[] {
  const dead = (quantity: "voltage" | "current", isActive: readonly boolean[], noise: number, needed: number | undefined) => {
    const active = phases.filter((_, index) => isActive[index]);
    if (active.length < 2 || needed === undefined) return [];
    return active.filter((phase) => {
      const others = active.filter((other) => other !== phase).map((other) => numberAt(values, `${quantity}${other}Avg`) ?? 0);
      return (numberAt(values, `${quantity}${phase}Max`) ?? Number.POSITIVE_INFINITY) <= noise && others.every((mean) => mean > needed);
    });
  };
  const { npVoltage, npCurrent } = settings;
  return [
    ...dead("voltage", settings.activeVoltages, settings.voltageNoise, npVoltage && npVoltage / 2).map((phase) => `voltage ${phase}`),
    ...dead("current", settings.activeCurrents, settings.currentNoise, npCurrent && npCurrent / 4).map((phase) => `current ${phase}`),
  ].map((channel) => `${channel} measures nothing while the others do`);
}
