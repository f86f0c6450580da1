import { coveredSeconds } from "./accumulate.ts";
import { sum } from "./phases.ts";

/** Power over one block of time: its time integral over the seconds that samples cover. */
export interface DemandBlock {
  /** Epoch milliseconds, a multiple of `blockMs`. */
  startMs: number;
  kwSeconds: number;
  coveredSeconds: number;
}

/** Block demand: 15-minute means on the clock's quarters. */
export const blockMs = 900_000;

export const blockStartMs = (atMs: number): number => Math.floor(atMs / blockMs) * blockMs;

/**
 * What one sample of power adds: it stands for the seconds before it, as many as `coveredSeconds` says, divided among the blocks
 * that they are in.
 * @param previousMs time of the sample before; undefined for the first, which adds nothing
 */
export function demandOfSample(kw: number, atMs: number, previousMs: number | undefined, intervalSeconds: number): DemandBlock[] {
  if (previousMs === undefined || atMs <= previousMs) return [];
  const parts: DemandBlock[] = [];
  let from = atMs - 1000 * coveredSeconds((atMs - previousMs) / 1000, intervalSeconds);
  while (from < atMs) {
    const startMs = blockStartMs(from);
    const until = Math.min(atMs, startMs + blockMs);
    const seconds = (until - from) / 1000;
    parts.push({ startMs, kwSeconds: kw * seconds, coveredSeconds: seconds });
    from = until;
  }
  return parts;
}

/** Adds a part to the block that it belongs to; the list is in the order of time. */
export function addDemand(blocks: readonly DemandBlock[], part: DemandBlock): DemandBlock[] {
  const known = blocks.findIndex(({ startMs }) => startMs === part.startMs);
  if (known === -1) return [...blocks, part].toSorted((a, b) => a.startMs - b.startMs);
  return blocks.map((block, index) =>
    index === known
      ? {
          startMs: block.startMs,
          kwSeconds: block.kwSeconds + part.kwSeconds,
          coveredSeconds: block.coveredSeconds + part.coveredSeconds,
        }
      : block,
  );
}

export interface DayDemand {
  /** Time-weighted mean over the covered seconds; null when none is covered. */
  averageKw: number | null;
  /** Highest mean of a complete block; null while there is none. */
  peakKw: number | null;
  coveredSeconds: number;
}

/** A block counts as complete when it is over and at least this share of it is covered: a mean of a few seconds is no demand. */
const leastBlockShare = 0.5;

/** Demand of the blocks of one local day so far. @param nowMs a block that is not over yet makes no peak */
export function demandOfDay(blocks: readonly DemandBlock[], nowMs: number): DayDemand {
  const covered = sum(blocks.map((block) => block.coveredSeconds));
  const means = blocks
    .filter(({ startMs, coveredSeconds: seconds }) => startMs + blockMs <= nowMs && seconds * 1000 >= leastBlockShare * blockMs)
    .map((block) => block.kwSeconds / block.coveredSeconds);
  return {
    averageKw: covered > 0 ? sum(blocks.map(({ kwSeconds }) => kwSeconds)) / covered : null,
    peakKw: means.length > 0 ? Math.max(...means) : null,
    coveredSeconds: covered,
  };
}

/** A complete local day; its length is 23, 24 or 25 hours. */
export interface CompleteDay extends DayDemand {
  lengthSeconds: number;
}

const leastDayShare = 0.5;
/** How many complete local days the daily figures look back on. */
export const dailyFigureDays = 30;

/** Means of the days' averages and of their peaks over the newest 30 complete days; days covered less than half are skipped. */
export function dailyFigures(daysNewestFirst: readonly CompleteDay[]): { averageKw: number | null; peakKw: number | null } {
  const days = daysNewestFirst.slice(0, dailyFigureDays).filter((day) => day.coveredSeconds >= leastDayShare * day.lengthSeconds);
  return { averageKw: meanOf(days.map(({ averageKw }) => averageKw)), peakKw: meanOf(days.map(({ peakKw }) => peakKw)) };
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length > 0 ? sum(known) / known.length : null;
}
