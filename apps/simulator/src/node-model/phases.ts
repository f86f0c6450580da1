import { scalarField, type ScalarRow } from "./scalar-row.ts";

/** The three-phase state of one second, before it is split into phases. */
export interface ThreePhase {
  /** Positive-sequence line-to-line volts. */
  volts: number;
  /** Negative-sequence voltage as a share of the positive. */
  unbalance: number;
  /** Positive-sequence amperes (fundamental). */
  current: number;
  /** Negative-sequence current as a share of the positive. */
  currentUnbalance: number;
  cosPhi: number;
  sinPhi: number;
  /** RMS over fundamental current: √(1 + THD²). */
  distortionFactor: number;
}

/** Angles that never change for one node: the negative sequence seen from each phase. */
export interface PhaseAngles {
  lineCos: readonly number[];
  neutralCos: readonly number[];
  neutralSin: readonly number[];
  currentCos: readonly number[];
  currentSin: readonly number[];
  /** Error of each current transformer, per unit. */
  gains: readonly number[];
}

const degree = Math.PI / 180;

/** @param voltageAngle of the negative-sequence line-to-line voltage against the positive, radians */
export function createPhaseAngles(voltageAngle: number, gains: readonly number[]): PhaseAngles {
  // Each phase sees the negative sequence turn by 240 degrees more; line to neutral it leads by 60 degrees
  // (-30 against +30); the negative-sequence current lags its voltage by 75 degrees.
  const turns = [0, 240 * degree, 480 * degree];
  const neutral = turns.map((turn) => voltageAngle + 60 * degree + turn);
  const current = neutral.map((angle) => angle - 75 * degree);
  return {
    lineCos: turns.map((turn) => Math.cos(voltageAngle + turn)),
    neutralCos: neutral.map(Math.cos),
    neutralSin: neutral.map(Math.sin),
    currentCos: current.map(Math.cos),
    currentSin: current.map(Math.sin),
    gains,
  };
}

/** Splits into V, I, P, Q, PF of the phases: P is the real part of V·I* by phasors, Q = √(S² − P²) with the sign of φ. */
export function splitPhases(state: ThreePhase, angles: PhaseAngles, row: ScalarRow): void {
  const { volts, unbalance: u, current, currentUnbalance: r, cosPhi, sinPhi, distortionFactor } = state;
  const neutralVolts = volts * 0.5773502691896258;
  for (let k = 0; k < 3; k++) {
    row[scalarField.v1 + k] = volts * Math.sqrt(1 + u * u + 2 * u * angles.lineCos[k]!);
    const vRe = 1 + u * angles.neutralCos[k]!;
    const vIm = u * angles.neutralSin[k]!;
    const iRe = cosPhi + r * angles.currentCos[k]!;
    const iIm = -sinPhi + r * angles.currentSin[k]!;
    const gain = angles.gains[k]!;
    const vMagnitude = Math.sqrt(vRe * vRe + vIm * vIm);
    const amps = current * gain * distortionFactor * Math.sqrt(iRe * iRe + iIm * iIm);
    const kva = (neutralVolts * vMagnitude * amps) / 1000;
    const kw = (neutralVolts * current * gain * (vRe * iRe + vIm * iIm)) / 1000;
    const kvar = Math.sqrt(Math.max(0, kva * kva - kw * kw));
    row[scalarField.i1 + k] = amps;
    row[scalarField.p1 + k] = kw;
    row[scalarField.q1 + k] = sinPhi < 0 ? -kvar : kvar;
    row[scalarField.pf1 + k] = kva > 0 ? kw / kva : 0;
  }
}

/** Opens one phase: no current there, the others carry the load at √3 times (twice at high load). */
export function openPhase(row: ScalarRow, phase: number, load: number, terminalVoltage: number): void {
  const factor = 1.73 + 0.27 * Math.min(1, Math.max(0, (load - 0.8) / 0.4));
  for (let k = 0; k < 3; k++) {
    const isLost = k === phase - 1;
    // V12, V23, V31: phase n touches the voltages n and n−1
    const touchesLost = isLost || k === (phase + 1) % 3;
    if (touchesLost) row[scalarField.v1 + k]! *= terminalVoltage;
    scalePhase(row, k, isLost ? 0 : factor, isLost ? 0 : 1.5);
  }
}

function scalePhase(row: ScalarRow, k: number, currentFactor: number, powerFactor: number): void {
  const oldPower = row[scalarField.p1 + k]!;
  const oldKva = Math.hypot(oldPower, row[scalarField.q1 + k]!);
  const kva = oldKva * currentFactor;
  const kw = Math.sign(oldPower) * Math.min(kva, Math.abs(oldPower) * powerFactor);
  row[scalarField.i1 + k]! *= currentFactor;
  row[scalarField.p1 + k] = kw;
  row[scalarField.q1 + k] = Math.sqrt(Math.max(0, kva * kva - kw * kw));
  row[scalarField.pf1 + k] = kva > 0 ? kw / kva : 0;
}
