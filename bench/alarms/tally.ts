/** Detections of one kind against what was there. */
export interface Tally {
  detected: number;
  missed: number;
  right: number;
  wrong: number;
}

export const createTally = (): Tally => ({ detected: 0, missed: 0, right: 0, wrong: 0 });

/** Of what was there, the part that was found. */
export const recallOf = ({ detected, missed }: Tally): number => detected / (detected + missed);
/** Of what was raised, the part that was there. */
export const precisionOf = ({ right, wrong }: Tally): number => right / (right + wrong);
