const lateIntervals = 3;
// A node publishes its scalar at least this often for the purposes of "late".
const leastIntervalSeconds = 10;

/** How old the newest scalar of a node may be, in seconds; with `interval` between two of them. */
export const lateAfterSeconds = (interval: number): number => lateIntervals * Math.max(interval, leastIntervalSeconds);
