import type { Fault, SagType } from "./fault.ts";
import type { Span } from "./window-index.ts";
import type { Wiring } from "./wiring.ts";

export type EffectKind = "voltage" | "stopped" | "restart" | "jam" | "singlePhasing" | "load" | "imbalance" | "wiring";

/** What one fault does to the quantities of a node for a while; one shape for all kinds keeps the hot loop fast. */
export interface ElectricalEffect extends Span {
  kind: EffectKind;
  /** Multipliers of V12, V23, V31. */
  m1: number;
  m2: number;
  m3: number;
  isPowerQualityEvent: boolean;
  /** Load per unit, lost voltage per unit. */
  level: number;
  /** 1 to 3, 0: none. */
  phase: number;
  wiring: Wiring | undefined;
}

export function createEffect(kind: EffectKind, start: number, end: number, change: Partial<ElectricalEffect> = {}): ElectricalEffect {
  return { kind, start, end, m1: 1, m2: 1, m3: 1, isPowerQualityEvent: false, level: 0, phase: 0, wiring: undefined, ...change };
}

/** Multipliers of the line-to-line voltages for a sag of a type at a phase (Bollen's types A, C, D). */
export function sagMultipliers(voltage: number, type: SagType, phase: number): readonly [number, number, number] {
  if (type === "A") return [voltage, voltage, voltage];
  const multipliers: [number, number, number] =
    type === "D"
      ? [voltage, Math.sqrt(0.75 + 0.25 * voltage * voltage), Math.sqrt(0.75 + 0.25 * voltage * voltage)]
      : [1, Math.sqrt(0.25 + 0.75 * voltage * voltage), Math.sqrt(0.25 + 0.75 * voltage * voltage)];
  for (let turn = 1; turn < phase; turn++) multipliers.unshift(multipliers.pop()!);
  return multipliers;
}

/** The effect of a supply disturbance on every node of its facility; undefined for other faults. */
export function supplyEffectOf(fault: Fault): ElectricalEffect | undefined {
  if (fault.kind !== "sag" && fault.kind !== "swell" && fault.kind !== "interruption") return undefined;
  const { voltage = fault.kind === "swell" ? 1.2 : 0.02, sagType = "A", phase = 1 } = fault.params;
  const [m1, m2, m3] = sagMultipliers(voltage, sagType, phase);
  return createEffect("voltage", fault.start, fault.start + fault.durationSeconds, { m1, m2, m3, isPowerQualityEvent: true });
}

export interface Machinery {
  /** Lowest voltage, per unit, at which the contactor holds; 0: nothing drops out. */
  contactorHoldsAbove: number;
  /** Seconds from the return of the voltage to the restart. */
  restartDelaySeconds: number;
  startDurationSeconds: number;
}

const returnSeconds = 1.5;
/** From a stop to the start that a fault is about. */
const standstillSeconds = 60;
/** Of a machine that starts too often: from one start to the next. */
const startCycleSeconds = 240;
const twoCyclesSeconds = 2 / 60;

/** A contactor that drops out in a supply disturbance: a stop, and a restart when the voltage is back. */
export function dropOutEffects(effect: ElectricalEffect, machinery: Machinery): ElectricalEffect[] {
  const lowest = Math.min(effect.m1, effect.m2, effect.m3);
  if (lowest >= machinery.contactorHoldsAbove || effect.end - effect.start <= twoCyclesSeconds) return [];
  return stopAndRestart(effect.start, effect.end + machinery.restartDelaySeconds, machinery);
}

/** The effects of a fault of one node; none for faults that are not electrical. */
export function nodeEffectsOf(fault: Fault, machinery: Machinery): ElectricalEffect[] {
  const { start, params } = fault;
  const end = start + fault.durationSeconds;
  const trips = () => {
    const tripped = start + (params.tripSeconds ?? fault.durationSeconds);
    return { tripped, after: stopAndRestart(tripped, tripped + (params.repairSeconds ?? 1800), machinery) };
  };
  switch (fault.kind) {
    case "overload":
      return [createEffect("load", start, end, { level: params.load ?? 1.35 })];
    case "underload":
      return [createEffect("load", start, end, { level: params.load ?? 0.15 })];
    case "imbalance":
      return [createEffect("imbalance", start, end, { level: (params.voltageLossPercent ?? 4) / 100, phase: params.phase ?? 1 })];
    case "jam": {
      const { tripped, after } = trips();
      return [createEffect("jam", start, tripped), ...after];
    }
    case "phaseBlink":
      // An open phase that comes back: the machine has slowed down and draws its starting current for a moment.
      return [createEffect("singlePhasing", start, end, { phase: params.phase ?? 1 }), createEffect("jam", end, end + returnSeconds)];
    case "longStart": {
      const restarted = Math.min(start + standstillSeconds, end);
      return [...stopAndRestart(start, restarted, machinery), createEffect("jam", restarted, end)];
    }
    case "frequentStarts":
      return Array.from(
        { length: Math.floor(fault.durationSeconds / startCycleSeconds) },
        (_, cycle) => start + cycle * startCycleSeconds,
      ).flatMap((stopped) => stopAndRestart(stopped, stopped + standstillSeconds, machinery));
    case "miswired":
      return [createEffect("wiring", start, end, { wiring: params.wiring })];
    case "fieldLoss":
      return [createEffect("stopped", start, end)];
    case "singlePhasing": {
      const { tripped, after } = trips();
      return [createEffect("singlePhasing", start, tripped, { phase: params.phase ?? 1 }), ...after];
    }
    default:
      return [];
  }
}

function stopAndRestart(stopped: number, restarted: number, machinery: Machinery): ElectricalEffect[] {
  return [createEffect("stopped", stopped, restarted), createEffect("restart", restarted, restarted + machinery.startDurationSeconds)];
}
