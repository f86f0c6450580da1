const maxDebtSeconds = 10;

/** So many per second, with as many saved up; `now` is monotonic milliseconds. */
export interface TokenBucket {
  /** Takes one. Returns for how many milliseconds the taker is ahead of its rate, 0 when it is not. */
  take(now: number): number;
}

export function createTokenBucket(perSecond: number): TokenBucket {
  let tokens = perSecond;
  let refilledAt: number | undefined;
  return {
    take(now) {
      tokens = Math.min(perSecond, tokens + ((now - (refilledAt ?? now)) * perSecond) / 1000);
      refilledAt = now;
      // Who goes on far beyond the rate does not owe for ever.
      tokens = Math.max(tokens - 1, -maxDebtSeconds * perSecond);
      return tokens >= 0 ? 0 : (-tokens * 1000) / perSecond;
    },
  };
}
