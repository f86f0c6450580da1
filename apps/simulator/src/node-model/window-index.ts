/** A span of time, epoch seconds; the end is not part of it. */
export interface Span {
  start: number;
  end: number;
}

export interface WindowIndex<W extends Span> {
  /** Windows that touch the second that begins at `epochSeconds`. The answer is overwritten by the next call. */
  at(epochSeconds: number): readonly W[];
  /** Forgets what was remembered, after a change of the windows. */
  reset(): void;
}

const secondsPerDay = 86_400;

/**
 * Finds the windows of a second among those that begin on its UTC day or the day before (so none may be longer than a day) and
 * the `lasting` ones. Remembers the current day and the quiet time around the last question: most seconds cost two comparisons.
 */
export function createWindowIndex<W extends Span>(
  windowsOfDay: (day: number) => readonly W[],
  lasting: (day: number) => readonly W[],
): WindowIndex<W> {
  let day = Number.NaN;
  let windows: W[] = [];
  let quietFrom = 0;
  let quietUntil = 0;
  const active: W[] = [];
  const none: readonly W[] = [];

  return {
    at(epochSeconds) {
      if (epochSeconds >= quietFrom && epochSeconds < quietUntil) return none;
      const asked = Math.floor(epochSeconds / secondsPerDay);
      if (asked !== day) {
        const from = asked * secondsPerDay;
        windows = [...windowsOfDay(asked - 1), ...windowsOfDay(asked), ...lasting(asked)].filter(
          (window) => window.end > from && window.start < from + secondsPerDay,
        );
        day = asked;
      }
      active.length = 0;
      // A second that touches no window is quiet, and so are its neighbours up to the nearest window of this day.
      let lastEnd = asked * secondsPerDay;
      let nextStart = lastEnd + secondsPerDay;
      for (const window of windows) {
        if (window.start >= epochSeconds + 1) nextStart = Math.min(nextStart, window.start);
        else if (window.end <= epochSeconds) lastEnd = Math.max(lastEnd, window.end);
        else active.push(window);
      }
      if (active.length > 0) return active;
      quietFrom = lastEnd;
      quietUntil = nextStart - 1;
      return none;
    },
    reset() {
      day = Number.NaN;
      quietFrom = 0;
      quietUntil = 0;
    },
  };
}
