import { quantityOf, type Quantity } from "@busbar/contract/telemetry/quantities.ts";
import type { TrendDay, TrendDuration, TrendProfile, Trends, TrendScatter, TrendSeries } from "@busbar/contract/telemetry/trends.ts";
import type { Pool } from "pg";
import { quarterSeconds } from "#lib/quarters.ts";
import { lookBackSeconds } from "#shared/trend-marks.store.ts";
import { gatherReads } from "./gathered-reads.ts";
import { addGrid, coveredSecondsOf, joinInto, keepWithin, secondsOnlyIn, type Grid } from "./grid.ts";
import { durationOf, machineDays, profileOf, scatterOf } from "./machine-views.ts";
import { channelsOf } from "./node-channels.ts";
import { loadDays, loadMinutes, loadQuarters, wholeSteps, type Grids } from "./node-grids.ts";
import type { PlaceInRange } from "./place-in-range.ts";
import { figuresOf, sumOf } from "./range-figures.ts";
import type { ScalarColumns } from "./scalar-columns.ts";
import { scalarValues } from "./scalar-quantities.ts";
import { createTrendAggregatesStore, type NodeBounds } from "./trend-aggregates.store.ts";
import { limitsOf } from "./trend-limits.ts";
import { boundsOf, chooseStep, partsOf, resolutionOf, type Range, type TrendRange, type TrendStep } from "./trend-steps.ts";
import { createTrendsReadModel, type TrendNodeRow } from "./trends.read-model.ts";

/** A node while it was at the place, epoch seconds, each from one up to before another. */
export interface Stays {
  row: TrendNodeRow;
  windows: PlaceInRange["windows"];
}
export interface AskedNode {
  row: TrendNodeRow;
  place: PlaceInRange;
  /** The node itself, and those that were there before it. */
  nodes: Stays[];
}
export interface Asked extends AskedNode {
  quantity: Quantity;
  step: TrendStep;
}
interface Loaded extends Asked {
  grid: Grid;
  scalars: StayScalars[];
}
type StayScalars = Stays & { scalars: ScalarColumns };

const noneKept = { raw: Infinity, minute: Infinity };
export const machineSums = ["kwh", "runningSeconds", "startCount"].map((id) => quantityOf(id)!);

export type TrendWork = ReturnType<typeof createTrendWork>;

/** Reads what is asked for and makes the answer's numbers of it. It runs in a thread: see `trend-work.thread.ts`. */
export function createTrendWork(pool: Pool) {
  const store = gatherReads(createTrendAggregatesStore(pool));
  const readModel = createTrendsReadModel(pool);

  /** What one node sent while it was at the place. */
  const loadStays = async (
    { row, windows }: Stays,
    { place, step }: Asked,
    quantities: readonly Quantity[],
    range: Range,
    bounds: NodeBounds,
  ): Promise<{ grids: Grids; scalars: StayScalars[] }> => {
    // Points are whole, also the first and the last one.
    const span = step.resolution === "day" ? range : wholeSteps(range, step.seconds);
    const [grids, [scalars]] = await Promise.all([
      step.resolution === "day"
        ? loadDays(pool, store, row, quantities, span, bounds, { locationId: place.placeId, timezone: place.timezone, windows })
        : step.resolution === "quarter"
          ? loadQuarters(pool, store, row, quantities, span, bounds)
          : loadMinutes(pool, store, row, quantities, span, bounds),
      step.resolution === "raw" ? readModel.scalars([{ serial: row.serial, from: range.from - lookBackSeconds, to: range.to }]) : [],
    ]);
    // Days are of the place already, also that of a move; a program does not see one that began before its customer had the place.
    if (step.resolution !== "day" || place.isProgram) for (const grid of grids.values()) keepWithin(grid, windows);
    return { grids, scalars: scalars ? [{ row, windows, scalars }] : [] };
  };

  /** What a series is made of: single scalars, or a grid of minutes, quarters of an hour or days. */
  const load = async (asked: readonly Asked[], range: Range): Promise<Loaded[]> => {
    const bounds = await store.bounds(pool, [...new Set(asked.flatMap(({ nodes }) => nodes.map(({ row }) => row.serial)))]);
    const keyOf = ({ row, step }: Asked) => `${row.serial} ${step.resolution} ${step.seconds}`;
    const groups = Map.groupBy(asked, keyOf);
    const loaded = new Map<string, { grids: Grids; scalars: StayScalars[] }>();
    await Promise.all(
      [...groups].map(async ([key, [first, ...rest]]) => {
        const quantities = [...new Set([first!, ...rest].map(({ quantity }) => quantity))];
        const [one, ...others] = await Promise.all(
          first!.nodes.map((node) => loadStays(node, first!, quantities, range, bounds.get(node.row.serial)!)),
        );
        const { grids } = one!;
        for (const other of others) for (const [quantity, grid] of other.grids) addGrid(grids.get(quantity)!, grid, quantity.total);
        loaded.set(key, { grids, scalars: [one!, ...others].flatMap(({ scalars }) => scalars) });
      }),
    );
    return asked.map((one) => {
      const { grids, scalars } = loaded.get(keyOf(one))!;
      return { ...one, grid: grids.get(one.quantity)!, scalars };
    });
  };

  /**
   * Some nodes send no scalars, and those that a lost connection took do not come later, as files do: quarters of an hour where they tell more.
   * @param share of what is known more finely, beyond which quarters that only data points know are worth more than it
   */
  const withData = async (series: readonly Loaded[], range: TrendRange, share: number): Promise<Loaded[]> => {
    const isLacking = ({ step, quantity, grid }: Loaded) => {
      const known = coveredSecondsOf(grid);
      return step.seconds < quarterSeconds && quantity.dataPoint !== null && range.to - range.from - known > share * known;
    };
    const lacking = series.filter(isLacking);
    if (lacking.length === 0) return [...series];
    const coarser = await load(
      lacking.map((one) => ({ ...one, step: chooseStep(range, { ...one.quantity, isInScalars: false }, one.row, noneKept) })),
      range,
    );
    return series.map((one) => {
      const other = coarser[lacking.indexOf(one)];
      return other && secondsOnlyIn(other.grid, one.grid) > share * coveredSecondsOf(one.grid) ? other : one;
    });
  };

  /** What the machine used and how it ran, of each node; whole days where it is about more than a month. */
  const sumsOf = async (asked: readonly Asked[], range: Range): Promise<Map<number, (number | null)[]>> => {
    const nodes = [...new Map(asked.map((one) => [one.row.serial, one])).values()];
    const parts = nodes.map(({ place }) => partsOf(range, place.timezone));
    const wanted = nodes.flatMap((node, index) =>
      parts[index]!.flatMap(({ span, step }) => machineSums.map((quantity) => ({ asked: { ...node, quantity, step }, span }))),
    );
    const totals = await Promise.all(
      [...Map.groupBy(wanted, ({ span }) => `${span.from} ${span.to}`).values()].map(async (group) => {
        const loaded = await load(
          group.map((each) => each.asked),
          group[0]!.span,
        );
        return loaded.map(({ row, quantity, grid }) => ({ serial: row.serial, quantity, sum: sumOf(grid) }));
      }),
    );
    return new Map(
      nodes.map(({ row }) => [
        row.serial,
        machineSums.map((quantity) =>
          totals
            .flat()
            .filter((each) => each.serial === row.serial && each.quantity === quantity)
            .reduce<number | null>((sum, each) => (each.sum === null ? sum : (sum ?? 0) + each.sum), null),
        ),
      ]),
    );
  };

  /** One series for a view of its machine. */
  const loadView = async (asked: Asked, range: TrendRange) => {
    const [one] = await withData(await load([asked], range), range, 0);
    const { row, place, quantity, step, grid } = one!;
    return {
      grid,
      quantity,
      head: { serialNumber: String(row.serial), quantity: quantity.id, timezone: place.timezone, resolution: step.resolution },
    };
  };

  return {
    /** @param now epoch seconds: what lies after it is not missing */
    async series(asked: readonly Asked[], range: TrendRange, now: number): Promise<Trends> {
      const [series, sums] = await Promise.all([load(asked, range).then((loaded) => withData(loaded, range, 1)), sumsOf(asked, range)]);
      return {
        fromTimestamp: range.from,
        toTimestamp: range.to,
        series: series.map((one) => present(one, sums.get(one.row.serial)!, range, now)),
      };
    },

    async profile(asked: Asked, range: TrendRange): Promise<TrendProfile> {
      const { grid, quantity, head } = await loadView(asked, range);
      return { ...head, hours: profileOf(grid, quantity.total, head.timezone) };
    },

    async duration(asked: Asked, range: TrendRange): Promise<TrendDuration> {
      const { grid, head } = await loadView(asked, range);
      return { ...head, ...durationOf(grid) };
    },

    async scatter(asked: readonly [Asked, Asked], range: TrendRange): Promise<TrendScatter> {
      // The coarser of both is what both have.
      const atOneStep = (each: readonly Asked[]) => {
        const seconds = Math.max(...each.map(({ step }) => step.seconds));
        return load(
          each.map((one) => ({ ...one, step: { resolution: resolutionOf(seconds), seconds } })),
          range,
        );
      };
      const alike = await atOneStep(asked);
      const fuller = await withData(alike, range, 0);
      const loaded = fuller.every((one, index) => one === alike[index]) ? alike : await atOneStep(fuller);
      const { seconds, resolution } = loaded[0]!.step;
      const [x, y] = loaded.map(({ grid }) => grid);
      const [first, second] = asked;
      const bounds = boundsOf(range, seconds, first.place.timezone);
      return {
        stepSeconds: seconds,
        resolution,
        ...scatterOf(x!, y!, bounds, [first.quantity.total, second.quantity.total]),
      };
    },

    /** Energy, time running and starts of each day. @param rateCents of a kilowatt hour, null: none is set */
    async days(asked: readonly Asked[], range: Range, rateCents: number | null): Promise<TrendDay[]> {
      const [energy, running, starts] = (await load(asked, range)).map(({ grid }) => grid);
      return machineDays({ energy: energy!, running: running!, starts: starts! }, asked[0]!.place.timezone, rateCents);
    },
  };
}

function present(
  { row, place, quantity, step, grid, scalars }: Loaded,
  sums: readonly (number | null)[],
  range: Range,
  now: number,
): TrendSeries {
  const { coveredSeconds, ...figures } = figuresOf(grid, quantity);
  const { windows: _windows, placeId: _id, isProgram: _program, ...words } = place;
  const expected = Math.min(range.to, now) - range.from;
  const [energyKwh = null, runSeconds = null, starts = null] = sums;
  const { covered: _covered, ...joined } = joinInto(grid, boundsOf(range, step.seconds, place.timezone), quantity.total);
  const points = step.resolution === "raw" ? rawPoints(scalars, quantity, range) : joined;
  return {
    serialNumber: String(row.serial),
    quantity: quantity.id,
    ...words,
    resolution: step.resolution,
    stepSeconds: step.seconds,
    timestamps: points.timestamps,
    minimum: rounded(points.minimum, quantity),
    mean: rounded(points.mean, quantity),
    maximum: rounded(points.maximum, quantity),
    completeness: expected <= 0 ? 0 : Math.min(1, coveredSeconds / expected),
    figures: { ...figures, energyKwh, runSeconds, starts },
    limits: limitsOf(quantity.id, row),
  };
}

/** Three decimals more than are worth reading: all of a float's make the answer three times as long. */
function rounded(values: readonly number[], { digits }: Quantity): number[] {
  const factor = 10 ** (digits + 3);
  return values.map((value) => Math.round(value * factor) / factor);
}

function rawPoints(stays: readonly StayScalars[], quantity: Quantity, { from }: Range) {
  const points = stays.flatMap(({ row, windows, scalars }) =>
    [...scalarValues(quantity.id, scalars, channelsOf(row)).entries()].flatMap(([index, value]) => {
      const at = scalars.at[index]!;
      const isShown = !Number.isNaN(value) && at >= from && windows.some(([begin, end]) => at >= begin && at < end);
      return isShown ? [{ at: Math.floor(at), value }] : [];
    }),
  );
  if (stays.length > 1) points.sort((a, b) => a.at - b.at);
  const values = points.map(({ value }) => value);
  return { timestamps: points.map(({ at }) => at), minimum: values, mean: values, maximum: values };
}
