const gapIntervals = 1.5;
const secondsPerHour = 3_600;

/** Seconds that a sample stands for: the time since the sample before, at most 1.5 intervals, so that a gap adds next to nothing. */
export function coveredSeconds(secondsSincePrevious: number, intervalSeconds: number): number {
  return Math.min(Math.max(0, secondsSincePrevious), gapIntervals * intervalSeconds);
}

/** Ah of a mean current over seconds. */
export const ampHours = (amps: number, seconds: number): number => (amps * seconds) / secondsPerHour;

/** kWh of a power over seconds; negative power is export. */
export const kilowattHours = (kw: number, seconds: number): number => (kw * seconds) / secondsPerHour;

export const runningDays = (runningSeconds: number): number => runningSeconds / 86_400;
