const maxDebtSeconds = 10;

/** So many per second, with some saved up; `now` is monotonic milliseconds. */
export interface TokenBucket {
  /** Takes one. Returns for how many milliseconds the taker is ahead of its rate, 0 when it is not. */
  take(now: number): number;
  /** Takes one if it is there; else nothing is owed. */
  tryTake(now: number): boolean;
}

export function createTokenBucket(perSecond: number, savedUp = perSecond): TokenBucket {
  return new Bucket(perSecond, savedUp);
}

// A class: there are two for each connection, and closures would take more memory than all that it holds.
class Bucket implements TokenBucket {
  private readonly perSecond: number;
  private readonly savedUp: number;
  private tokens: number;
  private refilledAt: number | undefined;

  constructor(perSecond: number, savedUp: number) {
    this.perSecond = perSecond;
    this.savedUp = savedUp;
    this.tokens = savedUp;
  }

  take(now: number): number {
    const { perSecond } = this;
    this.refill(now);
    // Who goes on far beyond the rate does not owe for ever.
    this.tokens = Math.max(this.tokens - 1, -maxDebtSeconds * perSecond);
    return this.tokens >= 0 ? 0 : (-this.tokens * 1000) / perSecond;
  }

  tryTake(now: number): boolean {
    this.refill(now);
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }

  private refill(now: number): void {
    this.tokens = Math.min(this.savedUp, this.tokens + ((now - (this.refilledAt ?? now)) * this.perSecond) / 1000);
    this.refilledAt = now;
  }
}
