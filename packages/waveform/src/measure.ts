import { drawPicture } from "./picture.ts";
import { phasesOf, type PhaseChannel } from "./phases.ts";
import type { Waveform } from "./waveform.ts";

export interface PhaseFigure {
  /** Amperes or volts. */
  value: number;
  /** `A`, `C-A`; empty where the record does not say. */
  phase: string;
}

export interface WaveformMeasures {
  /** From the first sample to the last. */
  durationSeconds: number;
  /** Highest one-cycle rms of any phase current; undefined without one. */
  largestCurrent: PhaseFigure | undefined;
  /** Lowest one-cycle rms of a phase voltage; a phase that is never there is not connected and does not count. */
  lowestVoltage: PhaseFigure | undefined;
  /** See `drawPicture`. */
  picture: Uint8Array | undefined;
}

const usualFrequency = 60;
/** Fewer samples per cycle are no wave but values that were averaged already. */
const leastSamplesPerCycle = 4;
/** Of the highest voltage: what never reaches it is noise of a phase that is not wired. */
const leastShare = 0.1;
/** Beyond it a value is damage. */
const highest = 1e9;

/**
 * What a list says of a record: amperes and volts as rms over one cycle of the line frequency (IEC 61000-4-30), on the side that the record
 * has them. Never throws.
 */
export function measureWaveform(waveform: Waveform): WaveformMeasures {
  const { times } = waveform;
  const currents = phasesOf(waveform.analogs, "A");
  const voltages = phasesOf(waveform.analogs, "V");
  const duration = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const cycle = 1 / frequencyOf(waveform);
  const rangesOf = (channels: readonly PhaseChannel[]) =>
    channels.flatMap((channel) => {
      const range = rmsRange(times, channel, cycle);
      return range ? [{ phase: channel.phase, ...range }] : [];
    });
  const currentRanges = rangesOf(currents);
  const voltageRanges = rangesOf(voltages);
  const least = Math.max(0, ...voltageRanges.map(({ high }) => high)) * leastShare;
  return {
    durationSeconds: duration >= 0 && duration < highest ? duration : 0,
    largestCurrent: currentRanges.map(({ phase, high }) => ({ phase, value: high })).toSorted((a, b) => b.value - a.value)[0],
    lowestVoltage: voltageRanges
      .filter(({ high }) => high > 0 && high >= least)
      .map(({ phase, low }) => ({ phase, value: low }))
      .toSorted((a, b) => a.value - b.value)[0],
    picture: drawPicture(times, currents, voltages),
  };
}

function frequencyOf({ lineFrequency = usualFrequency }: Waveform): number {
  return lineFrequency >= 10 && lineFrequency <= 400 ? lineFrequency : usualFrequency;
}

/** Lowest and highest one-cycle rms; of a record shorter than a cycle that of all of it. Undefined where no value is there. */
function rmsRange(times: Float64Array, { values, factor }: PhaseChannel, cycle: number): { low: number; high: number } | undefined {
  const step = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / Math.max(1, times.length - 1);
  const isWave = step * leastSamplesPerCycle <= cycle;
  const window = isWave ? cycle - step / 2 : 0;
  const squareAt = (index: number): number => {
    const value = (values[index] ?? Number.NaN) * factor;
    return Math.abs(value) <= highest ? value * value : Number.NaN;
  };
  let [low, high] = [Infinity, -Infinity];
  let [sum, count, oldest] = [0, 0, 0];
  for (let index = 0; index < times.length; index++) {
    const square = squareAt(index);
    if (!Number.isNaN(square)) {
      sum += square;
      count++;
    }
    for (; times[index]! - times[oldest]! > window; oldest++) {
      const gone = squareAt(oldest);
      if (Number.isNaN(gone)) continue;
      sum -= gone;
      count--;
    }
    const isFull = oldest > 0 || !isWave || index === times.length - 1;
    if (!isFull || count === 0 || count * 2 < index - oldest + 1) continue;
    const rms = Math.sqrt(Math.max(0, sum) / count);
    low = Math.min(low, rms);
    high = Math.max(high, rms);
  }
  return low <= high ? { low, high } : undefined;
}
