import type { AlarmKind } from "../alarm-kinds.ts";

const words: Record<AlarmKind, string> = {
  voltageImbalance: "voltage imbalance",
  currentImbalance: "current imbalance",
  overVoltage: "over-voltage",
  underVoltage: "under-voltage",
  shortTermOverCurrent: "short-term over-current",
  longTermOverCurrent: "long-term over-current",
  lossOfPhase: "loss of phase",
  underload: "underload",
  stopOfInterest: "stop under load",
  fieldLoss: "field loss",
  voltageThd: "voltage THD",
  currentThd: "current THD",
  frequentStarts: "too many starts",
  harmonicSignature: "harmonic signature",
  voltageSag: "voltage sag",
  lossOfPhaseTransient: "loss-of-phase transient",
  longStart: "long acceleration",
};

/** A kind of alarm within a sentence. */
export const alarmWords = (kind: string): string => (Object.hasOwn(words, kind) ? words[kind as AlarmKind] : kind.slice(0, 40));
