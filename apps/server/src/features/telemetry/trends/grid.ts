import type { Quantity } from "@busbar/contract/telemetry/quantities.ts";

/** Equal times one after the other, each with what is known of a quantity in it. */
export interface Grid {
  /** When the first one begins, epoch seconds: a multiple of the step. */
  start: number;
  step: number;
  /** When each begins, where they are not equally long: days of a place. */
  starts?: ArrayLike<number>;
  /** Seconds of which there is data; 0: none. */
  covered: Float64Array;
  /** The mean, or what came together. */
  mean: Float64Array;
  minimum: Float64Array;
  maximum: Float64Array;
}

/** When a time of the grid begins. */
export const beginOf = ({ start, step, starts }: Grid, index: number): number => starts?.[index] ?? start + index * step;

export function emptyGrid(from: number, to: number, step: number): Grid {
  const start = Math.floor(from / step) * step;
  const length = Math.max(0, Math.ceil((to - start) / step));
  return {
    start,
    step,
    covered: new Float64Array(length),
    mean: new Float64Array(length),
    minimum: new Float64Array(length),
    maximum: new Float64Array(length),
  };
}

/** How long so many scalars of an interval stand for, within a time. */
export const coveredBy = (count: number, interval: number, step: number): number => Math.min(step, count * interval);

/** Puts values into the grid's times, in place of what was there. @param at epoch seconds in their order, @param interval between two values */
export function putValues(grid: Grid, at: Float64Array, values: Float64Array, { total, id }: Quantity, interval: number): void {
  const { start, step, covered, mean, minimum, maximum } = grid;
  let index = -1;
  let count = 0;
  let sum = 0;
  const end = () => {
    if (count === 0) return;
    covered[index] = coveredBy(count, interval, step);
    mean[index] = total === "mean" ? sum / count : id === "runningSeconds" ? (sum / count) * covered[index]! : sum;
    if (total === "sum") minimum[index] = maximum[index] = mean[index]!;
  };
  for (const [place, time] of at.entries()) {
    const value = values[place]!;
    const own = Math.floor((time - start) / step);
    if (Number.isNaN(value) || own < 0 || own >= covered.length) continue;
    if (own !== index) {
      end();
      [index, count, sum] = [own, 0, 0];
      minimum[own] = maximum[own] = value;
    }
    count++;
    sum += value;
    if (value < minimum[own]!) minimum[own] = value;
    if (value > maximum[own]!) maximum[own] = value;
  }
  end();
}

export function coveredSecondsOf({ covered }: Grid): number {
  let sum = 0;
  for (let index = 0; index < covered.length; index++) sum += covered[index]!;
  return sum;
}

/** Seconds of a coarser grid in whose times a finer one has nothing. */
export function secondsOnlyIn(coarser: Grid, finer: Grid): number {
  const placeOf = (index: number) => Math.floor((beginOf(finer, index) - coarser.start) / coarser.step);
  const known = new Set([...finer.covered.keys()].flatMap((index) => (finer.covered[index] === 0 ? [] : [placeOf(index)])));
  return coarser.covered.reduce((sum, seconds, place) => (known.has(place) ? sum : sum + seconds), 0);
}

/** Takes over what another grid of such times knows more of. */
export function preferFuller(grid: Grid, other: Grid): void {
  const offset = grid.starts ? 0 : Math.round((other.start - grid.start) / grid.step);
  for (const [index, seconds] of other.covered.entries()) {
    const own = index + offset;
    if (own < 0 || own >= grid.covered.length || seconds <= grid.covered[own]!) continue;
    grid.covered[own] = seconds;
    grid.mean[own] = other.mean[index]!;
    grid.minimum[own] = other.minimum[index]!;
    grid.maximum[own] = other.maximum[index]!;
  }
}

/** Adds what another grid of the same times has: of a place whose nodes were replaced. */
export function addGrid(grid: Grid, other: Grid, total: Quantity["total"]): void {
  for (const [index, seconds] of other.covered.entries()) {
    if (seconds === 0) continue;
    const own = grid.covered[index]!;
    const [mean, minimum, maximum] = [other.mean[index]!, other.minimum[index]!, other.maximum[index]!];
    const isAlone = own === 0;
    grid.minimum[index] = isAlone ? minimum : Math.min(grid.minimum[index]!, minimum);
    grid.maximum[index] = isAlone ? maximum : Math.max(grid.maximum[index]!, maximum);
    grid.mean[index] = isAlone
      ? mean
      : total === "sum"
        ? grid.mean[index]! + mean
        : (grid.mean[index]! * own + mean * seconds) / (own + seconds);
    grid.covered[index] = own + seconds;
    if (total === "sum") grid.minimum[index] = grid.maximum[index] = grid.mean[index];
  }
}

/** Puts minutes together into a grid of longer times, in place of what was there. @param interval seconds between two scalars */
export function putMinutes(grid: Grid, minutes: Grid, total: Quantity["total"], interval: number): void {
  // Of a node that sends less than once a minute a minute stands for the whole interval.
  const each = Math.max(1, interval / minutes.step);
  const { timestamps, mean, minimum, maximum, covered } = joinInto(minutes, stepBounds(grid), total);
  for (const [index, at] of timestamps.entries()) {
    const place = (at - grid.start) / grid.step;
    grid.covered[place] = Math.min(grid.step, covered[index]! * each);
    grid.mean[place] = mean[index]!;
    grid.minimum[place] = minimum[index]!;
    grid.maximum[place] = maximum[index]!;
  }
}

const stepBounds = ({ start, step, covered }: Grid) => Array.from({ length: covered.length + 1 }, (_, index) => start + index * step);

/** Takes out what is not wholly within one of the times. @param windows epoch seconds, each from one up to before another */
export function keepWithin(grid: Grid, windows: readonly (readonly [number, number])[]): void {
  const { covered } = grid;
  const [first, last] = [beginOf(grid, 0), beginOf(grid, covered.length)];
  // Hardly ever does a node move.
  if (windows.some(([from, to]) => first >= from && last <= to)) return;
  for (const index of covered.keys()) {
    if (covered[index] === 0) continue;
    const [begin, end] = [beginOf(grid, index), beginOf(grid, index + 1)];
    if (!windows.some(([from, to]) => begin >= from && end <= to)) covered[index] = 0;
  }
}

/** Joins times into longer ones: those of the boundaries, each up to before the next one. */
export function joinInto(grid: Grid, bounds: ArrayLike<number>, total: Quantity["total"]) {
  const points = {
    timestamps: [] as number[],
    minimum: [] as number[],
    mean: [] as number[],
    maximum: [] as number[],
    covered: [] as number[],
  };
  const first = bounds[0] ?? Infinity;
  let index = 0;
  while (index < grid.covered.length && beginOf(grid, index) < first) index++;
  // Variables of the loop itself: those that a function of its own shares would be objects, one made by each addition.
  for (let place = 0; place + 1 < bounds.length; place++) {
    const until = bounds[place + 1]!;
    let [covered, sum, low, high] = [0, 0, Infinity, -Infinity];
    for (; index < grid.covered.length && beginOf(grid, index) < until; index++) {
      const own = grid.covered[index]!;
      if (own === 0) continue;
      covered += own;
      sum += total === "mean" ? grid.mean[index]! * own : grid.mean[index]!;
      if (grid.minimum[index]! < low) low = grid.minimum[index]!;
      if (grid.maximum[index]! > high) high = grid.maximum[index]!;
    }
    if (covered === 0) continue;
    points.timestamps.push(bounds[place]!);
    points.covered.push(covered);
    points.mean.push(total === "mean" ? sum / covered : sum);
    // Of what adds up, the whole is the only amount of this time.
    points.minimum.push(total === "mean" ? low : sum);
    points.maximum.push(total === "mean" ? high : sum);
  }
  return points;
}
