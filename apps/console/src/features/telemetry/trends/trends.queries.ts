import { find, leastFindText } from "@busbar/contract/system/find.ts";
import {
  getTrendDays,
  getTrendDuration,
  getTrendMarks,
  getTrendProfile,
  getTrendScatter,
  getTrends,
  seriesText,
  type SeriesName,
} from "@busbar/contract/telemetry/trends.ts";
import { useApiQuery } from "#api/use-api-query.ts";
import type { TimeSpan } from "./zone-time.ts";

/** What was in sight a moment ago; a live plot asks every few seconds. */
const keptMs = 60_000;

/** The series over a span; those of the span before stay until they are there. Undefined: not yet to be asked. */
export function useTrends(series: readonly SeriesName[], span: TimeSpan | undefined, points: number) {
  return useApiQuery(
    getTrends,
    { query: { series: seriesText(series), ...timesOf(span ?? { from: 0, to: 0 }), points: String(points) } },
    { enabled: span !== undefined && series.length > 0, isPreviousKept: true, gcTime: keptMs },
  );
}

const timesOf = ({ from, to }: TimeSpan) => ({ from: String(Math.floor(from)), to: String(Math.ceil(to)) });
const keeping = { isPreviousKept: true, gcTime: keptMs };

/** What happened to nodes meanwhile; none of it where there are no nodes. */
export const useTrendMarks = (serials: readonly string[], span: TimeSpan) =>
  useApiQuery(getTrendMarks, { query: { nodes: serials.join(","), ...timesOf(span) } }, { ...keeping, enabled: serials.length > 0 });

export const useTrendProfile = (series: SeriesName, span: TimeSpan) =>
  useApiQuery(getTrendProfile, { query: { series: seriesText([series]), ...timesOf(span) } }, keeping);

export const useTrendDuration = (series: SeriesName, span: TimeSpan) =>
  useApiQuery(getTrendDuration, { query: { series: seriesText([series]), ...timesOf(span) } }, keeping);

const scatterPoints = 1_000;

export const useTrendScatter = (x: SeriesName, y: SeriesName, span: TimeSpan) =>
  useApiQuery(
    getTrendScatter,
    { query: { x: seriesText([x]), y: seriesText([y]), ...timesOf(span), points: String(scatterPoints) } },
    keeping,
  );

export const useTrendDays = (node: string, span: TimeSpan) => useApiQuery(getTrendDays, { query: { node, ...timesOf(span) } }, keeping);

/** Nodes by parts of their words. */
export const useFoundNodes = (text: string) =>
  useApiQuery(
    find,
    { query: { text } },
    { enabled: text.length >= leastFindText, isPreviousKept: true, select: (found) => found.filter(({ kind }) => kind === "node") },
  );
