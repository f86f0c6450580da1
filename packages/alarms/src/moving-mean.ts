/** Mean of a value over the last seconds, time-weighted by even samples. */
export interface MovingMean {
  add(at: number, value: number): void;
  /** Undefined until samples cover the whole period, or when gaps leave less than four fifths of it. */
  value(): number | undefined;
}

const neededCoverage = 0.8;

/**
 * @param periodSeconds length of the window
 * @param sampleSeconds the usual time between two samples
 */
export function createMovingMean(periodSeconds: number, sampleSeconds: number): MovingMean {
  const samples: { at: number; value: number }[] = [];
  let first = 0;
  let sum = 0;
  let startedAt: number | undefined;
  return {
    add(at, value) {
      startedAt ??= at;
      samples.push({ at, value });
      sum += value;
      while (first < samples.length && samples[first]!.at <= at - periodSeconds) sum -= samples[first++]!.value;
      if (first > 512) samples.splice(0, first);
      if (first > 512) first = 0;
    },
    value() {
      const count = samples.length - first;
      const last = samples.at(-1)?.at;
      if (count === 0 || last === undefined || startedAt === undefined) return undefined;
      const isWhole = last - startedAt >= periodSeconds - sampleSeconds;
      return isWhole && count * sampleSeconds >= neededCoverage * periodSeconds ? sum / count : undefined;
    },
  };
}
