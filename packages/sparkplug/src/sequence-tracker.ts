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
  return new NodeSequence(initialSeq);
}

/** Nearly all nodes have nothing ahead: they share this. */
const nothingAhead = new Map<number, number | undefined>();

// A class: there is one for each node.
class NodeSequence implements SequenceTracker {
  lastSeq: number;
  gapSinceMs: number | undefined = undefined;
  private lastTimestamp = 0;
  private lateStreak = 0;
  /** Seqs that came ahead of a missing one, with their timestamps; at most 255 by their nature. */
  private ahead = nothingAhead;

  constructor(initialSeq: number) {
    this.lastSeq = initialSeq;
  }

  reset(seq: number): void {
    this.lastSeq = seq;
    this.lastTimestamp = 0;
    this.lateStreak = 0;
    this.closeGap();
  }

  take(seq: number, timestamp: number | undefined, now: number): "in-order" | "ahead" | "late" {
    if (seq === ((this.lastSeq + 1) & 255)) {
      this.advance(seq, timestamp);
      this.lateStreak = 0;
      if (this.ahead.size > 0) this.followUp();
      return "in-order";
    }
    // A message that comes twice, or after the gap was given up, is not newer than the last one in order. Many of them in a row
    // are a gap all the same: the node's clock went back.
    if (this.ahead.has(seq)) return "late";
    if (timestamp !== undefined && timestamp <= this.lastTimestamp && ++this.lateStreak <= lateStreakLimit) return "late";
    this.lateStreak = 0;
    if (this.ahead === nothingAhead) this.ahead = new Map();
    this.ahead.set(seq, timestamp);
    this.gapSinceMs ??= now;
    return "ahead";
  }

  giveUp(): number {
    let farthest = 0;
    for (const seq of this.ahead.keys()) farthest = Math.max(farthest, (seq - this.lastSeq) & 255);
    const missing = farthest - this.ahead.size;
    const seq = (this.lastSeq + farthest) & 255;
    this.advance(seq, this.ahead.get(seq));
    this.closeGap();
    return missing;
  }

  private advance(seq: number, timestamp: number | undefined): void {
    this.lastSeq = seq;
    if (timestamp !== undefined) this.lastTimestamp = timestamp;
  }

  /** Takes what came ahead of the one that has just come. */
  private followUp(): void {
    const { ahead } = this;
    for (let next = (this.lastSeq + 1) & 255; ahead.has(next); next = (next + 1) & 255) {
      this.advance(next, ahead.get(next));
      ahead.delete(next);
    }
    if (ahead.size === 0) this.closeGap();
  }

  private closeGap(): void {
    this.ahead = nothingAhead;
    this.gapSinceMs = undefined;
  }
}
