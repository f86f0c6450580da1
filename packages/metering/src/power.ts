import { sum } from "./phases.ts";

/** Power of one phase or of all: kW, kVAr (positive: lagging), kVA, and the true power factor with the sign of P. */
export interface Power {
  kw: number;
  kvar: number;
  kva: number;
  /** null without apparent power. */
  powerFactor: number | null;
}

/** From volts to neutral, amperes and the angle (radians) by which the current lags; sinusoidal. IEEE 1459, 3.1.1. */
export function phasePower(voltsToNeutral: number, amps: number, lag: number): Power {
  const kva = (voltsToNeutral * amps) / 1000;
  return powerOf(kva * Math.cos(lag), kva * Math.sin(lag), kva);
}

/** Of a phase whose P and Q are measured: S = √(P² + Q²). */
export const measuredPower = (kw: number, kvar: number): Power => powerOf(kw, kvar, Math.hypot(kw, kvar));

/**
 * Of several phases: P adds up, S is the arithmetic sum of the phases (IEEE 1459, S_A), and Q is what is left,
 * √(S² − P²), with the sign of ΣQ. So P² + Q² = S² holds for the total as it does for each phase.
 */
export function totalPower(phases: readonly Power[]): Power {
  const kw = sum(phases.map((phase) => phase.kw));
  const kva = sum(phases.map((phase) => phase.kva));
  const sign = sum(phases.map((phase) => phase.kvar)) < 0 ? -1 : 1;
  return powerOf(kw, sign * nonActivePower(kva, kw), kva);
}

/** √(S² − P²), 0 when measuring errors make P the greater. */
export const nonActivePower = (kva: number, kw: number): number => Math.sqrt(Math.max(0, kva * kva - kw * kw));

function powerOf(kw: number, kvar: number, kva: number): Power {
  return { kw, kvar, kva, powerFactor: kva > 0 ? Math.min(1, Math.max(-1, kw / kva)) : null };
}

/**
 * Share of each phase in the total, percent: of the power, or of the current when there is no power.
 * @returns null when there is neither
 */
export function phaseSplitPercent(kw: readonly number[], amps: readonly number[]): number[] | null {
  const of = [kw, amps].find((values) => sum(values) > 0);
  if (of === undefined) return null;
  const total = sum(of);
  return of.map((value) => (100 * value) / total);
}

/** The angle in radians by which a phase's current lags its voltage. */
export const lagOf = ({ kw, kvar }: Pick<Power, "kw" | "kvar">): number => (kw === 0 && kvar === 0 ? 0 : Math.atan2(kvar, kw));
