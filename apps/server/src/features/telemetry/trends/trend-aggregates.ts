import { quantities } from "@busbar/contract/telemetry/quantities.ts";
import type { Db } from "#db/statement.ts";
import { zoneOrUtc } from "#lib/local-day.ts";
import { emptyGrid, preferFuller, type Grid } from "./grid.ts";
import { dayGrid, loadMinutes, loadQuarters, makeQuarters, putQuarters, startsOfMonth, type DayPlace } from "./node-grids.ts";
import { daysOfMonth, minutesOfHour, packPoints, quartersOfDay, unpackPoints, type PackedShape } from "./packed-points.ts";
import { scalarQuantities } from "./scalar-quantities.ts";
import { numberOf, quarterQuantities } from "./stored-quantities.ts";
import { firstDayOf, type NodeBounds, type PackedRow, type TrendAggregatesStore } from "./trend-aggregates.store.ts";
import { daySeconds } from "./trend-steps.ts";
import type { TrendNodeRow, TrendStayRow } from "./trends.read-model.ts";

const hourSeconds = 3600;
/** Of a run that makes aggregates nothing is stored yet: all of the hour is read. */
const readAll = { openHour: -Infinity };

/** An hour of a node's scalars by the minute. */
export async function makeHour(db: Db, store: TrendAggregatesStore, node: TrendNodeRow, hour: number): Promise<PackedRow[]> {
  const span = { from: hour * hourSeconds, to: (hour + 1) * hourSeconds };
  const grids = await loadMinutes(db, store, node, scalarQuantities, span, readAll);
  return [...grids].flatMap(([quantity, grid]) => packed(node.serial, hour, numberOf(quantity), grid, minutesOfHour));
}

/** A day of UTC of a node by the quarter of an hour, of its minutes and data points; what these have lost meanwhile stays. */
export async function makeDay(
  db: Db,
  store: TrendAggregatesStore,
  node: TrendNodeRow,
  day: number,
  bounds: Pick<NodeBounds, "openHour">,
): Promise<PackedRow[]> {
  const span = { from: day * daySeconds, to: (day + 1) * daySeconds };
  const grids = await makeQuarters(db, store, node, quarterQuantities, span, bounds);
  const known = await store.quarters(db, [node.serial], quarterQuantities.map(numberOf), day, day + 1);
  const pointsOf = new Map(known.map(({ quantity, points }) => [quantity, points]));
  return [...grids].flatMap(([quantity, grid]) => {
    const before = pointsOf.get(numberOf(quantity));
    if (before) {
      const stored = emptyGrid(span.from, span.to, grid.step);
      unpackPoints(before, quartersOfDay, stored, 0);
      preferFuller(grid, stored);
    }
    return packed(node.serial, day, numberOf(quantity), grid, quartersOfDay);
  });
}

/** A month of a node by the day, for each place that it was at. */
export async function makeMonth(
  db: Db,
  store: TrendAggregatesStore,
  node: TrendNodeRow,
  stays: readonly TrendStayRow[],
  month: number,
  bounds: NodeBounds,
): Promise<PackedRow[]> {
  const span = { from: (firstDayOf(month) - 1) * daySeconds, to: (firstDayOf(month + 1) + 1) * daySeconds };
  const quarters = await loadQuarters(db, store, node, quantities, span, bounds);
  const rows: PackedRow[] = [];
  for (const place of dayPlaces(stays)) {
    if (!place.windows.some(([from, to]) => from < span.to && to > span.from)) continue;
    const starts = startsOfMonth(month, place.timezone);
    for (const [quantity, grid] of quarters) {
      const days = dayGrid(starts);
      putQuarters(days, grid, quantity.total, place);
      for (const row of packed(node.serial, month, numberOf(quantity), days, daysOfMonth))
        rows.push({ ...row, locationId: place.locationId });
    }
  }
  return rows;
}

/** The places of a node with its stays at each; what came before its first stay counts for that. */
export function dayPlaces(stays: readonly TrendStayRow[]): DayPlace[] {
  if (stays.length === 0) return [{ locationId: 0, timezone: "UTC", windows: [[-Infinity, Infinity]] }];
  return [...Map.groupBy(stays, ({ locationId }) => locationId)].map(([locationId, own]) => ({
    locationId,
    timezone: zoneOrUtc(own.at(-1)!.timezone),
    windows: own.map(({ startedAt, endedAt, isFirst }) => [isFirst ? -Infinity : startedAt, endedAt ?? Infinity] as const),
  }));
}

function packed(serial: number, at: number, quantity: number, grid: Grid, shape: PackedShape): PackedRow[] {
  const points = packPoints(grid, 0, shape);
  return points === null ? [] : [{ serial, at, quantity, points }];
}
