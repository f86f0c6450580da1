import type { CoveredQuarter } from "#shared/coverage.store.ts";
import { quarterOf, quarterSeconds, quartersOf } from "#lib/quarters.ts";
import type { ScalarReading } from "./telemetry.ts";

/** In which minutes of a quarter of an hour scalars came, a bit for each. */
export interface QuarterMinutes {
  quarter: number;
  minutes: number;
  /** Those in which they came from the node's store. */
  historical: number;
}

type NotedQuarter = Pick<CoveredQuarter, "quarter" | "isWhole" | "isBackfilled">;

/** So much of a quarter is the whole of it: a minute is missed by a node that starts again. */
const wholeShare = 0.8;
/** Now's, that of a store which is sent, and those beside them. */
const mostRemembered = 4;

const onesOf = (bits: number): number => bits.toString(2).replaceAll("0", "").length;
const minuteOf = (atMs: number): number => Math.floor(atMs / 60_000) % (quarterSeconds / 60);

/** After a start: what was stored of the quarter of the newest scalar, as if it was whole until then. */
export const minutesUntil = (newestMs: number | undefined): readonly QuarterMinutes[] =>
  newestMs === undefined ? [] : [{ quarter: quarterOf(newestMs / 1000), minutes: (2 << minuteOf(newestMs)) - 1, historical: 0 }];

/** Notes the minute of a scalar; what it says of its quarter for the first time is added to `noted`. Nearly all say nothing new. */
export function noteMinute(
  known: readonly QuarterMinutes[],
  { atMs, isHistorical }: Pick<ScalarReading, "atMs" | "isHistorical">,
  intervalSeconds: number,
  noted: (quarter: NotedQuarter) => void,
): readonly QuarterMinutes[] {
  const quarter = quarterOf(atMs / 1000);
  const bit = 1 << minuteOf(atMs);
  const newest = known[0];
  if (newest?.quarter === quarter && newest.minutes & bit) return known;
  const before = known.find((each) => each.quarter === quarter) ?? { quarter, minutes: 0, historical: 0 };
  if (before.minutes & bit) return known;
  const after = { quarter, minutes: before.minutes | bit, historical: before.historical | (isHistorical ? bit : 0) };
  const needed = minutesNeeded(intervalSeconds);
  const [had, has] = [onesOf(before.minutes), onesOf(after.minutes)];
  if (had === 0 || (had < needed && has >= needed)) {
    const isWhole = has >= needed;
    const isBackfilled = isWhole && onesOf(after.historical) * 2 >= needed;
    for (const each of quartersOf(quarter * quarterSeconds, Math.max(quarterSeconds, intervalSeconds)))
      noted({ quarter: each, isWhole, isBackfilled });
  }
  return [after, ...known.filter((each) => each !== before)].slice(0, mostRemembered);
}

const minutesNeeded = (intervalSeconds: number): number =>
  Math.max(1, Math.floor(wholeShare * Math.floor(quarterSeconds / Math.max(60, intervalSeconds))));
