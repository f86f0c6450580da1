import type { Quantity } from "@busbar/contract/telemetry/quantities.ts";
import type { TrendSeries } from "@busbar/contract/telemetry/trends.ts";
import type { Grid } from "./grid.ts";
import { selectNth } from "./select-nth.ts";

export type RangeFigures = Pick<TrendSeries["figures"], "minimum" | "mean" | "maximum" | "percentile95" | "total">;

/** Of all of a grid. The percentile is that of the means, by nearest rank. */
export function figuresOf({ covered, mean, minimum, maximum }: Grid, { total }: Quantity): RangeFigures & { coveredSeconds: number } {
  const means = new Float64Array(covered.length);
  let count = 0;
  let [seconds, sum, low, high] = [0, 0, Infinity, -Infinity];
  for (let index = 0; index < covered.length; index++) {
    const own = covered[index]!;
    if (own === 0) continue;
    means[count++] = mean[index]!;
    seconds += own;
    sum += total === "mean" ? mean[index]! * own : mean[index]!;
    if (minimum[index]! < low) low = minimum[index]!;
    if (maximum[index]! > high) high = maximum[index]!;
  }
  if (count === 0) return { coveredSeconds: 0, minimum: null, mean: null, maximum: null, percentile95: null, total: null };
  return {
    coveredSeconds: seconds,
    minimum: low,
    mean: total === "mean" ? sum / seconds : sum / count,
    maximum: high,
    percentile95: selectNth(means.subarray(0, count), Math.ceil(0.95 * count) - 1),
    total: total === "sum" ? sum : null,
  };
}

/** What adds up over all of a grid; null without data. */
export function sumOf({ covered, mean }: Grid): number | null {
  let sum: number | null = null;
  for (let index = 0; index < covered.length; index++) if (covered[index]! > 0) sum = (sum ?? 0) + mean[index]!;
  return sum;
}
