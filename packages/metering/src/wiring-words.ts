import type { Phase, WiringExplanation, WiringFault, WiringVerdict } from "./wiring.ts";

/** What is said of a wiring: what it is, what to do, and what these values cannot show. Whole sentences. */
export interface WiringWords {
  sentence: string;
  actions: readonly string[];
  /** Of several explanations: each in words. */
  candidates: readonly string[];
  notShown: readonly string[];
}

export function wiringWords(verdict: WiringVerdict): WiringWords {
  const { outcome, faults, candidates, notShown } = verdict;
  return {
    sentence: outcome === "open" ? openSentence(verdict) : outcome === "right" ? rightSentence : faults.map(faultSentence).join(" "),
    actions: faults.map(actionOf),
    candidates: candidates.map(candidateWords),
    notShown: notShown.map((name) => notShownSentences[name]),
  };
}

const rightSentence = "The wiring is right: each current follows the voltage of its own phase.";

const openSentences = {
  "no-load": "The load is too low to tell: no current is above the noise.",
  starting: "The machine is starting: its currents say nothing of the wiring yet.",
  "no-fit": "Cannot tell: these values fit no wiring of this machine.",
  several: "Cannot tell: several explanations fit these values about equally.",
  contradiction: "Cannot tell: the powers are not those of these voltages and currents.",
} as const;

const openSentence = ({ reason }: WiringVerdict): string => openSentences[reason ?? "no-fit"];

const notShownSentences = {
  rotation: "The rotation does not show in currents this even. Check it with a rotation meter.",
  "current-ratio": "The CT ratio does not show. Compare one current with a clamp meter.",
  "voltage-level": "Without a nameplate voltage the height of the voltages proves nothing.",
} as const;

function candidateWords({ faults, isGenerating }: WiringExplanation): string {
  const words = faults.length === 0 ? (isGenerating ? "" : rightSentence) : faults.map(faultSentence).join(" ");
  return [words, isGenerating ? (words === "" ? "The wiring is right and power flows back." : "Power flows back.") : ""]
    .filter(Boolean)
    .join(" ");
}

function faultSentence(fault: WiringFault): string {
  switch (fault.kind) {
    case "reversed":
      return fault.phases.length === 3
        ? "All three CTs are turned round."
        : `The ${fault.phases.length === 1 ? "CT of phase" : "CTs of phases"} ${list(fault.phases)} ${fault.phases.length === 1 ? "is" : "are"} turned round.`;
    case "swapped-currents":
      return `The currents of phases ${list(fault.phases)} are exchanged.`;
    case "swapped-voltages":
      return `The voltages of phases ${list(fault.phases)} are exchanged.`;
    case "displaced":
      return `Voltages and currents are of different phases: beside the voltages of phases 1, 2 and 3 are the currents of phases ${list(fault.by === 1 ? [2, 3, 1] : [3, 1, 2])}.`;
    case "rotation":
      return "The phases turn 1, 3, 2 and not 1, 2, 3.";
    case "line-for-neutral":
      return "Line-to-line voltages are on inputs for line to neutral: they are 1.73 times too high.";
    case "neutral-for-line":
      return "Voltages to neutral are on inputs for line to line: they are 1.73 times too low.";
    case "current-ratio":
      return `The ${fault.phase === undefined ? "CT ratio is" : `ratio of the CT of phase ${fault.phase} is`} wrong: its current is shown ${times(fault.factor)}.`;
    case "voltage-ratio":
      return `The voltages do not fit the nameplate: they are ${percent(fault.factor)} of it.`;
    case "no-current":
      return fault.phases.length === 1
        ? `Phase ${fault.phases[0]} has no current while the others have.`
        : `Phases ${list(fault.phases)} have no current while the other has.`;
    case "no-voltage":
      return fault.phases.length === 3
        ? "There is no voltage, and yet a current."
        : `The voltage of phase ${list(fault.phases)} is missing: its tap is open.`;
    case "joined-voltages":
      return `The voltage taps of phases ${list(fault.phases)} are on one conductor.`;
  }
}

function actionOf(fault: WiringFault): string {
  switch (fault.kind) {
    case "reversed":
      return fault.phases.length === 3
        ? "Turn all three CTs round, or exchange the two leads of each. If they point to the supply on purpose, they point the wrong way."
        : `Turn the ${fault.phases.length === 1 ? "CT of phase" : "CTs of phases"} ${list(fault.phases)} round, or exchange ${fault.phases.length === 1 ? "its" : "their"} two leads.`;
    case "swapped-currents":
      return `Short the CTs, then exchange the leads of CT ${fault.phases[0]} and CT ${fault.phases[1]} at the node. In a supply that turns 1, 3, 2 it is the voltage taps.`;
    case "swapped-voltages":
      return `Take out the fuses of the taps, then exchange V${fault.phases[0]} and V${fault.phases[1]} at the node. In a supply that turns 1, 3, 2 it is the CTs.`;
    case "displaced":
      return `Short the CTs, then move their leads at the node: ${fault.by === 1 ? "I1 to I2, I2 to I3, I3 to I1" : "I1 to I3, I2 to I1, I3 to I2"}. Or move the voltage taps the other way.`;
    case "rotation":
      return "Check the rotation with a rotation meter. Exchange the same two phases in the voltages and in the currents, for example 1 and 3.";
    case "line-for-neutral":
      return "Compare the taps, and the setting of the voltage inputs, with the wiring drawing: line to neutral is meant.";
    case "neutral-for-line":
      return "Compare the taps, and the setting of the voltage inputs, with the wiring drawing: line to line is meant.";
    case "current-ratio":
      return `Compare the CT's label with the ratio that is set, and the secondary (5 A or 1 A)${fault.phase === undefined ? "" : `, of phase ${fault.phase}`}. Check with a clamp meter.`;
    case "voltage-ratio":
      return "Compare the PT ratio that is set with the label, and the nameplate voltage with the machine.";
    case "no-current":
      return `Look whether the CT of phase ${list(fault.phases)} is still shorted or its leads are open, then whether the conductor carries current.`;
    case "no-voltage":
      return fault.phases.length === 3
        ? "Check the fuses of all voltage taps."
        : `Check the fuse and the tap of phase ${list(fault.phases)}.`;
    case "joined-voltages":
      return `Move the tap of phase ${fault.phases[0]} or ${fault.phases[1]} to its own conductor.`;
  }
}

const list = (phases: readonly Phase[]): string =>
  phases.length < 2 ? String(phases[0] ?? "") : `${phases.slice(0, -1).join(", ")} and ${phases.at(-1)}`;
const times = (factor: number): string =>
  factor >= 1 ? `${Math.round(factor)} times too great` : `${Math.round(1 / factor)} times too small`;
const percent = (factor: number): string => `${Math.round(100 * factor)} %`;
