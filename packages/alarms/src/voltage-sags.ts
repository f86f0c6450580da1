import type { AlarmSettings } from "./alarm-settings.ts";
import type { AlarmChange } from "./node-alarms.ts";
import type { SecondSeries } from "./second-series.ts";

/** Percent of nameplate: a sag leaves less than 90 and not less than 10; below is an interruption (IEEE 1159, table 4-2). */
const sagBelow = 90;
const sagFrom = 10;
/** What lasts longer is an undervoltage (IEEE 1159). */
const longestSagSeconds = 60;
/** Sags this close together are one message's worth. */
const mergedSeconds = 60;

/**
 * Voltage sags (IEEE 1159: 0.5 cycles to 1 minute). A second's RMS blurs a sag of some cycles; the node, which looks at every cycle, marks
 * the second as disturbed, and the fall of the second's RMS against the seconds beside it distinguishes a sag from a swell. A sag of seconds shows
 * without the mark, below 90 % of nameplate.
 * Worked example: 460 V, six cycles at 60 %: the second's RMS is 460·√(0.9 + 0.1·0.36) = 445.0 V, 96.7 % of nameplate.
 * @returns for each sag its first second; value: percent of nameplate that the lowest second's RMS still has
 */
export function findVoltageSags(series: SecondSeries, settings: AlarmSettings): AlarmChange[] {
  const { npVoltage, activeVoltages } = settings;
  if (npVoltage === undefined || !(npVoltage > 0)) return [];
  const lines = series.voltages.filter((_, index) => activeVoltages[index]);
  if (lines.length === 0) return [];
  const lowest = (second: number) => (100 * Math.min(...lines.map((line) => line[second]!))) / npVoltage;
  const isTouched = (second: number) => series.isDisturbed[second] === 1 || lowest(second) < sagBelow;
  const found: AlarmChange[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (let start = 0; start < series.length; start++) {
    if (!isTouched(start)) continue;
    let end = start + 1;
    // A second between two touched ones may have been missed.
    while (end < series.length && (isTouched(end) || (end + 1 < series.length && isTouched(end + 1)))) end++;
    const value = sagIn(lines, start, end, npVoltage);
    if (value !== undefined && start - last > mergedSeconds)
      found.push({ kind: "voltageSag", change: "raised", at: series.from + start, value, limit: sagBelow });
    if (value !== undefined) last = end;
    start = end;
  }
  return found;
}

/** The lowest second of touched ones, when they are a sag. */
function sagIn(lines: readonly Float64Array[], start: number, end: number, npVoltage: number): number | undefined {
  if (end - start > longestSagSeconds) return undefined;
  let fall = 0;
  let rise = 0;
  let lowest = Number.POSITIVE_INFINITY;
  let highestOfLowestSecond = 0;
  for (let second = start; second < end; second++) {
    let top = 0;
    for (const line of lines) {
      const volts = line[second]!;
      const usual = usualBeside(line, start, end);
      if (Number.isNaN(volts) || Number.isNaN(usual)) continue;
      fall = Math.max(fall, 1 - volts / usual);
      rise = Math.max(rise, volts / usual - 1);
      top = Math.max(top, volts);
      if (volts < lowest) lowest = volts;
    }
    highestOfLowestSecond = second === start ? top : Math.min(highestOfLowestSecond, top);
  }
  const isInterruption = (100 * highestOfLowestSecond) / npVoltage < sagFrom;
  return fall > rise && !isInterruption && Number.isFinite(lowest) ? (100 * lowest) / npVoltage : undefined;
}

/** Mean of the seconds before and behind. */
function usualBeside(line: Float64Array, start: number, end: number): number {
  const [before, behind] = [line[start - 1] ?? Number.NaN, line[end] ?? Number.NaN];
  if (Number.isNaN(before)) return behind;
  return Number.isNaN(behind) ? before : (before + behind) / 2;
}
