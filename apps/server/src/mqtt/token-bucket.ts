const maxDebtSeconds = 10;

/** So many per second, with some saved up; `now` is monotonic milliseconds. */
export interface TokenBucket {
  /** Takes one. Returns for how many milliseconds the taker is ahead of its rate, 0 when it is not. */
  take(now: number): number;
  /** Takes one if it is there; else nothing is owed. */
  tryTake(now: number): boolean;
}

export function createTokenBucket(perSecond: number, savedUp = perSecond): TokenBucket {
  let tokens = savedUp;
  let refilledAt: number | undefined;
  const refill = (now: number) => {
    tokens = Math.min(savedUp, tokens + ((now - (refilledAt ?? now)) * perSecond) / 1000);
    refilledAt = now;
  };
  return {
    take(now) {
      refill(now);
      // Who goes on far beyond the rate does not owe for ever.
      tokens = Math.max(tokens - 1, -maxDebtSeconds * perSecond);
      return tokens >= 0 ? 0 : (-tokens * 1000) / perSecond;
    },
    tryTake(now) {
      refill(now);
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
