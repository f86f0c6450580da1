import { sum, type PhaseValues } from "./phases.ts";
import type { Phase, WiredMachine, WiringFault } from "./wiring.ts";

/** The voltages by themselves: what is wrong with them, and by which angle (radians) a wrong kind of tap turns them. */
export interface VoltageFindings {
  faults: readonly WiringFault[];
  /** No triangle is left in which a current would have a direction. */
  isBroken: boolean;
  turn: number;
  /** Mean over nameplate, when the faults are corrected; 1 without a nameplate. */
  share: number;
}

const alike = (a: number, b: number, share: number): boolean => Math.abs(a - b) <= share * Math.max(a, b);
const sixth = Math.PI / 6;

/**
 * From V12, V23, V31. An open tap takes the potential of the node's star point, which lies between the two others: both voltages to it are half of the
 * third one, up to 1/√3 with a neutral. Two taps on one conductor have no voltage between them. √3 too much or too little is line to line for line to
 * neutral or the other way round; V12 leads V1N by 30° (IEC 61000-4-30, 4.1 on the choice of the two).
 */
export function judgeVoltages(lineToLine: PhaseValues, { npVoltage, voltageNoise }: WiredMachine): VoltageFindings {
  const most = Math.max(...lineToLine);
  const mean = sum(lineToLine) / 3;
  const broken = (fault: WiringFault): VoltageFindings => ({ faults: [fault], isBroken: true, turn: 0, share: 1 });
  if (most <= voltageNoise) return broken({ kind: "no-voltage", phases: [1, 2, 3] });
  for (const phase of [1, 2, 3] as const) {
    const [before, after, opposite] = aroundPhase(lineToLine, phase);
    if (alike(before, after, 0.2) && (before + after) / 2 > 0.35 * opposite && (before + after) / 2 < 0.68 * opposite)
      return broken({ kind: "no-voltage", phases: [phase] });
    if (opposite < 0.12 * most && alike(before, after, 0.15)) return broken({ kind: "joined-voltages", phases: othersOf(phase) });
  }
  if (npVoltage === undefined || npVoltage <= 0) return { faults: [], isBroken: false, turn: 0, share: 1 };
  const factor = mean / npVoltage;
  if (factor > 0.8 && factor < 1.25) return { faults: [], isBroken: false, turn: 0, share: factor };
  const root = Math.sqrt(3);
  if (alike(factor, root, 0.12)) return { faults: [{ kind: "line-for-neutral" }], isBroken: false, turn: sixth, share: factor / root };
  if (alike(factor, 1 / root, 0.12)) return { faults: [{ kind: "neutral-for-line" }], isBroken: false, turn: -sixth, share: factor * root };
  return { faults: [{ kind: "voltage-ratio", factor }], isBroken: false, turn: 0, share: 1 };
}

/** The two line voltages that a phase touches, and the one that it does not. */
function aroundPhase([v12, v23, v31]: PhaseValues, phase: Phase): readonly [number, number, number] {
  if (phase === 1) return [v31, v12, v23];
  return phase === 2 ? [v12, v23, v31] : [v23, v31, v12];
}

const othersOf = (phase: Phase): [Phase, Phase] => [1, 2, 3].filter((other) => other !== phase) as [Phase, Phase];
