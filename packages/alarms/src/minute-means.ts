import type { Readings } from "./measures.ts";

export interface MinuteMean extends Readings {
  /** End of the minute, epoch seconds. */
  at: number;
  /** What the mean was made of. */
  readings: readonly Readings[];
}

/** A third of a minute must be there; less is no mean of it. */
const neededShare = 1 / 3;

/** Means of whole UTC minutes: root of the mean of squares, as RMS values aggregate (IEC 61000-4-30). A class: a fleet has one of each node. */
export class MinuteMeans {
  private readonly sampleSeconds: number;
  /** Voltages and currents of each reading in turn: a plain list of doubles, kept of every node. */
  private values: number[] = [];
  private minute = Number.NaN;

  constructor(sampleSeconds: number) {
    this.sampleSeconds = sampleSeconds;
  }

  /** Returns the mean of the minute before when `at` begins another one. */
  add(at: number, { voltages, currents }: Readings): MinuteMean | undefined {
    const of = Math.floor(at / 60);
    const finished = of === this.minute ? undefined : this.close();
    if (of !== this.minute) this.values = [];
    this.minute = of;
    this.values.push(voltages[0], voltages[1], voltages[2], currents[0], currents[1], currents[2]);
    return finished;
  }

  private close(): MinuteMean | undefined {
    const { values } = this;
    const count = values.length / valuesPerReading;
    if (count * Math.min(this.sampleSeconds, 60) < 60 * neededShare) return undefined;
    const readings: Readings[] = [];
    const squares = Array.from({ length: valuesPerReading }, () => 0);
    for (let from = 0; from < values.length; from += valuesPerReading) {
      for (let place = 0; place < valuesPerReading; place++) squares[place]! += values[from + place]! ** 2;
      readings.push(readingsOf(values.slice(from, from + valuesPerReading)));
    }
    return { at: (this.minute + 1) * 60, ...readingsOf(squares.map((sum) => Math.sqrt(sum / count))), readings };
  }
}

const valuesPerReading = 6;

function readingsOf([v12, v23, v31, i1, i2, i3]: readonly number[]): Readings {
  return { voltages: [v12!, v23!, v31!], currents: [i1!, i2!, i3!] };
}
