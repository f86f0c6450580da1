/** Of the full-load current, where the node reports no noise of its own. */
const usualShare = 0.01;

/**
 * The current in A at and below which a node measures noise, not load.
 * @param reported the node's own `i_noise`
 * @param fullLoad rated current in A
 */
export const currentNoise = (reported: number | undefined, fullLoad: number | undefined): number =>
  reported ?? usualShare * (fullLoad ?? 0);
