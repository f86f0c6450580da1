import type { EventWaveform } from "@busbar/contract/files/event-files.ts";
import { downsample } from "@busbar/waveform/downsample.ts";
import type { DigitalChannel, Waveform } from "@busbar/waveform/waveform.ts";

export interface WaveformRange {
  /** Seconds from the trigger; undefined is the record's own end. */
  from: number | undefined;
  to: number | undefined;
  /** Of the plot. */
  columns: number;
}

/** More lines in one plot no one can distinguish; no relay records as many. */
const mostAnalogs = 48;
const mostLanes = 64;
/** Values in an answer, whatever is requested. */
const mostValues = 150_000;
const significantDigits = 7;

/** A record's part as a plot of so many columns shows it. */
export function viewWaveform(waveform: Waveform, { from, to, columns }: WaveformRange): EventWaveform {
  const { times } = waveform;
  const [start, end] = [times[0] ?? 0, times.at(-1) ?? 0];
  const range = { from: clip(from ?? start, start, end), to: clip(to ?? end, start, end) };
  // A sample beyond each end lets lines run to the plot's edges.
  const first = Math.max(0, firstAtOrAfter(times, range.from) - 1);
  const last = Math.min(times.length - 1, firstAtOrAfter(times, range.to) + 1);

  const analogs = waveform.analogs.slice(0, mostAnalogs);
  const turning = waveform.digitals.filter(turns);
  const lanes = turning.slice(0, mostLanes);
  const channels = [...analogs, ...lanes].map(({ values }) => values);
  const affordable = Math.floor(mostValues / 2 / Math.max(1, channels.length));
  const plot = downsample(times, channels, first, last, Math.max(1, Math.min(columns, affordable)));
  return {
    start,
    end,
    ...range,
    sampleCount: last - first + 1,
    isEverySample: plot.isEverySample,
    times: plot.times.map((time) => Number(time.toFixed(9))),
    analogs: analogs.map(({ name, phase, unit }, place) => ({ name, phase, unit, values: plot.values[place]!.map(shortened) })),
    digitals: lanes.map(({ name }, place) => ({ name, ...turnsOf(plot.values[analogs.length + place]!) })),
    alwaysOn: waveform.digitals.filter((channel) => !turns(channel) && channel.values[0] === 1).map(({ name }) => name),
    alwaysOff: waveform.digitals.filter((channel) => !turns(channel) && channel.values[0] !== 1).map(({ name }) => name),
    omittedChannels: waveform.analogs.length - analogs.length + turning.length - lanes.length,
  };
}

const clip = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

const turns = ({ values }: DigitalChannel): boolean => values.includes(values[0] === 1 ? 0 : 1);

const shortened = (value: number): number | null => (Number.isNaN(value) ? null : Number(value.toPrecision(significantDigits)));

/** Index of the first time that is not before `time`; their number when all are. */
function firstAtOrAfter(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function turnsOf(values: readonly number[]): { first: 0 | 1; turns: number[] } {
  const first = values[0] === 1 ? 1 : 0;
  return { first, turns: values.flatMap((value, index) => (index > 0 && value !== values[index - 1] ? [index] : [])) };
}
