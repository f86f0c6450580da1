export interface DownsampledColumns {
  /** Seconds; two points per column: its lowest and its highest sample in the order they came. */
  times: number[];
  /** Parallel to `times`; null where samples are missing. */
  values: (number | null)[];
}

/**
 * Lowest and highest sample per pixel column: a plot of them shows every peak that a plot of all samples would show.
 * @param from first and `to` last index, both inclusive
 * @param columns pixel columns; a range with fewer samples comes as it is
 */
export function downsample(times: Float64Array, samples: ArrayLike<number>, from: number, to: number, columns: number): DownsampledColumns {
  const result: DownsampledColumns = { times: [], values: [] };
  const push = (index: number) => {
    const value = samples[index] ?? Number.NaN;
    result.times.push(times[index] ?? 0);
    result.values.push(Number.isNaN(value) ? null : value);
  };
  const count = to - from + 1;
  if (count <= columns * 2) {
    for (let index = from; index <= to; index++) push(index);
    return result;
  }
  for (let column = 0; column < columns; column++) {
    const start = from + Math.floor((column * count) / columns);
    const end = from + Math.floor(((column + 1) * count) / columns);
    const [low, high] = extremes(samples, start, end);
    push(Math.min(low, high));
    if (low !== high) push(Math.max(low, high));
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
