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

export function createClockSkew(): ClockSkew {
  const recent = new Float64Array(windowSize);
  let count = 0;
  let medianMs: number | undefined;
  return {
    add(skewMs) {
      recent[count % windowSize] = skewMs;
      count++;
      if (count > medianEvery && count % medianEvery !== 0) return;
      const sorted = recent.slice(0, Math.min(count, windowSize)).toSorted();
      medianMs = sorted[sorted.length >> 1];
    },
    get medianMs() {
      return medianMs;
    },
  };
}
