import { sum } from "./phases.ts";

/** RMS of harmonic sub-groups by order (1: the fundamental), IEC 61000-4-7; all in one unit, such as A or percent of the fundamental. */
export type Harmonics = ReadonlyMap<number, number>;

const highestOrder = 40;

function distortion(harmonics: Harmonics): number {
  return Math.sqrt(sum([...harmonics].map(([order, rms]) => (order >= 2 && order <= highestOrder ? rms * rms : 0))));
}

/**
 * Total harmonic distortion over the fundamental in percent, orders 2 to 40 (IEC 61000-4-7).
 * @returns null without a fundamental
 */
export function thdOfFundamentalPercent(harmonics: Harmonics): number | null {
  const fundamental = harmonics.get(1) ?? 0;
  return fundamental > 0 ? (100 * distortion(harmonics)) / fundamental : null;
}

/** Distortion over the total RMS, in percent: never above 100. */
export function thdOfTotalPercent(thdOfFundamental: number): number {
  return (100 * (thdOfFundamental / 100)) / totalOverFundamental(thdOfFundamental);
}

/** RMS of the whole over RMS of the fundamental: √(1 + THD²). */
export function totalOverFundamental(thdOfFundamental: number): number {
  return Math.hypot(1, thdOfFundamental / 100);
}

/** What the distortion of the current alone leaves of the power factor while the voltage is sinusoidal: PF = DPF times this. */
export const distortionPowerFactor = (currentThdOfFundamental: number): number => 1 / totalOverFundamental(currentThdOfFundamental);
