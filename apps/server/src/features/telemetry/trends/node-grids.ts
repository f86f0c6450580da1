import type { Quantity } from "@busbar/contract/telemetry/quantities.ts";
import { wallClock } from "@busbar/contract/values/local-time.ts";
import type { Db } from "#db/statement.ts";
import { quarterSeconds } from "#lib/quarters.ts";
import { lookBackSeconds } from "#shared/trend-marks.store.ts";
import { emptyGrid, joinInto, keepWithin, preferFuller, putMinutes, putValues, type Grid } from "./grid.ts";
import { channelsOf } from "./node-channels.ts";
import { daysOfMonth, minutesOfHour, quartersOfDay, unpackPoints } from "./packed-points.ts";
import { scalarValues } from "./scalar-quantities.ts";
import { isHarmonic, numberOf, quantityOfNumber } from "./stored-quantities.ts";
import { firstDayOf, monthOfDay, type NodeBounds, type PackedRow, type TrendAggregatesStore } from "./trend-aggregates.store.ts";
import { daySeconds, dayStarts, minuteSeconds } from "./trend-steps.ts";
import { keysOf, readDataPoints, readScalars, type DataPointColumns, type TrendNodeRow } from "./trends.read-model.ts";

const hourSeconds = 3600;

/** Epoch seconds, from one up to before another. */
export interface Span {
  from: number;
  to: number;
}

export type Grids = Map<Quantity, Grid>;
type Store = Pick<TrendAggregatesStore, "minutes" | "quarters" | "days">;

const gridsOf = (quantities: readonly Quantity[], { from, to }: Span, step: number): Grids =>
  new Map(quantities.map((quantity) => [quantity, emptyGrid(from, to, step)]));

function unpackRows(
  rows: readonly PackedRow[],
  grids: Grids,
  shape: typeof minutesOfHour,
  firstOf: (row: PackedRow, grid: Grid) => number,
) {
  for (const row of rows) {
    const quantity = quantityOfNumber(row.quantity);
    const grid = quantity && grids.get(quantity);
    if (grid) unpackPoints(row.points, shape, grid, firstOf(row, grid));
  }
}

/** A node's quantities of scalars by the minute: as they are stored, and of scalars from the first hour on that is not made of all of them. */
export async function loadMinutes(
  db: Db,
  store: Store,
  node: TrendNodeRow,
  quantities: readonly Quantity[],
  span: Span,
  { openHour }: Pick<NodeBounds, "openHour">,
): Promise<Grids> {
  const ofScalars = quantities.filter(({ isInScalars }) => isInScalars);
  const grids = gridsOf(ofScalars, span, minuteSeconds);
  if (ofScalars.length === 0 || span.from >= span.to) return grids;
  const rawFrom = Math.max(span.from, openHour * hourSeconds);
  const [hours, scalars] = await Promise.all([
    store.minutes(db, [node.serial], ofScalars.map(numberOf), Math.floor(span.from / hourSeconds), Math.ceil(span.to / hourSeconds)),
    rawFrom < span.to
      ? readScalars(db, [{ serial: node.serial, from: rawFrom - lookBackSeconds, to: Math.ceil(span.to / minuteSeconds) * minuteSeconds }])
      : [],
  ]);
  unpackRows(hours, grids, minutesOfHour, ({ at }, { start }) => (at * hourSeconds - start) / minuteSeconds);
  const [columns] = scalars;
  if (!columns || columns.at.length === 0) return grids;
  for (const [quantity, stored] of grids) {
    const fresh = emptyGrid(span.from, span.to, minuteSeconds);
    putValues(fresh, columns.at, scalarValues(quantity.id, columns, channelsOf(node)), quantity, node.scalarInterval);
    // What was read only for its last scalar says nothing of its own minutes.
    keepWithin(fresh, [[Math.floor(rawFrom / minuteSeconds) * minuteSeconds, Infinity]]);
    // Scalars go long before their minutes: of what is left of them no minute becomes emptier.
    preferFuller(fresh, stored);
    grids.set(quantity, fresh);
  }
  return grids;
}

/** Quarters of an hour that are not stored: of minutes and of data points. */
export async function makeQuarters(
  db: Db,
  store: Store,
  node: TrendNodeRow,
  quantities: readonly Quantity[],
  span: Span,
  bounds: Pick<NodeBounds, "openHour">,
): Promise<Grids> {
  const grids = gridsOf(quantities, span, quarterSeconds);
  if (quantities.length === 0 || span.from >= span.to) return grids;
  const whole = wholeSteps(span, quarterSeconds);
  const [minutes, points] = await Promise.all([
    loadMinutes(db, store, node, quantities, whole, bounds),
    readDataPoints(db, { serial: node.serial, ...whole }, [...new Set(quantities.flatMap(keysOf))]),
  ]);
  for (const [quantity, grid] of grids) {
    const own = minutes.get(quantity);
    // What the node added up itself, second by second, is nearer to the truth than what follows from its scalars.
    if (quantity.total === "mean") putPoints(grid, points, quantity);
    if (own) putMinutes(grid, own, quantity.total, node.scalarInterval);
    if (quantity.total === "sum") putPoints(grid, points, quantity);
  }
  return grids;
}

export const wholeSteps = ({ from, to }: Span, step: number): Span => ({
  from: Math.floor(from / step) * step,
  to: Math.ceil(to / step) * step,
});

/** A node's quantities by the quarter of an hour, as they are stored and where they are not. */
export async function loadQuarters(
  db: Db,
  store: Store,
  node: TrendNodeRow,
  quantities: readonly Quantity[],
  span: Span,
  bounds: NodeBounds,
): Promise<Grids> {
  const grids = gridsOf(quantities, span, quarterSeconds);
  const stored = quantities.filter((quantity) => !isHarmonic(quantity));
  const first = Math.max(Math.floor(span.from / daySeconds), bounds.filledFromDay);
  const end = Math.max(first, Math.min(Math.ceil(span.to / daySeconds), bounds.openDay));
  const spans = [
    { from: span.from, to: Math.min(span.to, first * daySeconds) },
    { from: Math.max(span.from, end * daySeconds), to: span.to },
  ].filter(({ from, to }) => from < to);
  const [rows, harmonics, ...made] = await Promise.all([
    first < end && stored.length > 0 ? store.quarters(db, [node.serial], stored.map(numberOf), first, end) : [],
    makeQuarters(db, store, node, quantities.filter(isHarmonic), span, bounds),
    ...spans.map((each) => makeQuarters(db, store, node, stored, each, bounds)),
  ]);
  unpackRows(rows, grids, quartersOfDay, ({ at }, { start }) => (at * daySeconds - start) / quarterSeconds);
  for (const part of [harmonics, ...made]) for (const [quantity, grid] of part) preferFuller(grids.get(quantity)!, grid);
  return grids;
}

/** Puts data points into the quarters of an hour in which they begin, in place of what was there. */
function putPoints(grid: Grid, { at, interval, values }: DataPointColumns, { dataPoint }: Quantity): void {
  const means = dataPoint && values.get(dataPoint.mean);
  if (!means) return;
  const extremes = (key: string | null) => (key === null ? means : (values.get(key) ?? means));
  const [low, high] = [extremes(dataPoint.minimum), extremes(dataPoint.maximum)];
  for (const [index, time] of at.entries()) {
    const value = means[index]!;
    const place = Math.floor((time - grid.start) / grid.step);
    if (!Number.isFinite(value) || place < 0 || place >= grid.covered.length) continue;
    grid.covered[place] = interval[index]!;
    grid.mean[place] = value;
    grid.minimum[place] = Number.isFinite(low[index]) ? low[index]! : value;
    grid.maximum[place] = Number.isFinite(high[index]) ? high[index]! : value;
  }
}

/** Where a node was, for its days. */
export interface DayPlace {
  locationId: number;
  timezone: string;
  windows: readonly (readonly [number, number])[];
}

/** A grid whose times are the days of a zone that begin at these starts; the last start is where the last day ends. */
export function dayGrid(starts: readonly number[]): Grid {
  const grid = emptyGrid(0, (starts.length - 1) * daySeconds, daySeconds);
  return { ...grid, start: starts[0]!, starts };
}

/** Puts quarters of an hour of one place together into its days. */
export function putQuarters(days: Grid, quarters: Grid, total: Quantity["total"], { windows }: DayPlace): void {
  const own = { ...quarters, covered: quarters.covered.slice() };
  keepWithin(own, windows);
  const { timestamps, covered, mean, minimum, maximum } = joinInto(own, days.starts!, total);
  let place = 0;
  for (const [index, at] of timestamps.entries()) {
    while (days.starts![place]! < at) place++;
    days.covered[place] = covered[index]!;
    days.mean[place] = mean[index]!;
    days.minimum[place] = minimum[index]!;
    days.maximum[place] = maximum[index]!;
  }
}

/** The local date of a moment, as days counted from 1970. */
export const localDate = (at: number, timezone: string): number => Math.floor(wallClock(at, timezone) / daySeconds);

/** Starts of the local days of a month, and where the last one ends. */
export function startsOfMonth(month: number, timezone: string): number[] {
  const [first, end] = [firstDayOf(month), firstDayOf(month + 1)];
  const starts = dayStarts(timezone, (first - 1) * daySeconds, (end + 1) * daySeconds);
  return starts.filter((start) => localDate(start, timezone) >= first && localDate(start, timezone) <= end);
}

/** A node's quantities by the day of a place: whole days, however little of the first and the last one is asked for. */
export async function loadDays(
  db: Db,
  store: Store,
  node: TrendNodeRow,
  quantities: readonly Quantity[],
  span: Span,
  bounds: NodeBounds,
  place: DayPlace,
): Promise<Grids> {
  const starts = dayStarts(place.timezone, span.from, span.to);
  const firstDate = localDate(starts[0]!, place.timezone);
  const endDate = firstDate + starts.length - 1;
  const grids: Grids = new Map(quantities.map((quantity) => [quantity, dayGrid(starts)]));
  const filledFrom = bounds.filledFromDay < 0 ? -Infinity : monthOfDay(bounds.filledFromDay + 1) + 1;
  const firstMonth = Math.max(monthOfDay(firstDate), filledFrom);
  const endMonth = Math.max(firstMonth, Math.min(monthOfDay(endDate - 1) + 1, bounds.openMonth));
  const atDate = (date: number) => starts[Math.min(Math.max(date - firstDate, 0), starts.length - 1)]!;
  const spans = [
    { from: starts[0]!, to: atDate(firstDayOf(firstMonth)) },
    { from: atDate(firstDayOf(endMonth)), to: starts.at(-1)! },
  ].filter(({ from, to }) => from < to);
  const [rows, ...parts] = await Promise.all([
    firstMonth < endMonth ? store.days(db, node.serial, place.locationId, quantities.map(numberOf), firstMonth, endMonth) : [],
    ...spans.map((each) => loadQuarters(db, store, node, quantities, each, bounds)),
  ]);
  unpackRows(rows, grids, daysOfMonth, ({ at }) => firstDayOf(at) - firstDate);
  for (const part of parts)
    for (const [quantity, quarters] of part) {
      const days = dayGrid(starts);
      putQuarters(days, quarters, quantity.total, place);
      preferFuller(grids.get(quantity)!, days);
    }
  return grids;
}
