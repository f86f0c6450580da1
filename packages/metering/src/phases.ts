/** A value per phase; a list, because the formulas run over the phases. */
export type PhaseValues = readonly [number, number, number];

/** Whether each phase is wired. What is not wired has no part in means, imbalances and sums. */
export type ActivePhases = readonly [boolean, boolean, boolean];

export const allPhases: ActivePhases = [true, true, true];

/** Finite values of the active phases. */
export function activeValues(values: readonly number[], active: readonly boolean[] = allPhases): number[] {
  return values.filter((value, phase) => active[phase] === true && Number.isFinite(value));
}

/** Arithmetic mean over the active phases; null when none of them has a value. */
export function meanOfPhases(values: readonly number[], active: readonly boolean[] = allPhases): number | null {
  const used = activeValues(values, active);
  return used.length === 0 ? null : sum(used) / used.length;
}

/** Sum over the active phases; null when none of them has a value. */
export function sumOfPhases(values: readonly number[], active: readonly boolean[] = allPhases): number | null {
  const used = activeValues(values, active);
  return used.length === 0 ? null : sum(used);
}

/** Square root of the mean of squares: how RMS values of equal windows aggregate (IEC 61000-4-30, 4.4). */
export function rootMeanSquare(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.sqrt(sum(values.map((value) => value * value)) / values.length);
}

export function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
