export interface RebirthLimiterOptions {
  firstIntervalMs?: number;
  maxIntervalMs?: number;
  /** A node that stays well this long after its birth starts over at the first interval. */
  healthyMs?: number;
  globalPerSecond?: number;
}

export interface RebirthLimiter {
  /** Whether the node may be requested a rebirth now; true counts as asked. `now` is monotonic milliseconds. */
  tryAcquire(node: string, now: number): boolean;
  noteBirth(node: string, now: number): void;
  readonly size: number;
}

interface Asked {
  lastAskedAt: number;
  intervalMs: number;
  bornAt: number | undefined;
}

/** Per node one request per 5 s, doubling to 5 min; over all nodes 50 per second, so that a restarted host does not flood the broker. */
export function createRebirthLimiter(options: RebirthLimiterOptions = {}): RebirthLimiter {
  const { firstIntervalMs = 5_000, maxIntervalMs = 300_000, healthyMs = 60_000, globalPerSecond = 50 } = options;
  // In the order of the last request: what is long over is in front.
  const asked = new Map<string, Asked>();
  let tokens = globalPerSecond;
  let refilledAt: number | undefined;

  const takeToken = (now: number): boolean => {
    tokens = Math.min(globalPerSecond, tokens + ((now - (refilledAt ?? now)) / 1000) * globalPerSecond);
    refilledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
  const forgetOld = (now: number) => {
    for (const [node, { lastAskedAt }] of asked) {
      if (now - lastAskedAt < 2 * maxIntervalMs) return;
      asked.delete(node);
    }
  };

  return {
    tryAcquire(node, now) {
      forgetOld(now);
      const last = asked.get(node);
      const isHealed = last?.bornAt !== undefined && now - last.bornAt >= healthyMs;
      if (last && !isHealed && now - last.lastAskedAt < last.intervalMs) return false;
      if (!takeToken(now)) return false;
      const intervalMs = last && !isHealed ? Math.min(maxIntervalMs, last.intervalMs * 2) : firstIntervalMs;
      asked.delete(node);
      asked.set(node, { lastAskedAt: now, intervalMs, bornAt: undefined });
      return true;
    },
    noteBirth(node, now) {
      const last = asked.get(node);
      if (last) last.bornAt = now;
    },
    get size() {
      return asked.size;
    },
  };
}
