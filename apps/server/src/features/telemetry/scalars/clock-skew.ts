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
  return new NodeClockSkew();
}

// A class: there is one for each node.
class NodeClockSkew implements ClockSkew {
  medianMs: number | undefined = undefined;
  private readonly recent: number[] = [];
  private count = 0;

  add(skewMs: number): void {
    const { recent } = this;
    recent[this.count % windowSize] = skewMs;
    const count = ++this.count;
    if (count > medianEvery && count % medianEvery !== 0) return;
    const { length } = recent;
    for (let filled = 0; filled < length; filled++) {
      const value = recent[filled]!;
      let place = filled;
      for (; place > 0 && sorted[place - 1]! > value; place--) sorted[place] = sorted[place - 1]!;
      sorted[place] = value;
    }
    this.medianMs = sorted[length >> 1];
  }
}
