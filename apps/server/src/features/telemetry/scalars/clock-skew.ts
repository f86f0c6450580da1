const windowSize = 31;
const medianEvery = 8;
/** Further away, people should look at the node's clock. */
export const warnSkewMs = 2_000;

/** Median of the last 31 differences between a node's publish time and our receive time: one late message does not count. */
export interface ClockSkew {
  /** Positive: the node's clock is ahead. */
  add(skewMs: number): void;
  /** Renewed with every eighth difference. */
  readonly medianMs: number | undefined;
}

/** Of the node whose median is being taken: so few are sorted sooner here than by the library, which copies them first. */
const sorted = new Float64Array(windowSize);

export function createClockSkew(): ClockSkew {
  const recent = new Float64Array(windowSize);
  let count = 0;
  // A getter would make a dictionary of each of them.
  const skew = {
    medianMs: undefined as number | undefined,
    add(skewMs: number) {
      recent[count % windowSize] = skewMs;
      count++;
      if (count > medianEvery && count % medianEvery !== 0) return;
      const length = Math.min(count, windowSize);
      for (let filled = 0; filled < length; filled++) {
        const value = recent[filled]!;
        let place = filled;
        for (; place > 0 && sorted[place - 1]! > value; place--) sorted[place] = sorted[place - 1]!;
        sorted[place] = value;
      }
      skew.medianMs = sorted[length >> 1];
    },
  };
  return skew;
}
