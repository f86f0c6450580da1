import type { AlarmSettings } from "./alarm-settings.ts";
import type { AlarmChange } from "./node-alarms.ts";
import type { SecondSeries } from "./second-series.ts";

/** A lost phase and the peak of its return belong together within so many seconds. */
const nearSeconds = 2;
const mergedSeconds = 60;

/**
 * Loss-of-phase transients: one phase without current while the other two run, and within 2 s a phase above the threshold: an open phase
 * that comes back, or a start on two phases. A second's RMS is at most the highest cycle's, so that what is found here is at least as high.
 * Worked example: full load 100 A, i_noise 1 A: (0.2, 173, 172) A, then (640, 630, 650) A a second later: 650 %, above 500 %.
 * @returns for each the first second without the phase; value: percent of the full-load current
 */
export function findPhaseTransients(series: SecondSeries, settings: AlarmSettings): AlarmChange[] {
  const { npCurrent, currentNoise, activeCurrents, lossOfPhaseTransientThreshold: limit } = settings;
  if (npCurrent === undefined || !(npCurrent > 0) || !activeCurrents.every(Boolean)) return [];
  const [one, two, three] = series.currents as [Float64Array, Float64Array, Float64Array];
  const found: AlarmChange[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (let second = 0; second < series.length; second++) {
    const running = Number(one[second]! > currentNoise) + Number(two[second]! > currentNoise) + Number(three[second]! > currentNoise);
    if (running !== 2 || Number.isNaN(one[second]! + two[second]! + three[second]!)) continue;
    const value = (100 * highest(series.currents, second - nearSeconds, second + nearSeconds)) / npCurrent;
    if (!(value > limit)) continue;
    if (second - last > mergedSeconds)
      found.push({ kind: "lossOfPhaseTransient", change: "raised", at: series.from + second, value, limit });
    last = second;
  }
  return found;
}

function highest(currents: readonly Float64Array[], from: number, to: number): number {
  let most = 0;
  for (const phase of currents) for (let second = Math.max(0, from); second <= to; second++) most = Math.max(most, phase[second] || 0);
  return most;
}
