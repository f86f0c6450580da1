import type { PhaseValues } from "./phases.ts";
import type { Phasor } from "./voltage.ts";

export type Phase = 1 | 2 | 3;

/** What draws the current, by what its current can be. A drive or rectifier is seen from its line side. */
export type WiredMachineKind = "induction" | "synchronous" | "drive" | "rectifier" | "main";

/** What is known of the machine; undefined where no one entered it. */
export interface WiredMachine {
  kind: WiredMachineKind;
  /** Volts line to line. */
  npVoltage: number | undefined;
  /** Full-load amperes. */
  npCurrent: number | undefined;
  npHp: number | undefined;
  poles: number | undefined;
  /** Volts and amperes at and below which a node measures noise. */
  voltageNoise: number;
  currentNoise: number;
}

/** One moment of a node's inputs 1, 2, 3, as the node measured it. */
export interface WiringReadings {
  /** V12, V23, V31 in V. */
  lineToLine: PhaseValues;
  /** A RMS. */
  currents: PhaseValues;
  /** Of each input's voltage to neutral and current: active power in kW, non-active in kVAr with the sign of the fundamental (lagging +). */
  kw: PhaseValues;
  kvar: PhaseValues;
  /** Total harmonic distortion of each current in percent of its fundamental, where it is known. */
  currentThd: PhaseValues | undefined;
  /** The machine accelerates: its currents say nothing of its load. */
  isStarting: boolean;
}

/** What can be wrong between the machine's lines and the node's inputs. */
export type WiringFault =
  /** CTs that are turned round. */
  | { kind: "reversed"; phases: readonly Phase[] }
  | { kind: "swapped-currents"; phases: readonly [Phase, Phase] }
  | { kind: "swapped-voltages"; phases: readonly [Phase, Phase] }
  /** Each current input has the current of the phase that is so many on. */
  | { kind: "displaced"; by: 1 | 2 }
  /** Voltages and currents agree, and turn 1, 3, 2. */
  | { kind: "rotation" }
  /** Inputs for line to neutral have line-to-line voltages, or the other way round. */
  | { kind: "line-for-neutral" }
  | { kind: "neutral-for-line" }
  /** Measured over true; of one phase, or of all. */
  | { kind: "current-ratio"; factor: number; phase?: Phase }
  | { kind: "voltage-ratio"; factor: number }
  /** Open or shorted. */
  | { kind: "no-current"; phases: readonly Phase[] }
  | { kind: "no-voltage"; phases: readonly Phase[] }
  /** Two voltage inputs on one conductor. */
  | { kind: "joined-voltages"; phases: readonly [Phase, Phase] };

/** One explanation of what is measured; without faults, and not generating, all is right. */
export interface WiringExplanation {
  faults: readonly WiringFault[];
  /** Power flows out of the machine, or back into the grid. */
  isGenerating: boolean;
}

/** Why nothing is named: no load; a start; nothing that fits; several that fit; powers that contradict voltage and current. */
export type NoVerdictReason = "no-load" | "starting" | "no-fit" | "several" | "contradiction";

/** Voltages to neutral and currents of inputs 1, 2, 3. */
export interface WiringPhasors {
  voltages: readonly [Phasor, Phasor, Phasor];
  currents: readonly [Phasor, Phasor, Phasor];
}

export interface WiringVerdict {
  /** `open`: no verdict, for a reason. */
  outcome: "right" | "wrong" | "open";
  faults: readonly WiringFault[];
  reason: NoVerdictReason | undefined;
  /** What fits about equally well; empty unless several do. */
  candidates: readonly WiringExplanation[];
  /** What these values cannot show, whether it is right or not. */
  notShown: readonly ("rotation" | "current-ratio" | "voltage-level")[];
  /** As measured, in the rotation that was found; undefined without voltage. */
  is: WiringPhasors | undefined;
  /** What the same machine would show when it is wired right; undefined when that is not known. */
  ought: WiringPhasors | undefined;
}
