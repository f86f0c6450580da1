import { localDay } from "#lib/local-day.ts";

/** Scalars that did not come in the closed gaps of one local day. */
export interface MissingScalars {
  /** `yyyy-mm-dd` in the node's zone. */
  day: string | undefined;
  count: number;
}

/** Scalars missing in a gap: two that are one interval apart miss none. */
export function missingInGap(gapSeconds: number, intervalSeconds: number): number {
  return Math.max(0, Math.round(gapSeconds / intervalSeconds) - 1);
}

/**
 * Counts on with a scalar at `atMs`, the newest so far. A new local day starts at zero, and a gap over midnight counts from midnight.
 * @param previousMs the newest stored before it; undefined for a node's first
 */
export function countMissing(
  before: MissingScalars,
  previousMs: number | undefined,
  atMs: number,
  timezone: string,
  intervalSeconds: number,
): MissingScalars {
  const today = localDay(timezone, atMs / 1000);
  const count = before.day === today.date ? before.count : 0;
  if (previousMs === undefined) return { day: today.date, count };
  const gapSeconds = atMs / 1000 - Math.max(previousMs / 1000, today.start);
  return { day: today.date, count: count + missingInGap(gapSeconds, intervalSeconds) };
}
