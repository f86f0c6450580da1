import type { Readings } from "./measures.ts";

export interface MinuteMean extends Readings {
  /** End of the minute, epoch seconds. */
  at: number;
  /** What the mean was made of. */
  readings: readonly Readings[];
}

/** A third of a minute must be there; less is no mean of it. */
const neededShare = 1 / 3;

/** Means of whole UTC minutes: root of the mean of squares, as RMS values aggregate (IEC 61000-4-30). */
export function createMinuteMeans(sampleSeconds: number) {
  let readings: Readings[] = [];
  let minute = Number.NaN;

  function close(): MinuteMean | undefined {
    const isEnough = readings.length * Math.min(sampleSeconds, 60) >= 60 * neededShare;
    if (!isEnough) return undefined;
    const rms = (of: (reading: Readings) => number) =>
      Math.sqrt(readings.reduce((sum, reading) => sum + of(reading) ** 2, 0) / readings.length);
    return {
      at: (minute + 1) * 60,
      voltages: [rms(({ voltages: [v] }) => v), rms(({ voltages: [, v] }) => v), rms(({ voltages: [, , v] }) => v)],
      currents: [rms(({ currents: [i] }) => i), rms(({ currents: [, i] }) => i), rms(({ currents: [, , i] }) => i)],
      readings,
    };
  }

  return {
    /** Returns the mean of the minute before when `at` begins another one. */
    add(at: number, reading: Readings): MinuteMean | undefined {
      const of = Math.floor(at / 60);
      if (of === minute) {
        readings.push(reading);
        return undefined;
      }
      const finished = close();
      readings = [reading];
      minute = of;
      return finished;
    },
  };
}
