/** The server's time as it reported it, and when this computer's clock saw that; all in epoch milliseconds. */
export interface ClockSighting {
  reportedMs: number;
  /** The reported time is cut to this: a `Date` header to whole seconds. */
  precisionMs: number;
  /** It was read between these two. */
  requestedAtMs: number;
  seenAtMs: number;
}

/**
 * The server's time, whatever this computer's clock says: ages, lateness and the life of a session are the server's matter, and
 * a computer that is minutes off would call live nodes late, dead ones live, and refresh or end its session all the time.
 */
export function createServerClock() {
  let aheadMs = 0;
  return {
    /** Learns from an answer. What agrees with what is known changes nothing, so that times do not jitter with the network. */
    note({ reportedMs, precisionMs, requestedAtMs, seenAtMs }: ClockSighting): void {
      const least = reportedMs - seenAtMs;
      const most = reportedMs + precisionMs - requestedAtMs;
      if (Number.isFinite(least) && least <= most && (aheadMs < least || aheadMs > most)) aheadMs = (least + most) / 2;
    },
    nowSeconds: (): number => (Date.now() + aheadMs) / 1000,
    /** The server's time of a moment that this computer's clock read, such as when an answer came. */
    secondsAt: (ownMs: number): number => (ownMs + aheadMs) / 1000,
  };
}
export type ServerClock = ReturnType<typeof createServerClock>;

export const serverClock = createServerClock();
