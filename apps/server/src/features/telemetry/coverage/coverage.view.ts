import type { CoverageKind, CoverageSpan, CoverageStatus } from "@busbar/contract/telemetry/coverage.ts";
import { wallClock } from "@busbar/contract/values/local-time.ts";
import { localDay, zoneOrUtc } from "#lib/local-day.ts";
import { quarterOf, quarterSeconds } from "#lib/quarters.ts";
import { lateIntervals } from "#shared/coverage.store.ts";
import { countOnes, firstOne, hasBit } from "./bit-run.ts";
import type { CoverageNodeRow, StayRow } from "./coverage.read-model.ts";
import type { NodeBits, QuarterWindow } from "./quarter-window.ts";

/** Quarters from one up to before another in which a node was expected to send, by the clocks of one place. */
export interface ExpectedRun {
  from: number;
  to: number;
  timezone: string;
}

export interface Expectation {
  kind: CoverageKind;
  window: QuarterWindow;
  /** Quarters before are kept no longer. */
  keptFrom: number;
  /** Epoch seconds. */
  now: number;
}

const daySeconds = 86_400;

/** When a quarter is over for so long, what is to come of it has come. */
function dueUntil(kind: CoverageKind, { scalarInterval, dataInterval }: CoverageNodeRow, now: number): number {
  if (kind === "scalars") return quarterOf(now - Math.max(60, 3 * scalarInterval));
  // Of the newest interval whose file is due, the end.
  const start = Math.floor((now - lateIntervals * dataInterval) / dataInterval) * dataInterval;
  return quarterOf(start + dataInterval);
}

/**
 * A node is expected to send where it is at a place, from its first data on; a deployed one since it is deployed or placed, if that is
 * earlier. Data from before its first stay at a place count for that place.
 */
export function expectedRuns(
  node: CoverageNodeRow,
  stays: readonly StayRow[],
  bits: NodeBits,
  hadEarlier: boolean,
  { kind, window, keptFrom, now }: Expectation,
): ExpectedRun[] {
  const shown = stays.filter(({ endedAt }) => endedAt === null || endedAt > window.first * quarterSeconds);
  const [first] = shown;
  if (!first) return [];
  const firstData = hadEarlier ? -Infinity : firstOf(bits, window);
  const sinceDeployed = node.deployedAt === null ? Infinity : quarterOf(Math.max(node.deployedAt, first.startedAt)) + 1;
  const from = Math.max(Math.min(firstData, sinceDeployed), keptFrom, window.first);
  const to = Math.min(dueUntil(kind, node, now), window.end);
  return shown
    .map(({ startedAt, endedAt, timezone, isFirst }) => ({
      from: Math.max(from, isFirst ? -Infinity : quarterOf(startedAt) + 1),
      to: Math.min(to, endedAt === null ? Infinity : quarterOf(endedAt)),
      timezone: zoneOrUtc(timezone),
    }))
    .filter((run) => run.from < run.to);
}

function firstOf({ received, partly }: NodeBits, { first }: QuarterWindow): number {
  const ones = [received, ...(partly ? [partly] : [])].map(firstOne).filter((at) => at >= 0);
  return ones.length === 0 ? Infinity : first + Math.min(...ones);
}

/** What was last asked for: a zone's days are nearly always the same ones. */
const knownBounds = new Map<string, readonly number[]>();
const mostBounds = 500;

/** Where the days of a place begin, and where the last one ends, in quarters. */
export function dayBounds(fromDay: string, days: number, timezone: string): readonly number[] {
  const key = `${fromDay} ${days} ${timezone}`;
  let bounds = knownBounds.get(key);
  if (!bounds) {
    bounds = Array.from({ length: days + 1 }, (_, index) => {
      const noon = Date.parse(`${fromDay}T12:00:00Z`) / 1000 + index * daySeconds;
      return quarterOf(localDay(timezone, noon - (wallClock(noon, timezone) - noon)).start);
    });
    if (knownBounds.size >= mostBounds) knownBounds.clear();
    knownBounds.set(key, bounds);
  }
  return bounds;
}

/** The characters of a node's days, and how many quarters it is that are missing. */
export function coverageDays(
  runs: readonly ExpectedRun[],
  bits: NodeBits,
  away: Uint8Array,
  boundsOf: (timezone: string) => readonly number[],
  { window }: Expectation,
): { days: string; missing: number } {
  let days = "";
  let missing = 0;
  if (runs.length === 0) return { days, missing };
  const bounds = runs.map(({ timezone }) => boundsOf(timezone));
  const { received, failed, backfilled, late } = bits;
  // Plain loops: they run three hundred thousand times for an answer.
  for (let day = 0; day < bounds[0]!.length - 1; day++) {
    let expected = 0;
    let own = 0;
    let platform = 0;
    let hasFailed = false;
    let hasBackfilled = false;
    let hasLate = false;
    for (let index = 0; index < runs.length; index++) {
      const from = Math.max(bounds[index]![day]!, runs[index]!.from) - window.first;
      const to = Math.min(bounds[index]![day + 1]!, runs[index]!.to) - window.first;
      if (from >= to) continue;
      expected += to - from;
      const lacking = to - from - countOnes(received, from, to);
      if (lacking > 0) {
        const missed = missedQuarters(received, away, from, to);
        platform += missed;
        own += lacking - missed;
      }
      hasFailed ||= failed !== null && countOnes(failed, from, to) > 0;
      hasBackfilled ||= backfilled !== null && countOnes(backfilled, from, to) > 0;
      hasLate ||= late !== null && countOnes(late, from, to) > 0;
    }
    missing += own;
    if (expected === 0) days += ".";
    else if (own === expected) days += "M";
    else if (own > 0) days += String(Math.min(9, Math.ceil((10 * own) / expected)));
    else days += hasFailed ? "f" : platform > 0 ? "p" : hasBackfilled ? "b" : hasLate ? "l" : "w";
  }
  return { days, missing };
}

function missedQuarters(received: Uint8Array, away: Uint8Array, from: number, to: number): number {
  if (countOnes(away, from, to) === 0) return 0;
  let missed = 0;
  for (let at = from; at < to; at++) if (hasBit(away, at) && !hasBit(received, at)) missed++;
  return missed;
}

/** What became of each quarter that was expected, in runs of one status. */
export function coverageSpans(
  runs: readonly ExpectedRun[],
  bits: NodeBits,
  away: Uint8Array,
  { kind, window }: Expectation,
  dataInterval: number,
): CoverageSpan[] {
  const spans: CoverageSpan[] = [];
  for (const run of runs.toSorted((a, b) => a.from - b.from)) {
    for (let quarter = run.from; quarter < run.to; quarter++) {
      const status = statusAt(bits, away, quarter - window.first);
      const last = spans.at(-1);
      const fromTimestamp = quarter * quarterSeconds;
      if (last?.status === status && last.toTimestamp === fromTimestamp) last.toTimestamp += quarterSeconds;
      else spans.push({ fromTimestamp, toTimestamp: fromTimestamp + quarterSeconds, status, count: null });
    }
  }
  const filesIn = ({ status, fromTimestamp, toTimestamp }: CoverageSpan) =>
    kind === "scalars" || status === "partly" ? null : Math.max(1, Math.round((toTimestamp - fromTimestamp) / dataInterval));
  return spans.filter(({ status }) => status !== "received").map((span) => ({ ...span, count: filesIn(span) }));
}

function statusAt({ received, partly, late, backfilled, failed }: NodeBits, away: Uint8Array, at: number): CoverageStatus {
  const has = (plane: Uint8Array | null) => plane !== null && hasBit(plane, at);
  if (!hasBit(received, at)) return hasBit(away, at) ? "platform" : has(partly) ? "partly" : "missing";
  if (has(failed)) return "failed";
  if (has(backfilled)) return "backfilled";
  return has(late) ? "late" : "received";
}
