import { localDay } from "#lib/local-day.ts";
import { missedInGap, type MissedScalars, type PlatformOutage } from "#lib/platform-outages.ts";

/** Those in the closed gaps of one local day. */
export interface MissingScalars extends MissedScalars {
  /** `yyyy-mm-dd` in the node's zone. */
  day: string | undefined;
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
  outages: readonly PlatformOutage[],
): MissingScalars {
  const today = localDay(timezone, atMs / 1000);
  const { count, platformCount } = before.day === today.date ? before : { count: 0, platformCount: 0 };
  if (previousMs === undefined) return { day: today.date, count, platformCount };
  const missed = missedInGap(Math.max(previousMs / 1000, today.start), atMs / 1000, intervalSeconds, outages);
  return { day: today.date, count: count + missed.count, platformCount: platformCount + missed.platformCount };
}
