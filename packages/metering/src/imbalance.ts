import { sum, type PhaseValues } from "./phases.ts";

/**
 * NEMA MG-1 imbalance (PVUR) in percent: the greatest deviation from the mean, over the mean. Voltages are line to line.
 * @param noise mean at or below which there is nothing to compare
 * @returns null at or below the noise
 */
export function imbalancePercent(values: PhaseValues, noise = 0): number | null {
  const mean = sum(values) / 3;
  if (!(mean > noise)) return null;
  return (100 * Math.max(...values.map((value) => Math.abs(value - mean)))) / mean;
}

/**
 * Unbalance u2 in percent, negative over positive sequence, from the magnitudes of the fundamental line-to-line voltages
 * (IEC 61000-4-30, 5.7.1).
 * @returns null without voltage
 */
export function negativeSequencePercent(lineToLine: PhaseValues): number | null {
  const squares = lineToLine.map((volts) => volts * volts);
  const total = sum(squares);
  if (!(total > 0)) return null;
  const beta = sum(squares.map((square) => square * square)) / (total * total);
  const root = Math.sqrt(Math.max(0, 3 - 6 * beta));
  return 100 * Math.sqrt(Math.max(0, (1 - root) / (1 + root)));
}

/**
 * The phase that carries no current while the two others do.
 * @returns 1, 2 or 3; undefined when it is none or more than one
 */
export function lostPhase(currents: PhaseValues, noise: number): 1 | 2 | 3 | undefined {
  const lost = ([1, 2, 3] as const).filter((phase) => currents[phase - 1]! <= noise);
  return lost.length === 1 ? lost[0] : undefined;
}
