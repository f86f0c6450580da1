import type { AlarmSettings } from "./alarm-settings.ts";
import type { AlarmChange } from "./node-alarms.ts";
import { meanCurrentAt, type SecondSeries } from "./second-series.ts";

/** Percent of full load above which a machine still accelerates: above any overload that lasts, below any reduced-voltage start. */
const acceleratingPercent = 150;

/**
 * Long accelerations: from standstill, the mean current stays above 150 % of full load for more than `start_seconds` (the incomplete
 * sequence of IEEE C37.2, device 48). A start that began before the first second is not seen.
 * Worked example: full load 100 A, start_seconds 10: 0 A, then 600 A for 12 s, then 80 A: 12 s, above 10 s.
 * @returns for each the second of the start; value: seconds
 */
export function findLongStarts(series: SecondSeries, settings: AlarmSettings): AlarmChange[] {
  const { npCurrent, currentNoise, activeCurrents, startSeconds: limit } = settings;
  if (npCurrent === undefined || !(npCurrent > 0)) return [];
  const found: AlarmChange[] = [];
  let startedAt: number | undefined;
  let before = Number.NaN;
  const finish = (second: number) => {
    if (startedAt !== undefined && second - startedAt > limit)
      found.push({ kind: "longStart", change: "raised", at: series.from + startedAt, value: second - startedAt, limit });
    startedAt = undefined;
  };
  for (let second = 0; second < series.length; second++) {
    const current = meanCurrentAt(series, activeCurrents, second);
    if (!((100 * current) / npCurrent > acceleratingPercent)) finish(second);
    else if (before <= currentNoise) startedAt = second;
    before = current;
  }
  finish(series.length);
  return found;
}
