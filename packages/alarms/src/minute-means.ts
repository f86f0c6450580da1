import type { Triple } from "./alarm-settings.ts";
import type { Readings } from "./measures.ts";

export interface MinuteMean extends Readings {
  /** End of the minute, epoch seconds. */
  at: number;
}

/** A third of a minute must be there; less is no mean of it. */
const neededShare = 1 / 3;

/** Means of whole UTC minutes: root of the mean of squares, as RMS values aggregate (IEC 61000-4-30). */
export function createMinuteMeans(sampleSeconds: number) {
  const squares = [0, 0, 0, 0, 0, 0];
  let count = 0;
  let minute = Number.NaN;

  function close(): MinuteMean | undefined {
    const isEnough = count * Math.min(sampleSeconds, 60) >= 60 * neededShare;
    if (!isEnough) return undefined;
    const means = squares.map((square) => Math.sqrt(square / count));
    return {
      at: (minute + 1) * 60,
      voltages: means.slice(0, 3) as unknown as Triple,
      currents: means.slice(3) as unknown as Triple,
    };
  }

  return {
    /** Returns the mean of the minute before when `at` begins another one. */
    add(at: number, { voltages, currents }: Readings): MinuteMean | undefined {
      const of = Math.floor(at / 60);
      const finished = of === minute ? undefined : close();
      if (of !== minute) {
        squares.fill(0);
        count = 0;
        minute = of;
      }
      for (let index = 0; index < 3; index++) {
        squares[index]! += voltages[index]! ** 2;
        squares[index + 3]! += currents[index]! ** 2;
      }
      count++;
      return finished;
    },
  };
}
