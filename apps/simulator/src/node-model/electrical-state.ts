import type { ElectricalEffect } from "./electrical-effect.ts";
import type { Wiring } from "./wiring.ts";

/** What all effects that touch one second add up to. */
export interface Disturbance {
  /** Squared multipliers of V12, V23, V31 over the second. */
  square1: number;
  square2: number;
  square3: number;
  isPowerQualityEvent: boolean;
  isStopped: boolean;
  isJammed: boolean;
  /** Per unit; negative: as the load profile has it. */
  load: number;
  lostPhase: number;
  addedUnbalance: number;
  /** Since a restart after a fault; negative: none. */
  secondsSinceRestart: number;
  /** Between the lines and the node; undefined: right. */
  wiring: Wiring | undefined;
}

export function createDisturbance(): Disturbance {
  return clearDisturbance({} as Disturbance);
}

export function clearDisturbance(disturbance: Disturbance): Disturbance {
  disturbance.square1 = 1;
  disturbance.square2 = 1;
  disturbance.square3 = 1;
  disturbance.isPowerQualityEvent = false;
  disturbance.isStopped = false;
  disturbance.isJammed = false;
  disturbance.load = -1;
  disturbance.lostPhase = 0;
  disturbance.addedUnbalance = 0;
  disturbance.secondsSinceRestart = -1;
  disturbance.wiring = undefined;
  return disturbance;
}

/** Adds the effects on the second that begins at `epochSeconds`. */
export function addEffects(disturbance: Disturbance, effects: readonly ElectricalEffect[], epochSeconds: number): void {
  for (const effect of effects) {
    const elapsed = epochSeconds - effect.start;
    if (effect.kind === "voltage") addVoltage(disturbance, effect, epochSeconds);
    // Whoever is shorter than the second shows in the voltage only
    else if (elapsed < 0 || epochSeconds >= effect.end) continue;
    else if (effect.kind === "stopped") disturbance.isStopped = true;
    else if (effect.kind === "restart") disturbance.secondsSinceRestart = elapsed;
    else if (effect.kind === "jam") disturbance.isJammed = true;
    else if (effect.kind === "wiring") disturbance.wiring = effect.wiring;
    else if (effect.kind === "load") disturbance.load = effect.level;
    else if (effect.kind === "singlePhasing") disturbance.lostPhase = effect.phase;
    // a resistance in one phase is a third of its drop in negative sequence; it grows
    else disturbance.addedUnbalance += (effect.level / 3) * Math.max(0.1, elapsed / (effect.end - effect.start));
  }
}

// A second's RMS is the root of the mean of squares, so a sag counts with its share of the second.
function addVoltage(disturbance: Disturbance, effect: ElectricalEffect, epochSeconds: number): void {
  const share = Math.min(effect.end, epochSeconds + 1) - Math.max(effect.start, epochSeconds);
  disturbance.square1 *= 1 - share + share * effect.m1 * effect.m1;
  disturbance.square2 *= 1 - share + share * effect.m2 * effect.m2;
  disturbance.square3 *= 1 - share + share * effect.m3 * effect.m3;
  if (effect.isPowerQualityEvent) disturbance.isPowerQualityEvent = true;
}
