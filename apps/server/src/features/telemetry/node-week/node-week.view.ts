import type { Gap, WeekLane } from "@busbar/contract/telemetry/node-week.ts";
import type { ConnectionChange, Steps, WeekNode } from "./node-week.read-model.ts";

/** Epoch seconds. */
export interface Week {
  from: number;
  to: number;
}

interface StepLaneOptions extends Week {
  /** Before the week there was something. */
  hadEarlier: boolean;
  /** What each covers from its time on; undefined for what is of one moment. */
  intervalSeconds: number | undefined;
  /** What has not come for so long is missing. */
  lateSeconds: number;
}

/** @param steps where two that follow each other are too far apart */
export function stepLane({ steps, last }: Steps, { from, to, hadEarlier, intervalSeconds, lateSeconds }: StepLaneOptions): WeekLane {
  const countOf = (start: number, end: number) =>
    intervalSeconds === undefined ? null : Math.max(1, Math.round((end - start) / intervalSeconds));
  const gapOf = (start: number, end: number): Gap => ({
    fromTimestamp: Math.floor(start),
    toTimestamp: Math.floor(end),
    count: countOf(start, end),
  });
  const covered = intervalSeconds ?? 0;
  const [first, ...later] = steps;
  if (!first || last === null) return { knownFromTimestamp: hadEarlier ? from : null, gaps: hadEarlier ? [gapOf(from, to)] : [] };
  const gaps = [
    ...(hadEarlier && first.at - from > lateSeconds ? [gapOf(from, first.at)] : []),
    ...later.flatMap(({ before, at }) => (before === null ? [] : [gapOf(before + covered, at)])),
    ...(to - last > lateSeconds ? [gapOf(last + covered, to)] : []),
  ];
  return { knownFromTimestamp: hadEarlier ? from : Math.floor(first.at), gaps };
}

/** @param changes oldest first, the last one before the week among them */
export function connectionLane(
  changes: readonly ConnectionChange[],
  { isConnected, connectionChangedAt }: Pick<WeekNode, "isConnected" | "connectionChangedAt">,
  { from, to }: Week,
): WeekLane {
  const gaps: Gap[] = [];
  let knownFrom: number | undefined;
  let lostAt: number | undefined;
  const end = (at: number) => {
    if (lostAt !== undefined && at > from)
      gaps.push({ fromTimestamp: Math.floor(Math.max(lostAt, from)), toTimestamp: Math.floor(at), count: null });
    lostAt = undefined;
  };
  for (const change of changes) {
    knownFrom ??= change.at;
    if (change.isConnected) end(change.at);
    else lostAt ??= change.at;
  }
  // The last change may have left no word, as when the broker began anew.
  if (!isConnected && connectionChangedAt !== null) {
    knownFrom ??= connectionChangedAt;
    lostAt ??= connectionChangedAt;
  }
  if (isConnected) lostAt = undefined;
  end(to);
  return { knownFromTimestamp: knownFrom === undefined ? null : Math.floor(Math.max(knownFrom, from)), gaps };
}
