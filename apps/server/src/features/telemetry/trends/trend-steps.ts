import type { Quantity } from "@busbar/contract/telemetry/quantities.ts";
import type { TrendResolution } from "@busbar/contract/telemetry/trends.ts";
import { localDay } from "#lib/local-day.ts";
import { quarterSeconds } from "#lib/quarters.ts";

export const minuteSeconds = 60;
export const daySeconds = 86_400;

/** Lengths of points that people read easily, each a multiple of what is kept. */
const steps = [60, 120, 180, 300, 900, 1_800, 3_600, 7_200, 10_800, 21_600, ...[1, 2, 3, 7, 14, 28].map((days) => days * daySeconds)];

/** Epoch seconds. */
export interface Range {
  from: number;
  to: number;
}

export interface TrendRange extends Range {
  /** How many there is room for. */
  points: number;
}

export interface KeptFrom {
  /** Epoch seconds; what is older is kept in longer times only. */
  raw: number;
  minute: number;
}

export interface TrendStep {
  resolution: TrendResolution;
  seconds: number;
}

/** Beyond it energy and time running come from whole days and what is left at both ends. */
const longestSumOfQuarters = 31 * daySeconds;
const quarterStep: TrendStep = { resolution: "quarter", seconds: quarterSeconds };
export const dayStep: TrendStep = { resolution: "day", seconds: daySeconds };

/** The finest resolution that is kept for the range and gives no more points than there is room for. */
export function chooseStep(
  { from, to, points }: TrendRange,
  { isInScalars }: Quantity,
  intervals: { scalarInterval: number; dataInterval: number },
  kept: KeptFrom,
): TrendStep {
  const wanted = (to - from) / points;
  if (isInScalars && from >= kept.raw && wanted <= intervals.scalarInterval)
    return { resolution: "raw", seconds: intervals.scalarInterval };
  const finest = isInScalars && from >= kept.minute ? minuteSeconds : Math.max(quarterSeconds, isInScalars ? 0 : intervals.dataInterval);
  const seconds = steps.find((step) => step >= Math.max(wanted, finest)) ?? Math.ceil(wanted / daySeconds) * daySeconds;
  return { resolution: resolutionOf(seconds), seconds };
}

export function resolutionOf(stepSeconds: number): TrendResolution {
  if (stepSeconds < quarterSeconds) return "minute";
  return stepSeconds < daySeconds ? "quarter" : "day";
}

/** Where points begin, and one more where the last one ends: days at the place's midnight, shorter ones at multiples of their length. */
export function boundsOf({ from, to }: Range, stepSeconds: number, timezone: string): number[] {
  const bounds: number[] = [];
  if (stepSeconds < daySeconds) {
    for (let at = Math.floor(from / stepSeconds) * stepSeconds; at < to; at += stepSeconds) bounds.push(at);
    bounds.push(bounds.at(-1)! + stepSeconds);
    return bounds;
  }
  const starts = dayStarts(timezone, from, to);
  const days = stepSeconds / daySeconds;
  for (let index = 0; index < starts.length - 1; index += days) bounds.push(starts[index]!);
  bounds.push(starts.at(-1)!);
  return bounds;
}

const yearsOfZone = new Map<string, number[]>();

/** First seconds of the local days from the one that holds `from` on, up to the first at or after `to`. */
export function dayStarts(timezone: string, from: number, to: number): number[] {
  const starts: number[] = [];
  for (let at = from; ;) {
    const all = startsOfYear(timezone, new Date(at * 1000).getUTCFullYear());
    for (const [index, start] of all.entries()) {
      const end = all[index + 1];
      if (end === undefined || end <= at) continue;
      starts.push(start);
      at = end;
      if (at >= to) return [...starts, at];
    }
  }
}

/** From the day that holds the year's first second of UTC to the one that holds the next year's, and where that ends. */
function startsOfYear(timezone: string, year: number): number[] {
  const key = `${timezone} ${year}`;
  const known = yearsOfZone.get(key);
  if (known) return known;
  const end = Date.UTC(year + 1, 0, 1) / 1000;
  const starts = [localDay(timezone, Date.UTC(year, 0, 1) / 1000).start];
  while (starts.at(-1)! <= end) starts.push(localDay(timezone, starts.at(-1)!).end);
  yearsOfZone.set(key, starts);
  return starts;
}

/** A range as whole days of a zone and what is left at its ends. */
export function partsOf(range: Range, timezone: string): { span: Range; step: TrendStep }[] {
  const starts = range.to - range.from > longestSumOfQuarters ? dayStarts(timezone, range.from, range.to) : [];
  const first = starts.find((start) => start >= range.from);
  const last = starts.findLast((start) => start <= range.to);
  if (first === undefined || last === undefined || first >= last) return [{ span: range, step: quarterStep }];
  return [
    { span: { from: range.from, to: first }, step: quarterStep },
    { span: { from: first, to: last }, step: dayStep },
    { span: { from: last, to: range.to }, step: quarterStep },
  ].filter(({ span }) => span.from < span.to);
}
