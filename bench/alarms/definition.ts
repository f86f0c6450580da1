import type { AlarmKind } from "@busbar/alarms/alarm-kinds.ts";
import type { AlarmSettings } from "@busbar/alarms/alarm-settings.ts";

/** Every second of a node, as arrays: what the alarms would see with a reading each second and nothing lost. */
export interface SecondBySecond {
  /** Epoch seconds of the first one, at a whole minute. */
  from: number;
  /** Three each: A, and V line-to-line. */
  currents: Float64Array[];
  voltages: Float64Array[];
  /** Whether the node saw a power-quality event, and whether it measured at all. */
  isDisturbed: Uint8Array;
  isPowered: Uint8Array;
}

/** A time during which a definition holds; seconds from the beginning. */
export interface Episode {
  kind: AlarmKind;
  start: number;
  end: number;
  /** By how much it goes beyond the limit at most, as a part of the limit. */
  excess: number;
}

const mergedGapSeconds = 600;

/**
 * When each definition of the domain holds, worked out the plain way from every second: a second opinion on the alarm engine.
 * @param slackSeconds a minute counts also when one that is so much earlier or later does: where a load changes within a minute, one
 * reading in so many seconds cannot tell when
 */
export function episodesByDefinition(seconds: SecondBySecond, settings: AlarmSettings, slackSeconds = 0): Episode[] {
  const length = seconds.currents[0]!.length;
  const mean = Float64Array.from({ length }, (_, at) => seconds.currents.reduce((sum, phase) => sum + phase[at]!, 0) / 3);
  const starts = startTimes(mean, settings.currentNoise);
  return [
    ...minuteEpisodes(seconds, settings, starts, slackSeconds),
    ...overCurrentEpisodes(mean, starts, settings),
    ...lostPhaseEpisodes(seconds, settings),
    ...stopEpisodes(mean, settings),
  ];
}

function startTimes(mean: Float64Array, noise: number): number[] {
  const starts: number[] = [];
  for (let at = 1; at < mean.length; at++) if (mean[at]! > noise && mean[at - 1]! <= noise) starts.push(at);
  return starts;
}

function minuteEpisodes(
  { currents, voltages }: SecondBySecond,
  settings: AlarmSettings,
  starts: readonly number[],
  slackSeconds: number,
): Episode[] {
  const kinds = ["voltageImbalance", "currentImbalance", "overVoltage", "underVoltage", "underload"] as const;
  const excess: Record<(typeof kinds)[number], Map<number, number>> = {
    voltageImbalance: new Map(),
    currentImbalance: new Map(),
    overVoltage: new Map(),
    underVoltage: new Map(),
    underload: new Map(),
  };
  const { npVoltage = 0, npCurrent = 0 } = settings;
  const rms = (values: Float64Array, from: number) =>
    Math.sqrt(values.subarray(from, from + 60).reduce((sum, value) => sum + value * value, 0) / 60);
  const imbalance = (values: number[]) => {
    const average = values.reduce((sum, value) => sum + value, 0) / 3;
    return (100 * Math.max(...values.map((value) => Math.abs(value - average)))) / average;
  };
  const lastStart = latestBefore(starts);
  const length = currents[0]!.length;
  const judgeWindow = (from: number, at: number, isSettled: boolean) => {
    const v = voltages.map((values) => rms(values, from));
    const i = currents.map((values) => rms(values, from));
    const [meanV, meanI] = [(v[0]! + v[1]! + v[2]!) / 3, (i[0]! + i[1]! + i[2]!) / 3];
    if (meanV <= settings.voltageNoise) return;
    const note = (kind: (typeof kinds)[number], value: number, limit: number) => {
      if (value > limit) excess[kind].set(at, Math.max(excess[kind].get(at) ?? 0, value / limit - 1));
    };
    note("voltageImbalance", imbalance(v), settings.voltageImbalanceThreshold);
    note("overVoltage", (100 * (Math.max(...v) - npVoltage)) / npVoltage, settings.overVoltageThreshold);
    note("underVoltage", (100 * (npVoltage - Math.min(...v))) / npVoltage, settings.underVoltageThreshold);
    if (meanI > 0.25 * npCurrent) note("currentImbalance", imbalance(i), settings.currentImbalanceThreshold);
    const runsThroughout = currents.every((values) => values.subarray(from, from + 60).every((value) => value > settings.currentNoise));
    if (runsThroughout && isSettled) note("underload", 100 - (100 * meanI) / npCurrent, 100 - settings.underloadPercent);
  };
  for (let from = 0; from + 60 <= length; from += 60) {
    const isSettled = from - lastStart(from) > settings.startSeconds;
    for (const shift of new Set([0, -slackSeconds, slackSeconds]))
      if (from + shift >= 0 && from + shift + 60 <= length) judgeWindow(from + shift, from + 60, isSettled);
  }
  return kinds.flatMap((kind) => merge(kind, excess[kind], 60, 60));
}

function latestBefore(starts: readonly number[]): (at: number) => number {
  let next = 0;
  return (at) => {
    while (next < starts.length && starts[next]! <= at + 59) next++;
    return starts[next - 1] ?? Number.NEGATIVE_INFINITY;
  };
}

function overCurrentEpisodes(mean: Float64Array, starts: readonly number[], settings: AlarmSettings): Episode[] {
  const isLeftOut = new Uint8Array(mean.length);
  for (const start of starts) isLeftOut.fill(1, start, start + settings.startSeconds);
  const { npCurrent = 0 } = settings;
  const windows = [
    ["shortTermOverCurrent", settings.shortTermOverCurrentAveragingPeriod * 60, settings.shortTermOverCurrentThreshold],
    ["longTermOverCurrent", settings.longTermOverCurrentAveragingPeriod * 60, settings.longTermOverCurrentThreshold],
  ] as const;
  return windows.flatMap(([kind, period, limit]) => {
    const excess = new Map<number, number>();
    let sum = 0;
    let count = 0;
    for (let at = 0; at < mean.length; at++) {
      if (!isLeftOut[at]) {
        sum += mean[at]!;
        count++;
      }
      const gone = at - period;
      if (gone >= 0 && !isLeftOut[gone]) {
        sum -= mean[gone]!;
        count--;
      }
      if (at < period || count < 0.8 * period) continue;
      const over = (100 * (sum / count - npCurrent)) / npCurrent;
      if (over > limit) excess.set(at, over / limit - 1);
    }
    return merge(kind, excess, 1, 60);
  });
}

function lostPhaseEpisodes({ currents }: SecondBySecond, { currentNoise }: AlarmSettings): Episode[] {
  const excess = new Map<number, number>();
  for (let at = 0; at < currents[0]!.length; at++) {
    if (currents.filter((values) => values[at]! > currentNoise).length === 2) excess.set(at, 1);
  }
  return merge("lossOfPhase", excess, 1, 0);
}

function stopEpisodes(mean: Float64Array, settings: AlarmSettings): Episode[] {
  const { npCurrent = 0, currentNoise, stopEventOfInterestThreshold: limit } = settings;
  const episodes: Episode[] = [];
  for (let at = 10; at < mean.length; at++) {
    if (mean[at]! > currentNoise || mean[at - 1]! <= currentNoise) continue;
    const before = mean.subarray(at - 10, at).reduce((sum, value) => sum + value, 0) / 10;
    const percent = (100 * before) / npCurrent;
    if (percent > limit) episodes.push({ kind: "stopOfInterest", start: at, end: at, excess: percent / limit - 1 });
  }
  return episodes;
}

function merge(kind: AlarmKind, excessAt: ReadonlyMap<number, number>, stepSeconds: number, holdSeconds: number): Episode[] {
  const episodes: Episode[] = [];
  let heldSince = Number.NaN;
  let before = Number.NaN;
  for (const [at, excess] of excessAt) {
    if (at - before !== stepSeconds) heldSince = at;
    before = at;
    if (at - heldSince < holdSeconds) continue;
    const last = episodes.at(-1);
    if (last && at - last.end <= mergedGapSeconds) {
      last.end = at;
      last.excess = Math.max(last.excess, excess);
    } else episodes.push({ kind, start: at - stepSeconds, end: at, excess });
  }
  return episodes;
}
