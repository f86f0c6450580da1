import type { TrendDay, TrendDuration, TrendProfile } from "@busbar/contract/telemetry/trends.ts";
import { wallClock } from "@busbar/contract/values/local-time.ts";
import { beginOf, joinInto, type Grid } from "./grid.ts";
import { dayStarts, daySeconds } from "./trend-steps.ts";

const hourSeconds = 3600;

/** Means by weekday and hour of a zone. */
export function profileOf(grid: Grid, total: "mean" | "sum", timezone: string): TrendProfile["hours"] {
  const sums = new Float64Array(7 * 24);
  const seconds = new Float64Array(7 * 24);
  for (const { first, end, hourOf, weekday } of daysOf(grid, timezone))
    for (let index = first; index < end; index++) {
      const covered = grid.covered[index]!;
      if (covered === 0) continue;
      const cell = (weekday - 1) * 24 + hourOf(grid.start + index * grid.step);
      sums[cell]! += total === "mean" ? grid.mean[index]! * covered : grid.mean[index]!;
      seconds[cell]! += covered;
    }
  return [...seconds.entries()].flatMap(([cell, coveredSeconds]) =>
    coveredSeconds === 0
      ? []
      : [
          {
            weekday: Math.floor(cell / 24) + 1,
            hour: cell % 24,
            // Of what adds up, so much in an hour.
            mean: (sums[cell]! / coveredSeconds) * (total === "mean" ? 1 : hourSeconds),
            coveredSeconds,
          },
        ],
  );
}

/** The days of a zone that a grid touches, with the places of the grid that begin in each. */
function* daysOf(grid: Grid, timezone: string) {
  const length = grid.covered.length;
  if (length === 0) return;
  const placeOf = (at: number) => Math.min(length, Math.max(0, Math.ceil((at - grid.start) / grid.step)));
  const starts = dayStarts(timezone, grid.start, grid.start + length * grid.step);
  for (const [index, start] of starts.slice(0, -1).entries()) {
    const end = starts[index + 1]!;
    // Only on the two days of a year on which the clocks change do hours have to be asked for one by one.
    const isUsual = end - start === daySeconds;
    const wall = wallClock(start, timezone);
    yield {
      first: placeOf(start),
      end: placeOf(end),
      weekday: new Date(wall * 1000).getUTCDay() || 7,
      hourOf: (at: number) => Math.floor(((isUsual ? wall + at - start : wallClock(at, timezone)) % daySeconds) / hourSeconds),
    };
  }
}

/** What so many percent of the time do not exceed, from 0 to 100. */
export function durationOf(grid: Grid): Pick<TrendDuration, "percentiles" | "coveredSeconds"> {
  const places = [...grid.covered.keys()].filter((index) => grid.covered[index]! > 0).toSorted((a, b) => grid.mean[a]! - grid.mean[b]!);
  const coveredSeconds = places.reduce((sum, index) => sum + grid.covered[index]!, 0);
  if (places.length === 0) return { percentiles: [], coveredSeconds: 0 };
  const percentiles: number[] = [];
  let passed = 0;
  for (const index of places) {
    passed += grid.covered[index]!;
    while (percentiles.length <= 100 && passed >= (coveredSeconds * percentiles.length) / 100) percentiles.push(grid.mean[index]!);
  }
  // Sums of fractions may end a hair before the whole.
  while (percentiles.length <= 100) percentiles.push(grid.mean[places.at(-1)!]!);
  return { percentiles, coveredSeconds };
}

/** The times at which both have data. */
export function scatterOf(x: Grid, y: Grid, bounds: ArrayLike<number>, totals: readonly ["mean" | "sum", "mean" | "sum"]) {
  const [xs, ys] = [joinInto(x, bounds, totals[0]), joinInto(y, bounds, totals[1])];
  const yAt = new Map(ys.timestamps.map((at, index) => [at, ys.mean[index]!]));
  const both = [...xs.timestamps.entries()].filter(([, at]) => yAt.has(at));
  return { timestamps: both.map(([, at]) => at), x: both.map(([index]) => xs.mean[index]!), y: both.map(([, at]) => yAt.get(at)!) };
}

/** Of each day for which there is anything. @param sums grids of the same days */
export function machineDays(sums: { energy: Grid; running: Grid; starts: Grid }, timezone: string, rateCents: number | null): TrendDay[] {
  const at = ({ covered, mean }: Grid, index: number) => (covered[index]! > 0 ? mean[index]! : null);
  return [...sums.energy.covered.keys()].flatMap((index) => {
    const energyKwh = at(sums.energy, index);
    const runSeconds = at(sums.running, index);
    const starts = at(sums.starts, index);
    if (energyKwh === null && runSeconds === null && starts === null) return [];
    const timestamp = beginOf(sums.energy, index);
    const day: TrendDay = {
      date: new Date(wallClock(timestamp, timezone) * 1000).toISOString().slice(0, 10),
      timestamp,
      lengthSeconds: beginOf(sums.energy, index + 1) - timestamp,
      energyKwh,
      costCents: energyKwh === null || rateCents === null ? null : energyKwh * rateCents,
      runSeconds,
      starts,
    };
    return [day];
  });
}
