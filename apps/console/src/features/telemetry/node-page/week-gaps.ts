import { counted } from "@busbar/contract/values/counted.ts";
import type { Gap, WeekLane } from "@busbar/contract/telemetry/node-week.ts";

export interface Span {
  from: number;
  to: number;
}

/** Gaps that would lie on each other are drawn as one. */
export interface DrawnGap extends Span {
  gaps: number;
  seconds: number;
  /** Of files; null where they are not counted. */
  missing: number | null;
}

/** A press needs a few pixels: what is nearer than this part of the week is one. */
const nearest = 1 / 200;

export function drawnGaps(gaps: readonly Gap[], week: Span): DrawnGap[] {
  const room = (week.to - week.from) * nearest;
  const drawn: DrawnGap[] = [];
  for (const { fromTimestamp: from, toTimestamp: to, count } of gaps) {
    const last = drawn.at(-1);
    if (last && from - last.to < room) {
      last.to = to;
      last.gaps++;
      last.seconds += to - from;
      if (count !== null) last.missing = (last.missing ?? 0) + count;
    } else drawn.push({ from, to, gaps: 1, seconds: to - from, missing: count });
  }
  return drawn;
}

/** How long, in the two largest units that matter. */
export function lengthText(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return `${Math.round(seconds)} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return hours % 24 === 0 ? counted(hours / 24, "day") : `${counted(Math.floor(hours / 24), "day")} ${hours % 24} h`;
}

/** What a lane lacks, in a few words. What the platform missed is no gap of the node. */
export function laneText({ knownFromTimestamp, gaps }: WeekLane, week: Span): string {
  if (knownFromTimestamp === null) return "nothing yet";
  if (gaps.length === 0) return knownFromTimestamp > week.from ? "whole since it is known" : "whole";
  const missing = gaps.reduce((sum, { count }) => sum + (count ?? 0), 0);
  if (missing > 0) return `${missing.toLocaleString("en-US")} missing`;
  const seconds = gaps.reduce((sum, { fromTimestamp, toTimestamp }) => sum + toTimestamp - fromTimestamp, 0);
  return gaps.length === 1 ? lengthText(seconds) : `${lengthText(seconds)} in ${counted(gaps.length, "gap")}`;
}

export const isDuring = ({ from, to }: Span, spans: readonly { fromTimestamp: number; toTimestamp: number }[]): boolean =>
  spans.some((span) => span.fromTimestamp <= from && span.toTimestamp >= to);
