/** A time in which nodes could not be heard through no fault of theirs. Epoch seconds, both ends included. */
export interface PlatformOutage {
  start: number;
  end: number;
}

/** A time in which ingest listened without a break. Epoch seconds. */
export interface PresencePeriod {
  startedAt: number;
  aliveAt: number;
}

export const beatSeconds = 5;
/** Ingest that has not said for so long that it listens is away. */
const silentSeconds = 3 * beatSeconds;
/** What came shortly before a crash may not have been stored. */
const unstoredSeconds = 10;
/** Nodes need a while to find their way back. */
const returnSeconds = 120;

/** The breaks between the periods of all ingest processes together, ordered and apart from each other; before the first nothing is known. */
export function outagesBetween(periods: readonly PresencePeriod[], now: number, silentAfter = silentSeconds): PlatformOutage[] {
  const outages: PlatformOutage[] = [];
  let aliveAt: number | undefined;
  const note = (since: number, end: number) => {
    const start = since - unstoredSeconds;
    const last = outages.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else outages.push({ start, end });
  };
  for (const period of periods.toSorted((a, b) => a.startedAt - b.startedAt)) {
    if (aliveAt !== undefined && period.startedAt > aliveAt) note(aliveAt, period.startedAt + returnSeconds);
    aliveAt = Math.max(aliveAt ?? -Infinity, period.aliveAt);
  }
  if (aliveAt !== undefined && now - aliveAt > silentAfter) note(aliveAt, now);
  return outages;
}

/** Scalars that did not come in a gap: what the node skipped, and what the platform missed while it was away. */
export interface MissedScalars {
  count: number;
  platformCount: number;
}

/** Scalars missing in a gap: two that are one interval apart miss none. Each was due a whole number of intervals after the gap began. */
export function missedInGap(from: number, to: number, intervalSeconds: number, outages: readonly PlatformOutage[]): MissedScalars {
  const total = Math.max(0, Math.round((to - from) / intervalSeconds) - 1);
  let platformCount = 0;
  for (const { start, end } of outages) {
    const first = Math.max(1, Math.ceil((start - from) / intervalSeconds));
    const last = Math.min(total, Math.floor((end - from) / intervalSeconds));
    platformCount += Math.max(0, last - first + 1);
  }
  return { count: total - platformCount, platformCount };
}
