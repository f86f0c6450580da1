import type { TrendSeries } from "@busbar/contract/telemetry/trends.ts";
import { formatReading } from "#lib/format-number.ts";
import type { TimeSpan } from "./zone-time.ts";

/** A series as it is drawn. */
export interface TrendLine {
  key: string;
  /** Machine and quantity. */
  name: string;
  unit: string;
  /** Decimals worth reading. */
  digits: number;
  /** CSS. */
  color: string;
  /** Pixels of dashes and the room between them; empty for a whole line. */
  dash: readonly number[];
  isEarlier: boolean;
  /** Seconds of a point. */
  step: number;
  /** Seconds from the begin of a point to where it is drawn. */
  middle: number;
  /** Middles of the points, where they are drawn. */
  times: readonly number[];
  minimum: readonly number[];
  mean: readonly number[];
  maximum: readonly number[];
  gaps: readonly TimeSpan[];
  limits: TrendSeries["limits"];
}

/** Further apart than so many steps, something is missing between two points. */
const gapSteps = 1.5;

/** Where points are missing in what was asked for. */
export function gapsOf(starts: readonly number[], step: number, span: TimeSpan): TimeSpan[] {
  const gaps: TimeSpan[] = [];
  let end = span.from;
  for (const start of starts) {
    if (start - end > step * (gapSteps - 1)) gaps.push({ from: end, to: start });
    end = start + step;
  }
  if (span.to - end > step * (gapSteps - 1)) gaps.push({ from: end, to: span.to });
  return gaps;
}

/** Where none of the lines has a value. */
export function commonGaps([first, ...others]: readonly Pick<TrendLine, "gaps">[]): TimeSpan[] {
  return (first?.gaps ?? []).flatMap((gap) =>
    others.reduce(
      (parts, { gaps }) =>
        parts.flatMap((part) =>
          gaps.flatMap(({ from, to }) => {
            const both = { from: Math.max(part.from, from), to: Math.min(part.to, to) };
            return both.to > both.from ? [both] : [];
          }),
        ),
      [gap],
    ),
  );
}

/** What is left of spans outside of others. */
export const outside = (spans: readonly TimeSpan[], others: readonly TimeSpan[]): TimeSpan[] =>
  others.reduce<TimeSpan[]>(
    (parts, { from, to }) =>
      parts.flatMap((part) =>
        [
          { from: part.from, to: Math.min(part.to, from) },
          { from: Math.max(part.from, to), to: part.to },
        ].filter((each) => each.to > each.from),
      ),
    [...spans],
  );

export interface LineLook {
  key: string;
  name: string;
  unit: string;
  digits: number;
  color: string;
  dash: readonly number[];
  isEarlier: boolean;
  /** Seconds by which an earlier period is moved to lie under this one. */
  offset: number;
}

/** A series of an answer, as it is drawn. */
export function lineOf(series: TrendSeries, span: TimeSpan, { offset, ...look }: LineLook): TrendLine {
  const { timestamps, stepSeconds: step, resolution, minimum, mean, maximum, limits } = series;
  const middle = resolution === "raw" ? 0 : step / 2;
  return {
    ...look,
    step,
    middle,
    times: timestamps.map((time) => time + middle + offset),
    minimum,
    mean,
    maximum,
    gaps: gapsOf(timestamps, step, span).map(({ from, to }) => ({ from: from + offset, to: to + offset })),
    limits: look.isEarlier ? [] : limits,
  };
}

/** The place of the first time that is not before `time`. */
export function firstFrom(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface PointValues {
  minimum: number;
  mean: number;
  maximum: number;
}

/** What a line shows at a moment; undefined in its gaps. */
export function valuesAt(line: TrendLine, time: number): PointValues | undefined {
  const { times, step } = line;
  const after = firstFrom(times, time);
  const [before, next] = [times[after - 1], times[after]];
  const isBefore = next === undefined || (before !== undefined && time - before < next - time);
  const index = isBefore ? after - 1 : after;
  const found = times[index];
  if (found === undefined || Math.abs(found - time) > step * (gapSteps / 2)) return undefined;
  return { minimum: line.minimum[index] ?? 0, mean: line.mean[index] ?? 0, maximum: line.maximum[index] ?? 0 };
}

/** The next moment with a value of any line, later or earlier than one. */
export function nextMoment(lines: readonly TrendLine[], time: number, direction: -1 | 1): number | undefined {
  const found = lines.flatMap(({ times }) => {
    const place = firstFrom(times, time);
    const index = direction > 0 ? (times[place] === time ? place + 1 : place) : place - 1;
    return times[index] ?? [];
  });
  if (found.length === 0) return undefined;
  return direction > 0 ? Math.min(...found) : Math.max(...found);
}

/** Quantities that mean little without their zero. */
const fromZero = new Set(["A", "kW", "kVA", "kVAr", "kWh", "kVArh", "Ah", "%", "s", "h", ""]);

/** What the axis of values shows: all values in sight and the limits that are near, with room above and below. */
export function valueRange(lines: readonly TrendLine[], span: TimeSpan, unit: string): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const { times, step, minimum, maximum } of lines) {
    const end = firstFrom(times, span.to + step);
    for (let index = firstFrom(times, span.from - step); index < end; index++) {
      low = Math.min(low, minimum[index] ?? Infinity);
      high = Math.max(high, maximum[index] ?? -Infinity);
    }
  }
  if (low > high) [low, high] = [0, 1];
  if (fromZero.has(unit) && low > 0 && low < high * 0.7) low = 0;
  const reach = Math.max(high - low, Math.abs(high) * 0.05) * 0.6;
  for (const { value } of lines.flatMap(({ limits }) => limits)) {
    if (value > high && value <= high + reach) high = value;
    if (value < low && value >= low - reach) low = value;
  }
  // What is still is no movement: at least ten of the smallest steps worth reading.
  const still = 5 * 10 ** -Math.max(0, ...lines.map(({ digits }) => digits));
  const room = Math.max((high - low) * 0.05, Math.abs(high) * 0.002, high - low < still ? still : 0);
  return [low === 0 ? 0 : low - room, high + room];
}

export interface TrendPanel {
  unit: string;
  lines: readonly TrendLine[];
}

/** One panel for each unit, in the order of the series. */
export function panelsOf(lines: readonly TrendLine[]): TrendPanel[] {
  return [...Map.groupBy(lines, ({ unit }) => unit)].map(([unit, ofUnit]) => ({ unit, lines: ofUnit }));
}

/** What a plot shows, in words. */
export function describePanel({ unit, lines }: TrendPanel, words: string): string {
  const parts = lines.map(({ name, minimum, maximum, gaps }) => {
    if (minimum.length === 0) return `${name} no values`;
    const range = `${formatReading(least(minimum))} to ${formatReading(most(maximum))}${unit === "" ? "" : ` ${unit}`}`;
    return `${name} ${range}${gaps.length === 0 ? "" : `, ${gaps.length === 1 ? "1 gap" : `${gaps.length} gaps`}`}`;
  });
  return `${words}: ${parts.join("; ")}`;
}

const least = (values: readonly number[]): number => values.reduce((low, value) => Math.min(low, value), Infinity);
const most = (values: readonly number[]): number => values.reduce((high, value) => Math.max(high, value), -Infinity);
