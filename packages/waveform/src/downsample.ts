/** Several channels over one axis of time, few enough points for a plot. */
export interface DownsampledChannels {
  /** Seconds; two per column: where it begins, and its middle. */
  times: number[];
  /** For each channel parallel to `times`: lowest and highest sample of a column in the order they came; NaN where all are missing. */
  values: number[][];
  /** Whether every sample of the range is among them. */
  isEverySample: boolean;
}

/**
 * Lowest and highest sample per pixel column: a plot of them shows every peak that a plot of all samples would show, at most a column
 * beside its time.
 * @param from first and `to` last index, both inclusive
 * @param columns pixel columns, at least 1; a range with fewer samples comes as it is
 */
export function downsample(
  times: Float64Array,
  channels: readonly ArrayLike<number>[],
  from: number,
  to: number,
  columns: number,
): DownsampledChannels {
  const count = Math.max(0, to - from + 1);
  if (count <= columns * 2) {
    const part = <T>(read: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => read(from + index));
    return {
      times: part((index) => times[index]!),
      values: channels.map((samples) => part((index) => samples[index] ?? Number.NaN)),
      isEverySample: true,
    };
  }
  const startOf = (column: number) => from + Math.floor((column * count) / columns);
  const result: DownsampledChannels = { times: [], values: channels.map(() => []), isEverySample: false };
  for (let column = 0; column < columns; column++) {
    const [start, end] = [startOf(column), startOf(column + 1)];
    result.times.push(times[start]!, times[(start + end) >> 1]!);
    for (const [place, samples] of channels.entries()) {
      const [low, high] = extremes(samples, start, end);
      result.values[place]!.push(samples[Math.min(low, high)] ?? Number.NaN, samples[Math.max(low, high)] ?? Number.NaN);
    }
  }
  return result;
}

/** Indexes of the lowest and the highest sample in [start, end); `start` for both when all are missing. */
function extremes(samples: ArrayLike<number>, start: number, end: number): [number, number] {
  let low = -1;
  let high = -1;
  for (let index = start; index < end; index++) {
    const value = samples[index] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    if (low === -1 || value < samples[low]!) low = index;
    if (high === -1 || value > samples[high]!) high = index;
  }
  return low === -1 ? [start, start] : [low, high];
}
