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
  return new SampledMean(periodSeconds, sampleSeconds);
}

/** So many numbers of samples that are over may stay, or as many as there are of others. */
const mostKept = 64;

// A class: a fleet has two of each node.
class SampledMean implements MovingMean {
  private readonly periodSeconds: number;
  private readonly sampleSeconds: number;
  /** Time and value in turn: a plain list of doubles, as there may be hundreds of samples of each node. */
  private samples: number[] = [];
  /** Those before it are over. */
  private first = 0;
  private sum = 0;
  private startedAt: number | undefined = undefined;

  constructor(periodSeconds: number, sampleSeconds: number) {
    this.periodSeconds = periodSeconds;
    this.sampleSeconds = sampleSeconds;
  }

  add(at: number, value: number): void {
    const { samples } = this;
    this.startedAt ??= at;
    samples.push(at, value);
    this.sum += value;
    for (; this.first < samples.length && samples[this.first]! <= at - this.periodSeconds; this.first += 2)
      this.sum -= samples[this.first + 1]!;
    if (this.first <= mostKept || this.first * 2 <= samples.length) return;
    this.samples = samples.slice(this.first);
    this.first = 0;
  }

  value(): number | undefined {
    const { samples, first, startedAt, periodSeconds, sampleSeconds } = this;
    const count = (samples.length - first) / 2;
    const last = samples.at(-2);
    if (count === 0 || last === undefined || startedAt === undefined) return undefined;
    const isWhole = last - startedAt >= periodSeconds - sampleSeconds;
    return isWhole && count * sampleSeconds >= neededCoverage * periodSeconds ? this.sum / count : undefined;
  }
}
