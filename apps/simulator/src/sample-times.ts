interface Run {
  from: number;
  to: number;
  /** 0 while the run has one time only. */
  step: number;
}

/**
 * A queue of acquisition times, kept as evenly spaced runs. The values need no memory: the model gives any second again, so
 * a day's buffer of a node is a few numbers.
 */
export interface SampleTimes {
  readonly size: number;
  push(epochSeconds: number): void;
  /** Takes the oldest entry of the queue. */
  shift(): number | undefined;
  /** Moves all entries of another queue to the front of this one. */
  takeAll(other: SampleTimes): void;
  /** Drops what is older. */
  trimBefore(epochSeconds: number): void;
  clear(): void;
  /** Hands over the runs and empties the queue. */
  release(): readonly Run[];
}

export function createSampleTimes(): SampleTimes {
  let runs: Run[] = [];
  let size = 0;

  const count = (run: Run) => (run.step === 0 ? 1 : Math.round((run.to - run.from) / run.step) + 1);

  return {
    get size() {
      return size;
    },
    push(t) {
      size++;
      const last = runs.at(-1);
      if (last && t > last.to && (last.step === 0 || t === last.to + last.step)) {
        last.step = t - last.to;
        last.to = t;
      } else runs.push({ from: t, to: t, step: 0 });
    },
    shift() {
      const first = runs[0];
      if (!first) return undefined;
      size--;
      const t = first.from;
      if (first.from >= first.to) runs.shift();
      else {
        first.from += first.step;
        if (first.from === first.to) first.step = 0;
      }
      return t;
    },
    takeAll(other) {
      size += other.size;
      runs = [...other.release(), ...runs];
    },
    trimBefore(limit) {
      while (runs.length > 0 && runs[0]!.from < limit) {
        const first = runs[0]!;
        size -= count(first);
        if (first.to < limit) runs.shift();
        else {
          first.from += Math.ceil((limit - first.from) / first.step) * first.step;
          if (first.from === first.to) first.step = 0;
          size += count(first);
        }
      }
    },
    clear() {
      runs = [];
      size = 0;
    },
    release() {
      const released = runs;
      runs = [];
      size = 0;
      return released;
    },
  };
}
