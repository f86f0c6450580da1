import { longestTrendViewDays, longestTrendYears, usualTrendPoints } from "@busbar/contract/telemetry/trends.ts";
import type { Handlers } from "#http/endpoints.ts";
import { invalid } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { TrendsService } from "./trends.service.ts";

const usualScatterPoints = 2_000;

export function trendsHandlers(trends: TrendsService) {
  return {
    getTrends: ({ query: { series, from, to, points = usualTrendPoints } }, { apiClient }) =>
      trends.series(series, { ...rangeOf(from, to), points }, apiClient?.customerId),
    getTrendMarks: ({ query: { nodes, from, to } }) => trends.marks([...new Set(nodes)], rangeOf(from, to)),
    getTrendProfile: ({ query: { series, from, to } }, { apiClient }) =>
      trends.profile(series, viewRangeOf(from, to), apiClient?.customerId),
    getTrendDuration: ({ query: { series, from, to } }, { apiClient }) =>
      trends.duration(series, viewRangeOf(from, to), apiClient?.customerId),
    getTrendScatter: ({ query: { x, y, from, to, points = usualScatterPoints } }, { apiClient }) =>
      trends.scatter(x, y, { ...viewRangeOf(from, to), points }, apiClient?.customerId),
    getTrendDays: ({ query: { node, from, to } }, { apiClient }) => trends.days(Number(node), viewRangeOf(from, to), apiClient?.customerId),
  } satisfies Partial<Handlers>;
}

interface Range {
  from: number;
  to: number;
}

function rangeOf(from: number, to: number): Range {
  if (to <= from) throw invalid("to", say`is after from`);
  if (to - from > longestTrendYears * 366 * 86_400) throw invalid("to", say`is at most ${longestTrendYears} years after from`);
  return { from, to };
}

function viewRangeOf(from: number, to: number): Range {
  if (to - from > longestTrendViewDays * 86_400) throw invalid("to", say`is at most ${longestTrendViewDays} days after from`);
  return rangeOf(from, to);
}
