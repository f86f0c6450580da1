import type { AlarmSettings } from "@busbar/alarms/alarm-settings.ts";
import { currentNoise } from "@busbar/metering/noise.ts";
import type { MonitoredNodeRow } from "./alarms.store.ts";

const defaultVoltageNoise = 5;
const defaultStartSeconds = 10;

/** Limits that are the same for every node: fault-library alerts only, no field of a node sets them. */
export type FleetLimits = Pick<AlarmSettings, "underloadPercent" | "startsPerHour" | "signaturePercent">;

/** What the console keeps of a node together with what the node reports of itself. */
export function toAlarmSettings(row: MonitoredNodeRow, limits: FleetLimits): AlarmSettings {
  const npCurrent = positive(row.npCurrent);
  const isAlternating = !row.isDirect;
  return {
    isField: row.machineSerial !== null,
    npVoltage: positive(row.npVoltage),
    npCurrent,
    voltageNoise: configured(row.vNoise) ?? defaultVoltageNoise,
    currentNoise: currentNoise(configured(row.iNoise), npCurrent),
    startSeconds: configured(row.startSeconds) ?? defaultStartSeconds,
    activeVoltages: [row.activeVa, row.activeVb && isAlternating, row.activeVc && isAlternating],
    activeCurrents: [row.activeIa, row.activeIb && isAlternating, row.activeIc && isAlternating],
    voltageImbalanceThreshold: row.voltageImbalanceThreshold,
    currentImbalanceThreshold: row.currentImbalanceThreshold,
    voltageThdThreshold: row.voltageThdThreshold,
    currentThdThreshold: row.currentThdThreshold,
    overVoltageThreshold: row.overVoltageThreshold,
    underVoltageThreshold: row.underVoltageThreshold,
    shortTermOverCurrentThreshold: row.shortTermOverCurrentThreshold,
    shortTermOverCurrentAveragingPeriod: row.shortTermOverCurrentAveragingPeriod,
    longTermOverCurrentThreshold: row.longTermOverCurrentThreshold,
    longTermOverCurrentAveragingPeriod: row.longTermOverCurrentAveragingPeriod,
    stopEventOfInterestThreshold: row.stopEventOfInterestThreshold,
    lossOfPhaseTransientThreshold: row.lossOfPhaseTransientThreshold,
    viMinimumVoltageThreshold: row.viMinimumVoltageThreshold,
    ...limits,
  };
}

function configured(text: string | null): number | undefined {
  if (text === null || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

const positive = (value: number | null) => (value !== null && value > 0 ? value : undefined);
