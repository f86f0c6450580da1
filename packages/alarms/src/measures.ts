import type { AlarmSettings, Triple } from "./alarm-settings.ts";

export interface Readings {
  /** V line-to-line: V12, V23, V31. */
  voltages: Triple;
  /** A. */
  currents: Triple;
}

/** Mean of the active channels; undefined when none is active. */
export function meanOf(values: Triple, isActive: readonly boolean[]): number | undefined {
  let sum = 0;
  let count = 0;
  for (let index = 0; index < 3; index++) {
    if (!isActive[index]) continue;
    sum += values[index]!;
    count++;
  }
  return count === 0 ? undefined : sum / count;
}

/**
 * Imbalance in percent: the largest deviation from the mean over the mean (NEMA MG-1, PVUR).
 * @returns undefined unless all three channels are active and their mean is above `noise`
 */
export function imbalancePercent(values: Triple, isActive: readonly boolean[], noise: number): number | undefined {
  if (!isActive.every(Boolean)) return undefined;
  const mean = meanOf(values, isActive)!;
  if (!(mean > noise)) return undefined;
  return (100 * Math.max(...values.map((value) => Math.abs(value - mean)))) / mean;
}

/** Whether voltage is there to be judged. */
export function hasVoltage({ voltages }: Readings, settings: AlarmSettings): boolean {
  const mean = meanOf(voltages, settings.activeVoltages);
  return mean !== undefined && mean > Math.max(settings.voltageNoise, settings.viMinimumVoltageThreshold);
}

/** Whether the machine draws current. */
export function isRunning({ currents }: Readings, settings: AlarmSettings): boolean {
  return (meanOf(currents, settings.activeCurrents) ?? 0) > settings.currentNoise;
}

/** How far the worst active line is above (`sign` 1) or under (-1) the nameplate, percent; undefined without nameplate or lines. */
export function voltageDeviationPercent({ voltages }: Readings, settings: AlarmSettings, sign: 1 | -1): number | undefined {
  const { npVoltage } = settings;
  if (npVoltage === undefined || !(npVoltage > 0)) return undefined;
  const active = voltages.filter((_, index) => settings.activeVoltages[index]);
  if (active.length === 0) return undefined;
  return Math.max(...active.map((voltage) => (100 * sign * (voltage - npVoltage)) / npVoltage));
}

/** The phase (1 to 3) without current while the other two run: single phasing. Undefined when there is none. */
export function lostPhase({ currents }: Readings, settings: AlarmSettings): number | undefined {
  if (!settings.activeCurrents.every(Boolean)) return undefined;
  const running = currents.map((current) => current > settings.currentNoise);
  return running.filter(Boolean).length === 2 ? running.indexOf(false) + 1 : undefined;
}

/** What the mean current lacks to the full load, percent; undefined without nameplate or channels. */
export function missingLoadPercent({ currents }: Readings, { npCurrent, activeCurrents }: AlarmSettings): number | undefined {
  const current = meanOf(currents, activeCurrents);
  return npCurrent === undefined || !(npCurrent > 0) || current === undefined ? undefined : 100 - (100 * current) / npCurrent;
}

/** Current is judged for imbalance and distortion above this part of the full-load current. */
const judgedLoadShare = 0.25;

/** Whether a mean current is load enough to judge its shape by. */
export function isLoaded(meanCurrent: number | undefined, { npCurrent }: AlarmSettings): boolean {
  return meanCurrent !== undefined && meanCurrent > judgedLoadShare * (npCurrent ?? Number.POSITIVE_INFINITY);
}
