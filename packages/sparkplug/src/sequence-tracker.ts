const lateStreakLimit = 16;

export interface SequenceTracker {
  readonly lastSeq: number;
  /** When the first message behind the open gap came; undefined without a gap. */
  readonly gapSinceMs: number | undefined;
  /** Starts over: `seq` is the new baseline. */
  reset(seq: number): void;
  /** Takes the seq (0-255) of a message that was received at `now` and published at `timestamp`. */
  take(seq: number, timestamp: number | undefined, now: number): "in-order" | "ahead" | "late";
  /** Gives up waiting: the highest seq seen becomes the baseline. Returns how many messages never came. */
  giveUp(): number;
}

/** Follows the 8-bit message counter of a node: gaps, messages that overtake each other, and messages that come twice. */
export function createSequenceTracker(initialSeq = 255): SequenceTracker {
  let lastTimestamp = 0;
  let lateStreak = 0;
  // Seqs that came ahead of a missing one, with their timestamps; at most 255 by their nature.
  const ahead = new Map<number, number | undefined>();

  const advance = (seq: number, timestamp: number | undefined) => {
    tracker.lastSeq = seq;
    if (timestamp !== undefined) lastTimestamp = timestamp;
  };
  const closeGap = () => {
    ahead.clear();
    tracker.gapSinceMs = undefined;
  };

  // There is one for each node: getters would make a dictionary of each.
  const tracker = {
    lastSeq: initialSeq,
    gapSinceMs: undefined as number | undefined,
    reset(seq: number) {
      tracker.lastSeq = seq;
      lastTimestamp = 0;
      lateStreak = 0;
      closeGap();
    },
    take(seq: number, timestamp: number | undefined, now: number) {
      if (seq === ((tracker.lastSeq + 1) & 255)) {
        advance(seq, timestamp);
        lateStreak = 0;
        for (let next = (seq + 1) & 255; ahead.has(next); next = (next + 1) & 255) {
          advance(next, ahead.get(next));
          ahead.delete(next);
        }
        if (ahead.size === 0) tracker.gapSinceMs = undefined;
        return "in-order";
      }
      // A message that comes twice, or after the gap was given up, is not newer than the last one in order. Many of them in a row
      // are a gap all the same: the node's clock went back.
      if (ahead.has(seq)) return "late";
      if (timestamp !== undefined && timestamp <= lastTimestamp && ++lateStreak <= lateStreakLimit) return "late";
      lateStreak = 0;
      ahead.set(seq, timestamp);
      tracker.gapSinceMs ??= now;
      return "ahead";
    },
    giveUp() {
      let farthest = 0;
      for (const seq of ahead.keys()) farthest = Math.max(farthest, (seq - tracker.lastSeq) & 255);
      const missing = farthest - ahead.size;
      const seq = (tracker.lastSeq + farthest) & 255;
      advance(seq, ahead.get(seq));
      closeGap();
      return missing;
    },
  } satisfies SequenceTracker;
  return tracker;
}
