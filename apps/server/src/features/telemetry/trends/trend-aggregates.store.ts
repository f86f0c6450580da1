import type { Pool, PoolClient } from "pg";
import { dropExpiredMinutes, dropExpiredQuarters, ensureMinutePartitions, ensureQuarterPartitions } from "#db/trend-partitions.ts";
import { copyBytes } from "#db/copy-bytes.ts";
import { planned, prepared, type Db } from "#db/statement.ts";
import { inTransaction } from "#db/transaction.ts";
import { isNext } from "#services/queue-sql.ts";

export type DirtyKind = "h" | "d" | "m";

/** An hour, a day of UTC or a month of a node, counted from 1970, that is to be made anew. */
export interface DirtyItem {
  serial: number;
  at: number;
  mark: number;
}

/** A row of one of the tables: `at` is its hour, day or month. */
export interface PackedRow {
  serial: number;
  at: number;
  quantity: number;
  /** Of days only. */
  locationId?: number;
  points: Buffer;
}

export interface TrendState {
  closedHour: number;
  /** Up to these everything was made, or is among the dirty items. */
  queuedHour: number;
  queuedDay: number;
  queuedMonth: number;
}

/** What of a node is not made yet: from these on, and of what came before this version, before this day. */
export interface NodeBounds {
  /** The first hour that is not made of all its scalars. */
  openHour: number;
  openDay: number;
  openMonth: number;
  filledFromDay: number;
}

const lockKey = 5116;
const service = "TrendAggregates";
const state = `closed_hour as "closedHour", queued_hour as "queuedHour", queued_day as "queuedDay", queued_month as "queuedMonth"`;
/** Days of UTC counted from 1970, of a month counted from 1970. */
export const firstDayOf = (month: number): number => Date.UTC(1970 + Math.floor(month / 12), month % 12, 1) / 86_400_000;
export const monthOfDay = (day: number): number => {
  const date = new Date(day * 86_400_000);
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
};

export type TrendAggregatesStore = ReturnType<typeof createTrendAggregatesStore>;

export function createTrendAggregatesStore(pool: Pool) {
  const readState = async (db: Db = pool): Promise<TrendState> => {
    const rows = await planned<TrendState>(db, "trend-state")`select ${state} from trend_state`;
    return rows[0]!;
  };

  return {
    state: () => readState(),

    /** Waits until no one adds to what is not closed, briefly: another time will do as well. */
    async closeHour(hour: number): Promise<void> {
      await inTransaction(pool, async (client) => {
        await planned(client, "wait-briefly")`set local lock_timeout = '2s'`;
        await planned(client, "close-trend-hours")`select pg_advisory_xact_lock(${lockKey})`;
        await planned(client, "note-closed-hour", [hour])`update trend_state set closed_hour = greatest(closed_hour, $1)`;
      });
    },

    /** Queues an hour of all nodes that have scalars of it. */
    async queueHour(hour: number): Promise<void> {
      await inTransaction(pool, async (client) => {
        await planned(client, "queue-trend-hour", [hour])`insert into trend_dirty as d (kind, at, serial_number)
          select 'h', $1, serial_number from node n where exists (select from scalar s where s.serial_number = n.serial_number
            and s.ts >= to_timestamp($1::int4 * 3600.0) and s.ts < to_timestamp(($1::int4 + 1) * 3600.0))
          on conflict (kind, at, serial_number) do update set mark = d.mark + 1`;
        await planned(client, "note-queued-hour", [hour])`update trend_state set queued_hour = $1`;
      });
    },

    async queueDay(day: number): Promise<void> {
      await inTransaction(pool, async (client) => {
        await planned(client, "queue-trend-day", [day, Array.from({ length: 64 }, (_, quantity) => quantity)])`
          insert into trend_dirty as d (kind, at, serial_number)
          select 'd', $1, serial_number from node n where exists (select from trend_minute m where m.serial_number = n.serial_number
              and m.quantity = any ($2::int2[]) and m.hour >= $1::int4 * 24 and m.hour < ($1::int4 + 1) * 24)
            or exists (select from sensor_data s where s.serial_number = n.serial_number
              and s.ts >= to_timestamp($1::int4 * 86400.0) and s.ts < to_timestamp(($1::int4 + 1) * 86400.0))
          on conflict (kind, at, serial_number) do update set mark = d.mark + 1`;
        await planned(client, "note-queued-day", [day])`update trend_state set queued_day = $1`;
      });
    },

    async queueMonth(month: number): Promise<void> {
      await inTransaction(pool, async (client) => {
        await planned(client, "queue-trend-month", [
          month,
          Array.from({ length: 64 }, (_, quantity) => quantity),
          firstDayOf(month) - 1,
          firstDayOf(month + 1),
        ])`
          insert into trend_dirty as d (kind, at, serial_number)
          select 'm', $1, serial_number from node n where exists (select from trend_quarter q where q.serial_number = n.serial_number
            and q.quantity = any ($2::int2[]) and q.day >= $3 and q.day <= $4)
          on conflict (kind, at, serial_number) do update set mark = d.mark + 1`;
        await planned(client, "note-queued-month", [month])`update trend_state set queued_month = $1`;
      });
    },

    /** Those of a kind, the newest first: they are looked at most. */
    async findDirty(kind: DirtyKind, word: string, limit: number, ids: readonly string[] | null): Promise<DirtyItem[]> {
      return await prepared<DirtyItem>(pool, `find-dirty-trends-${word}`, [kind, limit, ids])`
        select serial_number as serial, at, mark from trend_dirty where kind = $1::"char"
          and ${isNext(service, word, "serial_number || ' ' || at", "$3")}
        order by at desc, serial_number limit $2`;
    },

    async forgetDirty(client: PoolClient, kind: DirtyKind, items: readonly DirtyItem[]): Promise<void> {
      await prepared(client, "forget-dirty-trends", [
        kind,
        items.map(({ serial }) => serial),
        items.map(({ at }) => at),
        items.map(({ mark }) => mark),
      ])`
        delete from trend_dirty d using unnest($2::int4[], $3::int4[], $4::int4[]) u (s, t, m)
        where d.kind = $1::"char" and d.at = u.t and d.serial_number = u.s and d.mark = u.m`;
    },

    /** What follows from what was made anew. */
    async addDirty(client: PoolClient, kind: DirtyKind, items: readonly { serial: number; at: number }[]): Promise<void> {
      if (items.length === 0) return;
      await prepared(client, "add-dirty-trends", [kind, items.map(({ serial }) => serial), items.map(({ at }) => at)])`
        insert into trend_dirty as d (kind, at, serial_number)
        select $1::"char", t, s from (select distinct s, t from unnest($2::int4[], $3::int4[]) u (s, t)) u order by t, s
        on conflict (kind, at, serial_number) do update set mark = d.mark + 1`;
    },

    /** Minutes of nodes, of hours from one up to before another. */
    minutes: (db: Db, serials: readonly number[], quantities: readonly number[], from: number, to: number) =>
      read(db, "trend-minutes", "hour", "trend_minute", serials, quantities, from, to),
    /** Quarters of an hour of nodes, of days of UTC from one up to before another. */
    quarters: (db: Db, serials: readonly number[], quantities: readonly number[], from: number, to: number) =>
      read(db, "trend-quarters", "day", "trend_quarter", serials, quantities, from, to),

    /** Days of a node at a place, of months from one up to before another. */
    async days(db: Db, serial: number, locationId: number, quantities: readonly number[], from: number, to: number): Promise<PackedRow[]> {
      return await prepared<PackedRow>(db, "trend-days", [serial, quantities, from, to, locationId])`
        select serial_number as serial, month as at, quantity, points from trend_day
        where serial_number = $1 and quantity = any ($2::int2[]) and month >= $3 and month < $4 and location_id = $5`;
    },

    async putMinutes(client: PoolClient, rows: readonly PackedRow[]): Promise<void> {
      await put(client, "put-trend-minutes", "trend_minute", "hour", rows);
    },
    async putQuarters(client: PoolClient, rows: readonly PackedRow[]): Promise<void> {
      await put(client, "put-trend-quarters", "trend_quarter", "day", rows);
    },
    async putDays(client: PoolClient, rows: readonly PackedRow[]): Promise<void> {
      if (rows.length === 0) return;
      await prepared(client, "put-trend-days", [
        ...columnsOf(rows),
        rows.map(({ locationId }) => locationId ?? 0),
        rows.map(({ points }) => points),
      ])`
        insert into trend_day as t (serial_number, month, quantity, location_id, points)
        select * from unnest($1::int4[], $2::int4[], $3::int2[], $4::int4[], $5::bytea[]) order by 1, 3, 2
        on conflict (serial_number, quantity, month, location_id) do update set points = excluded.points where t.points <> excluded.points`;
    },

    /** Nodes of which something of before this version is still to be made. */
    async findFills(limit: number, ids: readonly string[] | null): Promise<{ serial: number; beforeDay: number }[]> {
      return await prepared<{ serial: number; beforeDay: number }>(pool, "find-trend-fills", [limit, ids])`
        select serial_number as serial, before_day as "beforeDay" from trend_fill where ${isNext(service, "node", "serial_number::text", "$2")}
        order by before_day desc, serial_number limit $1`;
    },

    /** The last day before one that has data points of a node, or scalars by the minute. */
    async dayBefore(serial: number, day: number): Promise<number | undefined> {
      const rows = await prepared<{ day: number | null }>(pool, "trend-day-before", [serial, day])`select greatest(
        (select floor(extract(epoch from ts) / 86400)::int4 from sensor_data where serial_number = $1 and ts < to_timestamp($2::int4 * 86400.0) order by ts desc limit 1),
        (select hour / 24 from trend_minute where serial_number = $1 and quantity = 0 and hour < $2::int4 * 24 order by hour desc limit 1)) as day`;
      return rows[0]?.day ?? undefined;
    },

    async noteFilled(client: PoolClient, serial: number, beforeDay: number | undefined): Promise<void> {
      if (beforeDay === undefined) await planned(client, "end-trend-fill", [serial])`delete from trend_fill where serial_number = $1`;
      else await planned(client, "note-trend-fill", [serial, beforeDay])`update trend_fill set before_day = $2 where serial_number = $1`;
    },

    async bounds(db: Db, serials: readonly number[]): Promise<Map<number, NodeBounds>> {
      const rows = await prepared<NodeBounds & { serial: number }>(db, "trend-bounds", [serials])`
        select s as serial, least(t.queued_hour + 1, h.at) as "openHour",
          least(t.queued_day + 1, d.at, h.at / 24) as "openDay",
          least(t.queued_month + 1, m.at, (extract(year from o.date) * 12 + extract(month from o.date) - 1 - 1970 * 12)::int4) as "openMonth",
          coalesce(f.before_day, -2147483648) as "filledFromDay"
        from unnest($1::int4[]) s cross join trend_state t
          cross join lateral (select min(at) as at from trend_dirty where serial_number = s and kind = 'h') h
          cross join lateral (select min(at) as at from trend_dirty where serial_number = s and kind = 'd') d
          cross join lateral (select min(at) as at from trend_dirty where serial_number = s and kind = 'm') m
          cross join lateral (select '1970-01-01'::date + least(t.queued_day + 1, d.at, h.at / 24) - 1 as date) o
          left join trend_fill f on f.serial_number = s`;
      return new Map(rows.map(({ serial, ...bounds }) => [serial, bounds]));
    },

    ensureMinutePartitions: (hours: readonly number[]) => ensureMinutePartitions(pool, hours),
    ensureQuarterPartitions: (days: readonly number[]) => ensureQuarterPartitions(pool, days),
    dropMinutes: (keepFrom: number) => dropExpiredMinutes(pool, keepFrom),
    dropQuarters: (keepFrom: number) => dropExpiredQuarters(pool, keepFrom),
  };
}

const columnsOf = (rows: readonly PackedRow[]) => [
  rows.map(({ serial }) => serial),
  rows.map(({ at }) => at),
  rows.map(({ quantity }) => quantity),
];

async function put(client: PoolClient, name: string, table: string, time: string, rows: readonly PackedRow[]): Promise<void> {
  if (rows.length === 0) return;
  await prepared(client, name, [...columnsOf(rows), rows.map(({ points }) => points)])`
    insert into ${table} as t (serial_number, ${time}, quantity, points)
    select * from unnest($1::int4[], $2::int4[], $3::int2[], $4::bytea[]) order by 1, 3, 2
    on conflict (serial_number, quantity, ${time}) do update set points = excluded.points where t.points <> excluded.points`;
}

async function read(
  db: Db,
  name: string,
  time: string,
  table: string,
  serials: readonly number[],
  quantities: readonly number[],
  from: number,
  to: number,
): Promise<PackedRow[]> {
  const anyOf = (numbers: readonly number[], type: string) => `any ('{${numbers.join()}}'::${type}[])`;
  const nodes = await copyBytes(
    db,
    // One value for a node: thousands of rows of a year cost more than what is in them.
    `/* ${name} */ select string_agg(int4send(serial_number) || int4send(${time}) || int2send(quantity) || int4send(length(points)) || points, '')
     from ${table} where serial_number = ${anyOf(serials, "int4")} and quantity = ${anyOf(quantities, "int2")}
       and ${time} >= ${from} and ${time} < ${to} group by serial_number`,
  );
  return nodes.flatMap(readRows);
}

/** Each row: serial number, time, quantity (2 bytes), how many bytes its points have, and the points. */
function readRows(packed: Buffer): PackedRow[] {
  const rows: PackedRow[] = [];
  for (let at = 0; at < packed.length;) {
    const end = at + 14 + packed.readInt32BE(at + 10);
    rows.push({
      serial: packed.readInt32BE(at),
      at: packed.readInt32BE(at + 4),
      quantity: packed.readInt16BE(at + 8),
      points: packed.subarray(at + 14, end),
    });
    at = end;
  }
  return rows;
}
