import type { Phase, WiringFault } from "./wiring.ts";

/**
 * One way in which the currents can reach the inputs: what is on input k is the current of phase `order[k]`, times `signs[k]`, beside voltages that turn
 * 1, 2, 3 or 1, 3, 2. Only what current and voltage are to each other can be seen, so orders of the voltages are not enumerated apart: in voltages
 * that turn the wrong way, two exchanged currents are two exchanged voltages in a supply that turns the right way.
 */
export interface Arrangement {
  isReversedRotation: boolean;
  order: readonly [Phase, Phase, Phase];
  signs: readonly [Sign, Sign, Sign];
  faults: readonly WiringFault[];
  /** How much has to have gone wrong: 0 for nothing, about 1 for each mistake of a fitter. */
  cost: number;
}
type Sign = 1 | -1;

const orders: readonly (readonly [Phase, Phase, Phase])[] = [
  [1, 2, 3],
  [2, 3, 1],
  [3, 1, 2],
  [2, 1, 3],
  [1, 3, 2],
  [3, 2, 1],
];
const signsOfThree = [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => [0, 1, 2].map((bit) => (bits & (1 << bit) ? -1 : 1)) as [Sign, Sign, Sign]);

export const arrangements: readonly Arrangement[] = [false, true].flatMap((isReversedRotation) =>
  orders.flatMap((order) => signsOfThree.map((signs) => describe(isReversedRotation, order, signs))),
);

function describe(isReversedRotation: boolean, order: readonly [Phase, Phase, Phase], signs: readonly [Sign, Sign, Sign]): Arrangement {
  const phases = [1, 2, 3] as const;
  const moved = phases.filter((phase) => order[phase - 1] !== phase);
  const reversed = phases.filter((phase) => signs[phase - 1] === -1);
  const faults: WiringFault[] = [];
  let cost = 0;
  const note = (fault: WiringFault, its: number) => {
    faults.push(fault);
    cost += its;
  };
  if (moved.length === 2) note({ kind: isReversedRotation ? "swapped-voltages" : "swapped-currents", phases: [moved[0]!, moved[1]!] }, 1);
  else if (isReversedRotation) note({ kind: "rotation" }, 1);
  if (moved.length === 3) note({ kind: "displaced", by: order[0] === 2 ? 1 : 2 }, 1.25);
  // All three at once is one mistake: the side of the arrow.
  if (reversed.length > 0) note({ kind: "reversed", phases: reversed }, reversed.length === 2 ? 1.75 : reversed.length === 3 ? 1.25 : 1);
  // Two mistakes of different kinds meet more seldom.
  return { isReversedRotation, order, signs, faults, cost: cost + 0.5 * Math.max(0, faults.length - 1) };
}
