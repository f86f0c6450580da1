import { channels } from "./channels.ts";
import { between, poisson, uniform } from "./random.ts";
import { isRoundTheClock, type Shift } from "./sim-node.ts";

const secondsPerDay = 86_400;

/** When one machine is meant to run: its shift in local time, less a pause now and then. */
export interface Duty {
  seed: number;
  id: number;
  shift: Shift;
  zoneOffset: (epochSeconds: number) => number;
  day: number;
  /** Start and stop times of the remembered day, in local seconds since the epoch, alternating. */
  runs: readonly number[];
}

const neverStopped = Number.MAX_SAFE_INTEGER;

export function createDuty(seed: number, id: number, shift: Shift, zoneOffset: Duty["zoneOffset"]): Duty {
  return { seed, id, shift, zoneOffset, day: Number.NaN, runs: [] };
}

/** Seconds since the scheduled start; negative while the schedule has the machine stopped. */
export function secondsSinceStart(duty: Duty, epochSeconds: number): number {
  const local = epochSeconds + duty.zoneOffset(epochSeconds);
  const day = Math.floor(local / secondsPerDay);
  if (day !== duty.day) {
    duty.runs = runsOfDay(duty, day);
    duty.day = day;
  }
  const { runs } = duty;
  for (let i = 0; i < runs.length; i += 2) {
    if (local < runs[i]!) return -1;
    if (local < runs[i + 1]!) return local - runs[i]!;
  }
  return -1;
}

/** Scheduled starts in a UTC day, epoch seconds. */
export function startsOfUtcDay(duty: Duty, utcDay: number): number[] {
  const from = utcDay * secondsPerDay;
  const starts: number[] = [];
  const firstLocalDay = Math.floor((from + duty.zoneOffset(from)) / secondsPerDay);
  for (let day = firstLocalDay; day <= firstLocalDay + 1; day++) {
    const runs = runsOfDay(duty, day);
    for (let i = 0; i < runs.length; i += 2) {
      const local = runs[i]!;
      const start = local - duty.zoneOffset(local - duty.zoneOffset(local));
      if (start >= from && start < from + secondsPerDay) starts.push(start);
    }
  }
  return starts;
}

function runsOfDay(duty: Duty, day: number): number[] {
  const midnight = day * secondsPerDay;
  if (isRoundTheClock(duty.shift)) return continuousRuns(duty, day, midnight);
  const { seed, id } = duty;
  // 1970-01-01 was a Thursday: Sunday is a day of rest for machines with shifts
  if ((day + 4) % 7 === 0) return [];
  const opens = 6 * 3600 + between(-900, 900, seed, id, channels.shiftStart, day);
  const closes = (duty.shift === "day" ? 15 : 22) * 3600 + between(-900, 900, seed, id, channels.shiftEnd, day);
  const run = [midnight + Math.round(opens), midnight + Math.round(closes)];
  if (uniform(seed, id, channels.pauseCount, day) < 0.5) return run;
  const pause = Math.round(between(11, 13, seed, id, channels.pauseStart, day) * 3600);
  const length = Math.round(between(900, 3600, seed, id, channels.pauseLength, day));
  return [run[0]!, midnight + pause, midnight + pause + length, run[1]!];
}

// Round the clock; a continuous shift has a stop of up to 90 minutes about every ten days
function continuousRuns({ seed, id, shift }: Duty, day: number, midnight: number): number[] {
  const before = midnight - neverStopped / 4;
  const after = midnight + neverStopped / 4;
  if (shift === "unbroken" || poisson(0.1, seed, id, channels.pauseCount, day) === 0) return [before, after];
  const stop = midnight + Math.round(between(1, 21, seed, id, channels.pauseStart, day) * 3600);
  const length = Math.round(between(600, 5400, seed, id, channels.pauseLength, day));
  return [before, stop, stop + length, after];
}
