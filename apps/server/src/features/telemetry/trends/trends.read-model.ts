import type { Quantity } from "@busbar/contract/telemetry/quantities.ts";
import type { Pool } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { planned, prepared, type Db } from "#db/statement.ts";
import { packedColumns, readPackedNumbers, readScalarColumns, type PackedScalars, type ScalarColumns } from "./scalar-columns.ts";

/** A node as it is set for the place where it is, or was when its stay there ended. */
export interface TrendNodeRow {
  serial: number;
  scalarInterval: number;
  dataInterval: number;
  activeVoltages: boolean[];
  activeCurrents: boolean[];
  isDirect: boolean;
  /** As the node last reported them. */
  vNoise: string | null;
  iNoise: string | null;
  npVoltage: number | null;
  npCurrent: number | null;
  npHp: number | null;
  /** null where it is not known how they were. */
  thresholds: TrendThresholds | null;
}

/** In percent. */
interface TrendThresholds {
  voltageImbalance: number;
  currentImbalance: number;
  voltageThd: number;
  currentThd: number;
  overVoltage: number;
  underVoltage: number;
  shortTermOverCurrent: number;
  longTermOverCurrent: number;
}

/** A stay of a node at a place. Times in epoch seconds. */
export interface TrendStayRow {
  serial: number;
  locationId: number;
  /** Whose the place was then; null where it is not known any more. */
  customerId: number | null;
  customerName: string;
  facilityName: string;
  locationName: string;
  isPlaceThere: boolean;
  timezone: string | null;
  startedAt: number;
  endedAt: number | null;
  /** It was nowhere else before, and no other node here: what it sent before may be of here. */
  isFirst: boolean;
  /** How the node was set when the stay ended; null while it lasts, and where no one knows. */
  settings: TrendNodeRow | null;
}

/** Some node over a time, epoch seconds. */
export interface Stretch {
  serial: number;
  from: number;
  to: number;
}

/** Data points of a node, the oldest first, column by column. */
export interface DataPointColumns {
  at: Float64Array;
  interval: Float64Array;
  /** By key; NaN where a point has no such value. */
  values: ReadonlyMap<string, Float64Array>;
}

const stayColumns = `p.serial_number as serial, p.location_id as "locationId", p.customer_id as "customerId",
  coalesce(c.name, p.customer_name) as "customerName", case when p.ended_at is null then f.name else p.facility_name end as "facilityName",
  coalesce(l.name, p.location_name) as "locationName", l.id is not null as "isPlaceThere", coalesce(l.timezone, p.timezone) as timezone,
  ${exactEpoch("p.started_at")} as "startedAt", ${exactEpoch("p.ended_at")} as "endedAt",
  not exists (select from node_placement e where e.serial_number = p.serial_number and e.id < p.id)
    and not exists (select from node_placement e where e.location_id = p.location_id and e.slot = p.slot and e.id < p.id) as "isFirst", p.settings`;
const stayPlaces = `left join location l on l.id = p.location_id left join facility f on f.id = l.facility_id
  left join customer c on c.id = p.customer_id`;

const stretches = (all: readonly Stretch[]) => [all.map(({ serial }) => serial), all.map(({ from }) => from), all.map(({ to }) => to)];

/** Scalars of each stretch, in the order of the stretches. */
export async function readScalars(db: Db, all: readonly Stretch[]): Promise<ScalarColumns[]> {
  const rows = await prepared<PackedScalars>(db, "trend-scalars", stretches(all))`
    select p.* from unnest($1::int4[], $2::float8[], $3::float8[]) with ordinality as w (serial, since, until, place)
    cross join lateral (select ${packedColumns} from (select * from scalar where serial_number = w.serial
      and ts >= to_timestamp(w.since) and ts < to_timestamp(w.until) order by ts) s) p order by place`;
  return rows.map(readScalarColumns);
}

/** Keys of the data points that a quantity is taken from. */
export const keysOf = ({ dataPoint }: Quantity): string[] =>
  dataPoint === null ? [] : [dataPoint.mean, dataPoint.minimum, dataPoint.maximum].filter((key) => key !== null);

export async function readDataPoints(db: Db, { serial, from, to }: Stretch, keys: readonly string[]): Promise<DataPointColumns> {
  const packed = keys.map((_, index) => `array_send(array_agg(k${index})) as "${index}"`);
  // One look at each record for all keys: every other way unpacks it again for each of them.
  const rows = await planned<Record<string, Buffer | null>>(db, "trend-data-points", [serial, from, to])`
    select array_send(array_agg(${exactEpoch("ts")})) as at, array_send(array_agg(interval_seconds::float8)) as interval
      ${packed.map((each) => `, ${each}`).join("")}
    from (select ts, interval_seconds ${keys.map((key, index) => `, r."${key}" as k${index}`).join("")} from sensor_data
      ${keys.length === 0 ? "" : `cross join lateral jsonb_to_record(data) as r (${keys.map((key) => `"${key}" float8`).join(", ")})`}
      where serial_number = $1 and ts >= to_timestamp($2) and ts < to_timestamp($3) order by ts) d`;
  const read = (name: string) => readPackedNumbers(rows[0]?.[name] ?? null);
  return { at: read("at"), interval: read("interval"), values: new Map(keys.map((key, index) => [key, read(String(index))])) };
}

export type TrendsReadModel = ReturnType<typeof createTrendsReadModel>;

export function createTrendsReadModel(pool: Pool) {
  return {
    /** As they are now. */
    async nodes(serials: readonly number[]): Promise<TrendNodeRow[]> {
      return await prepared<TrendNodeRow>(pool, "trend-nodes", [serials])`
        select * from node_trend_settings where serial = any ($1::int4[])`;
    },

    /** Each node's oldest first. */
    async stays(serials: readonly number[]): Promise<TrendStayRow[]> {
      return await prepared<TrendStayRow>(pool, "trend-stays", [serials])`
        select ${stayColumns} from node_placement p ${stayPlaces} where p.serial_number = any ($1::int4[]) order by p.serial_number, p.id`;
    },

    /** Stays of other nodes where these are now, before them. */
    async staysBefore(serials: readonly number[]): Promise<(TrendStayRow & { before: number })[]> {
      return await prepared<TrendStayRow & { before: number }>(pool, "trend-stays-before", [serials])`
        select o.serial_number as before, ${stayColumns} from node_placement o
          join node_placement p on p.location_id = o.location_id and p.slot = o.slot and p.serial_number <> o.serial_number
          ${stayPlaces}
        where o.serial_number = any ($1::int4[]) and o.ended_at is null order by p.id`;
    },

    scalars: (all: readonly Stretch[]) => readScalars(pool, all),
  };
}
