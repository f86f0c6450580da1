import type { AlarmSettings } from "@busbar/alarms/alarm-settings.ts";
import type { MonitoredNodeRow } from "./alarms.store.ts";

const defaultVoltageNoise = 5;
const defaultStartSeconds = 10;
/** Of the full-load current, where the node tells no noise of its own. */
const defaultCurrentNoiseShare = 0.01;
/** A fault-library alert only: no field of a node sets it. */
const underloadPercent = 40;

/** What the console keeps of a node together with what the node tells of itself. */
export function toAlarmSettings(row: MonitoredNodeRow): AlarmSettings {
  const told = (key: string): number | undefined => {
    const text = row.config?.[key]?.trim();
    const value = text === undefined || text === "" ? Number.NaN : Number(text);
    return Number.isFinite(value) ? value : undefined;
  };
  const positive = (value: number | undefined) => (value !== undefined && value > 0 ? value : undefined);
  const npCurrent = positive(told("np_current"));
  return {
    npVoltage: positive(told("np_voltage")),
    npCurrent,
    voltageNoise: told("v_noise") ?? defaultVoltageNoise,
    currentNoise: told("i_noise") ?? defaultCurrentNoiseShare * (npCurrent ?? 0),
    startSeconds: told("start_seconds") ?? defaultStartSeconds,
    activeVoltages: [row.activeVa, row.activeVb, row.activeVc],
    activeCurrents: [row.activeIa, row.activeIb, row.activeIc],
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
    viMinimumVoltageThreshold: row.viMinimumVoltageThreshold,
    underloadPercent,
  };
}
