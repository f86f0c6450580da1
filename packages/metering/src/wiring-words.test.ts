import { expect, test } from "vitest";
import { wiringWords } from "./wiring-words.ts";
import type { WiringFault, WiringVerdict } from "./wiring.ts";

const verdict = (also: Partial<WiringVerdict>): WiringVerdict => ({
  outcome: "open",
  reason: undefined,
  faults: [],
  candidates: [],
  notShown: [],
  is: undefined,
  ought: undefined,
  ...also,
});

/** Every fault, in each number of phases that it can have: what it is, and what to do. */
const words: [fault: WiringFault, sentence: string, action: string][] = [
  [{ kind: "reversed", phases: [2] }, "The CT of phase 2 is turned round.", "Turn the CT of phase 2 round, or exchange its two leads."],
  [
    { kind: "reversed", phases: [1, 3] },
    "The CTs of phases 1 and 3 are turned round.",
    "Turn the CTs of phases 1 and 3 round, or exchange their two leads.",
  ],
  [
    { kind: "reversed", phases: [1, 2, 3] },
    "All three CTs are turned round.",
    "Turn all three CTs round, or exchange the two leads of each. If they point to the supply on purpose, they point the wrong way.",
  ],
  [
    { kind: "swapped-currents", phases: [1, 2] },
    "The currents of phases 1 and 2 are exchanged.",
    "Short the CTs, then exchange the leads of CT 1 and CT 2 at the node. In a supply that turns 1, 3, 2 it is the voltage taps.",
  ],
  [
    { kind: "swapped-voltages", phases: [2, 3] },
    "The voltages of phases 2 and 3 are exchanged.",
    "Take out the fuses of the taps, then exchange V2 and V3 at the node. In a supply that turns 1, 3, 2 it is the CTs.",
  ],
  [
    { kind: "displaced", by: 1 },
    "Voltages and currents are of different phases: beside the voltages of phases 1, 2 and 3 are the currents of phases 2, 3 and 1.",
    "Short the CTs, then move their leads at the node: I1 to I2, I2 to I3, I3 to I1. Or move the voltage taps the other way.",
  ],
  [
    { kind: "displaced", by: 2 },
    "Voltages and currents are of different phases: beside the voltages of phases 1, 2 and 3 are the currents of phases 3, 1 and 2.",
    "Short the CTs, then move their leads at the node: I1 to I3, I2 to I1, I3 to I2. Or move the voltage taps the other way.",
  ],
  [
    { kind: "rotation" },
    "The phases turn 1, 3, 2 and not 1, 2, 3.",
    "Check the rotation with a rotation meter. Exchange the same two phases in the voltages and in the currents, for example 1 and 3.",
  ],
  [
    { kind: "line-for-neutral" },
    "Line-to-line voltages are on inputs for line to neutral: they are 1.73 times too high.",
    "Compare the taps, and the setting of the voltage inputs, with the wiring drawing: line to neutral is meant.",
  ],
  [
    { kind: "neutral-for-line" },
    "Voltages to neutral are on inputs for line to line: they are 1.73 times too low.",
    "Compare the taps, and the setting of the voltage inputs, with the wiring drawing: line to line is meant.",
  ],
  [
    { kind: "current-ratio", factor: 5 },
    "The CT ratio is wrong: its current is shown 5 times too great.",
    "Compare the CT's label with the ratio that is set, and the secondary (5 A or 1 A). Check with a clamp meter.",
  ],
  [
    { kind: "current-ratio", factor: 0.2, phase: 2 },
    "The ratio of the CT of phase 2 is wrong: its current is shown 5 times too small.",
    "Compare the CT's label with the ratio that is set, and the secondary (5 A or 1 A), of phase 2. Check with a clamp meter.",
  ],
  [
    { kind: "voltage-ratio", factor: 0.577 },
    "The voltages do not fit the nameplate: they are 58 % of it.",
    "Compare the PT ratio that is set with the label, and the nameplate voltage with the machine.",
  ],
  [
    { kind: "no-current", phases: [1] },
    "Phase 1 has no current while the others have.",
    "Look whether the CT of phase 1 is still shorted or its leads are open, then whether the conductor carries current.",
  ],
  [
    { kind: "no-current", phases: [1, 3] },
    "Phases 1 and 3 have no current while the other has.",
    "Look whether the CT of phase 1 and 3 is still shorted or its leads are open, then whether the conductor carries current.",
  ],
  [{ kind: "no-voltage", phases: [2] }, "The voltage of phase 2 is missing: its tap is open.", "Check the fuse and the tap of phase 2."],
  [{ kind: "no-voltage", phases: [1, 2, 3] }, "There is no voltage, and yet a current.", "Check the fuses of all voltage taps."],
  [
    { kind: "joined-voltages", phases: [1, 2] },
    "The voltage taps of phases 1 and 2 are on one conductor.",
    "Move the tap of phase 1 or 2 to its own conductor.",
  ],
];

test.each(words)("A-63 what is said of %j, and what to do", (fault, sentence, action) => {
  expect(wiringWords(verdict({ outcome: "wrong", faults: [fault] }))).toEqual({
    sentence,
    actions: [action],
    candidates: [],
    notShown: [],
  });
});
