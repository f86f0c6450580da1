const windowSize = 31;
/** Further away, people should look at the node's clock. */
export const warnSkewMs = 2_000;

/** Median of the last 31 differences between a node's publish time and our receive time: one late message does not count. */
export interface ClockSkew {
  /** Positive: the node's clock is ahead. */
  add(skewMs: number): void;
  readonly medianMs: number | undefined;
}

export function createClockSkew(): ClockSkew {
  const recent = new Float64Array(windowSize);
  let count = 0;
  return {
    add(skewMs) {
      recent[count % windowSize] = skewMs;
      count++;
    },
    get medianMs() {
      if (count === 0) return undefined;
      const sorted = recent.slice(0, Math.min(count, windowSize)).toSorted();
      return sorted[sorted.length >> 1];
    },
  };
}
