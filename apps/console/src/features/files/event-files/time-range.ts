import type { TimeRange } from "./event-files.queries.ts";

/** The least that a plot shows: a few samples of the fastest recorders. */
const shortest = 1e-5;

/** Two decimal texts of the address, or undefined when they are no range. */
export function readRange(from: string, to: string): TimeRange | undefined {
  const pattern = /^-?\d{1,9}(\.\d{1,9})?$/;
  if (!pattern.test(from) || !pattern.test(to)) return undefined;
  const range = { from: Number(from), to: Number(to) };
  return range.from < range.to ? range : undefined;
}

/** Microseconds identify a sample of any recorder. */
export const writeRange = ({ from, to }: TimeRange) => ({ from: from.toFixed(6), to: to.toFixed(6) });

/**
 * A range within the whole one, around `centre` (the middle without it): `factor` times as long. Undefined is the whole record.
 */
export function zoomed(range: TimeRange, whole: TimeRange, factor: number, centre = (range.from + range.to) / 2): TimeRange | undefined {
  const length = Math.max(shortest, (range.to - range.from) * factor);
  return within({ from: centre - length / 2, to: centre + length / 2 }, whole);
}

/** The range moved by a share of its length, not beyond the record. */
export function moved(range: TimeRange, whole: TimeRange, share: number): TimeRange | undefined {
  const step = (range.to - range.from) * share;
  return within({ from: range.from + step, to: range.to + step }, whole);
}

function within({ from, to }: TimeRange, whole: TimeRange): TimeRange | undefined {
  const length = to - from;
  if (length >= whole.to - whole.from) return undefined;
  const start = Math.min(Math.max(from, whole.from), whole.to - length);
  return { from: start, to: start + length };
}
