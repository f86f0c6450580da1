import { createHistogram } from "node:perf_hooks";

export interface LatencySummary {
  count: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** Gathers durations in constant memory, with a relative error below 1 %. */
export function createLatencies() {
  const histogram = createHistogram({ figures: 3 });
  return {
    add(ms: number): void {
      histogram.record(Math.max(1, Math.round(ms * 1_000)));
    },
    summary(): LatencySummary {
      const at = (percent: number) => (histogram.count === 0 ? Number.NaN : histogram.percentile(percent) / 1_000);
      return { count: histogram.count, p50Ms: at(50), p95Ms: at(95), p99Ms: at(99), maxMs: at(100) };
    },
  };
}

/** The value that the given share of the values does not exceed; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
