/** Detections of one kind against what was there, and what was left out of the comparison. */
export interface Tally {
  detected: number;
  missed: number;
  right: number;
  wrong: number;
  /** How many cases count for neither side, by reason. */
  excluded: Map<string, number>;
}

export const createTally = (): Tally => ({ detected: 0, missed: 0, right: 0, wrong: 0, excluded: new Map() });

export function exclude({ excluded }: Tally, reason: string): void {
  excluded.set(reason, (excluded.get(reason) ?? 0) + 1);
}

/** Of what was there, the part that was found. */
export const recallOf = ({ detected, missed }: Tally): number => detected / (detected + missed);
/** Of what was raised, the part that was there. */
export const precisionOf = ({ right, wrong }: Tally): number => right / (right + wrong);
