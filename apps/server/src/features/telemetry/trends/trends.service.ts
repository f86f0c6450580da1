import { quantityOf, type Quantity } from "@busbar/contract/telemetry/quantities.ts";
import {
  mostTrendMarks,
  type SeriesName,
  type TrendDay,
  type TrendDuration,
  type TrendMark,
  type TrendProfile,
  type Trends,
  type TrendScatter,
} from "@busbar/contract/telemetry/trends.ts";
import { keptMinuteDays } from "#db/trend-partitions.ts";
import type { Clock } from "#lib/clock.ts";
import { invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { asSetIn, placeInRange, seenBy, windowsOf } from "./place-in-range.ts";
import type { TrendMarksReadModel } from "./trend-marks.read-model.ts";
import {
  chooseStep,
  daySeconds,
  dayStep,
  minuteSeconds,
  type KeptFrom,
  type Range,
  type TrendRange,
  type TrendStep,
} from "./trend-steps.ts";
import { machineSums, type Asked, type AskedNode, type Stays, type TrendWork } from "./trend-work.ts";
import type { TrendNodeRow, TrendsReadModel } from "./trends.read-model.ts";

export interface TrendsDependencies {
  work: TrendWork;
  readModel: TrendsReadModel;
  clock: Clock;
  marks: TrendMarksReadModel;
  /** Days for which scalars are kept. */
  keptScalarDays: () => Promise<number>;
  /** Dollars for a kilowatt hour; 0: none is set. */
  energyRate: () => Promise<number>;
}

type TrendDays = { serialNumber: string; timezone: string; rateCents: number | null; days: TrendDay[] };

/** A fortnight of minutes; of more, quarters of an hour are enough for a view. */
const mostViewPoints = 20_160;

export type TrendsService = ReturnType<typeof createTrends>;

/** Who may see what of which place, and with which resolution; the rest is the work of a thread. */
export function createTrends({ work, readModel, marks, clock, keptScalarDays, energyRate }: TrendsDependencies) {
  /** @throws AppError 404 for a node that is not there, or not for this customer's programs */
  const findNodes = async (
    serials: readonly number[],
    range: { from: number; to: number },
    customerId: number | undefined,
  ): Promise<Map<number, AskedNode>> => {
    const [stays, before] = await Promise.all([readModel.stays(serials), readModel.staysBefore(serials)]);
    const rows = await readModel.nodes([...new Set([...serials, ...before.map(({ serial }) => serial)])]);
    const rowOf = new Map(rows.map((row) => [row.serial, row]));
    return new Map(
      serials.map((serial) => {
        const now = rowOf.get(serial);
        const own = stays.filter((stay) => stay.serial === serial);
        const found = now && placeInRange(own, range, customerId);
        if (!found) throw notFound(say`Node ${serial}`);
        const { place, stay } = found;
        const row = asSetIn(stay, now);
        const earlier = before.filter((stay) => stay.before === serial && stay.locationId === place.placeId);
        const nodes = [...Map.groupBy(earlier, (stay) => stay.serial)].flatMap(([other, theirs]): Stays[] => {
          const seen = seenBy(theirs, customerId);
          const [otherNow, windows] = [rowOf.get(other), windowsOf(seen, range, customerId)];
          return otherNow && windows.length > 0 ? [{ row: asSetIn(seen.at(-1), otherNow), windows }] : [];
        });
        return [serial, { row, place, nodes: [...nodes, { row, windows: place.windows }] }];
      }),
    );
  };

  const now = () => Math.floor(clock.now() / 1000);

  /** Series as they are asked for, each with the step that `stepOf` gives it. */
  const gather = async (
    names: readonly (SeriesName & { field?: string })[],
    range: Range,
    customerId: number | undefined,
    stepOf: (quantity: Quantity, row: TrendNodeRow, kept: KeptFrom) => TrendStep,
  ): Promise<Asked[]> => {
    const wanted = names.map(({ serialNumber, quantity: id, field = "series" }) => {
      const quantity = quantityOf(id);
      if (!quantity) throw invalid(field, say`there is no quantity ${id}`);
      return { serial: Number(serialNumber), quantity };
    });
    const nodes = await findNodes([...new Set(wanted.map(({ serial }) => serial))], range, customerId);
    const kept = { raw: now() - (await keptScalarDays()) * daySeconds, minute: now() - keptMinuteDays * daySeconds };
    return wanted.map(({ serial, quantity }): Asked => {
      const node = nodes.get(serial)!;
      return { ...node, quantity, step: stepOf(quantity, node.row, kept) };
    });
  };

  /** One series for a view of its machine, as finely as it is kept over some days, by quarters of an hour over more. */
  const gatherOne = async (name: SeriesName, range: Range, customerId: number | undefined): Promise<[Asked, TrendRange]> => {
    const views = { ...range, points: mostViewPoints };
    const [one] = await gather([name], range, customerId, (quantity, row, kept) => asGrid(chooseStep(views, quantity, row, kept)));
    return [one!, views];
  };

  return {
    /**
     * @param customerId of a customer's program
     * @throws AppError 400 for a quantity that there is not, 404 for a node that there is not or that is not the customer's
     */
    async series(names: readonly SeriesName[], range: TrendRange, customerId: number | undefined): Promise<Trends> {
      const asked = await gather(names, range, customerId, (quantity, row, kept) => chooseStep(range, quantity, row, kept));
      return await work.series(asked, range, now());
    },

    async marks(serials: readonly number[], range: Range): Promise<{ marks: TrendMark[]; isCut: boolean }> {
      const unknown = await marks.unknownNode(serials);
      if (unknown !== undefined) throw notFound(say`Node ${unknown}`);
      const [ofNodes, absences] = await Promise.all([marks.ofNodes(serials, range), marks.absences(range, now())]);
      const all = [...ofNodes, ...absences].toSorted((a, b) => a.timestamp - b.timestamp);
      return { marks: all.slice(-mostTrendMarks), isCut: all.length > mostTrendMarks };
    },

    async profile(name: SeriesName, range: Range, customerId: number | undefined): Promise<TrendProfile> {
      return await work.profile(...(await gatherOne(name, range, customerId)));
    },

    async duration(name: SeriesName, range: Range, customerId: number | undefined): Promise<TrendDuration> {
      return await work.duration(...(await gatherOne(name, range, customerId)));
    },

    async scatter(xName: SeriesName, yName: SeriesName, range: TrendRange, customerId: number | undefined): Promise<TrendScatter> {
      const [x, y] = await gather(
        [
          { ...xName, field: "x" },
          { ...yName, field: "y" },
        ],
        range,
        customerId,
        (quantity, row, kept) => asGrid(chooseStep(range, quantity, row, kept)),
      );
      return await work.scatter([x!, y!], range);
    },

    async days(serial: number, range: Range, customerId: number | undefined): Promise<TrendDays> {
      const names = machineSums.map(({ id }) => ({ serialNumber: String(serial), quantity: id, field: "node" }));
      const asked = await gather(names, range, customerId, () => dayStep);
      const rate = await energyRate();
      const rateCents = rate > 0 ? Number((rate * 100).toPrecision(12)) : null;
      const { timezone } = asked[0]!.place;
      return { serialNumber: String(serial), timezone, rateCents, days: await work.days(asked, range, rateCents) };
    },
  };
}

/** Of views, whose points are not drawn: single scalars are joined into minutes. */
const asGrid = (step: TrendStep): TrendStep => (step.resolution === "raw" ? { resolution: "minute", seconds: minuteSeconds } : step);
