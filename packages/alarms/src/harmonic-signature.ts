/** Frequencies that belong to a location's equipment. */
export interface HarmonicSignature {
  name: string;
  /** Hz. */
  frequencies: readonly number[];
}

/** The sub-group of an order takes in the bins of 5 Hz beside it, each half a bin wide to both sides (IEC 61000-4-7, 5.6). */
const subGroupHz = 7.5;

/**
 * The order whose sub-group a frequency falls into.
 * @returns undefined for a frequency between the orders, for the fundamental itself and for what is no frequency: harmonics do not show it
 */
export function orderOf(frequency: number, lineFrequency: number, highestOrder: number): number | undefined {
  const order = Math.round(frequency / lineFrequency);
  if (order < 2 || order > highestOrder) return undefined;
  return Math.abs(frequency - order * lineFrequency) <= subGroupHz ? order : undefined;
}

/**
 * How strong a signature shows: of its frequencies that harmonics show, the weakest one.
 * Worked example: 60 Hz, fundamental 100 A, 5th 4 A, 7th 3.2 A: the signature 300 Hz, 420 Hz shows with 3.2 %.
 * @param currents A, of each phase by order: index 0 is the fundamental
 * @returns percent of the fundamental of the same phase, the strongest phase of each order; undefined when no frequency can be computed
 */
export function signaturePercent(
  { frequencies }: HarmonicSignature,
  lineFrequency: number,
  currents: readonly (readonly (number | undefined)[])[],
): number | undefined {
  const highestOrder = Math.max(0, ...currents.map(({ length }) => length));
  const orders = frequencies.flatMap((frequency) => orderOf(frequency, lineFrequency, highestOrder) ?? []);
  const shares = orders.map((order) => Math.max(0, ...currents.map((phase) => shareOf(phase, order))));
  return shares.length === 0 ? undefined : Math.min(...shares);
}

function shareOf(phase: readonly (number | undefined)[], order: number): number {
  const fundamental = phase[0];
  const harmonic = phase[order - 1];
  return fundamental === undefined || harmonic === undefined || !(fundamental > 0) ? 0 : (100 * harmonic) / fundamental;
}
