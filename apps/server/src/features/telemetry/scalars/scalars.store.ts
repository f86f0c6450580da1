import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { copyAtOnce } from "#db/copy-at-once.ts";
import { ensureScalarPartitions } from "#db/scalar-partitions.ts";
import { planned, prepared, preparedCount } from "#db/statement.ts";
import { numberArray } from "#lib/number-array.ts";
import { textArray } from "#lib/text-array.ts";
import { demandLeft, type IngestPlan, type LiveChange, type PlannedReading } from "./ingest-plan.ts";
import type { MissedScalars, PlatformOutage } from "#lib/platform-outages.ts";
import { coverQuarters } from "#shared/coverage.store.ts";
import { lookBackSeconds, markScalarTrends, type TrendMarkRow } from "#shared/trend-marks.store.ts";
import { scalarCopyBytes } from "./scalar-copy.ts";
import { openDemand } from "./power-demand.ts";
import { columnSlotCount, integerSlotCount } from "./scalar-slots.ts";
import { oldestValueMs, textOfTimes, textOfValues } from "./last-values.ts";

/** One node's day to be counted again. */
export interface RecountRequest {
  serial: number;
  dayStartSeconds: number;
  /** `yyyy-mm-dd` */
  day: string;
  intervalSeconds: number;
}

/** What one statement did. */
export interface WriteCounts {
  storedReadings: number;
  /** Nodes whose gaps were filled, once per scalar. */
  filledSerials: readonly number[];
}

const nothingCounted: WriteCounts = { storedReadings: 0, filledSerials: [] };

const columns = "serial_number, ts, version, flag, line_frequency, current1, current2, current3, voltage1, voltage2, voltage3";
const valueColumns = ["version", "flag", "line_frequency", "current1", "current2", "current3", "voltage1", "voltage2", "voltage3"];
// A scalar may come in several messages: what its row lacks is added, what it has stays.
const onOtherParts = `on conflict (serial_number, ts) do update set ${valueColumns.map((name) => `${name} = coalesce(scalar.${name}, excluded.${name})`).join(", ")}
  where ${valueColumns.map((name) => `(scalar.${name} is null and excluded.${name} is not null)`).join(" or ")}`;
const readingRows = `select s, to_timestamp(t / 1000.0), v0, v1, v2, v3, v4, v5, v6, v7, v8 from unnest($1::int4[], $2::float8[], $3::int2[], $4::int2[],
  $5::float4[], $6::float4[], $7::float4[], $8::float4[], $9::float4[], $10::float4[], $11::float4[]) as r (s, t, v0, v1, v2, v3, v4, v5, v6, v7, v8)`;

const time = (column: string) => `to_timestamp(${column} / 1000.0)`;
const liveColumns = [
  ["serial", "int4"],
  ["seen", "float8"],
  ["connected", "bool"],
  ["connection", "float8"],
  ["scalar", "float8"],
  ["data", "text"],
  ["times", "text"],
  ["oldest", "float8"],
  ["meter", "float8"],
  ["sensor", "bool"],
  ["day", "text"],
  ["missing", "int4"],
  ["platform_missed", "int4"],
  ["seq", "int2"],
  ["skew", "float8"],
  ["demand", "float8"],
  ["demand_kw", "float8"],
  ["demand_covered", "float8"],
] as const;

export type ScalarsStore = ReturnType<typeof createScalarsStore>;

export function createScalarsStore(pool: Pool) {
  return {
    ensurePartition: (dayStartSeconds: number) => ensureScalarPartitions(pool, dayStartSeconds, dayStartSeconds),

    /** Nodes whose live rows, or rows of their own, someone else holds. */
    async findLocked(serials: readonly number[]): Promise<number[]> {
      const rows = await prepared<{ serial: number }>(pool, "find-locked-nodes", [serials])`
        with live as (select serial_number from node_live where serial_number = any($1::int4[]) for no key update skip locked),
          own as (select serial_number from node where serial_number = any($1::int4[]) for no key update skip locked)
        select serial_number as serial from node_live where serial_number = any($1::int4[])
          and (serial_number not in (select serial_number from live) or serial_number not in (select serial_number from own))`;
      return rows.map(({ serial }) => serial);
    },

    /** For the caller's transaction: a row that someone holds is waited for no longer. */
    async limitWaiting(client: PoolClient, patienceMs: number): Promise<void> {
      await planned(client, "wait-briefly-for-scalars")`set local lock_timeout = ${patienceMs}`;
    },

    /**
     * Starts the statements of a plan inside the caller's transaction. Writing the same plan again changes nothing.
     * @param mayBeStored its new readings may be in the table all the same; else one that is there makes the transaction fail as a duplicate
     */
    write(client: PoolClient, plan: IngestPlan, mayBeStored: boolean): Promise<WriteCounts>[] {
      const statements: Promise<WriteCounts>[] = [];
      const { newReadings, olderReadings } = plan;
      if (plan.live.some(({ readings }) => readings.length > 0)) statements.push(markTrends(client, plan));
      if (newReadings.length > 0) statements.push(mayBeStored ? insertReadings(client, newReadings) : copyReadings(client, newReadings));
      if (olderReadings.length > 0) statements.push(insertReadings(client, olderReadings));
      if (plan.lateReadings.length > 0) statements.push(insertLateReadings(client, plan.lateReadings));
      if (plan.live.length > 0) statements.push(updateLive(client, plan.live));
      const lost = plan.live.filter(({ disconnectReason }) => disconnectReason !== undefined);
      if (lost.length > 0) statements.push(noteReasons(client, lost));
      const changed = plan.live.filter(({ facts }) => facts !== undefined);
      if (changed.length > 0) statements.push(updateFacts(client, changed));
      if (plan.covered.length > 0) statements.push(coverQuarters(client, plan.covered).then(() => nothingCounted));
      if (plan.events.length > 0) statements.push(insertEvents(client, plan.events));
      return statements;
    },

    /** Counts the closed gaps of each node's day from the table, writes the count and returns it. */
    recount: async (requests: readonly RecountRequest[], outages: readonly PlatformOutage[]): Promise<Map<number, MissedScalars>> => {
      const rows = await prepared<{ serial: number } & MissedScalars>(pool, "recount-missing-scalars", [
        numberArray("int4", requests, ({ serial }) => serial),
        numberArray("float8", requests, ({ dayStartSeconds }) => dayStartSeconds),
        numberArray("float8", requests, ({ intervalSeconds }) => intervalSeconds),
        requests.map(({ day }) => day),
        numberArray("float8", outages, ({ start }) => start),
        numberArray("float8", outages, ({ end }) => end),
      ])`
        with gap as (
          select n.serial, g.start, n.interval, greatest(0, floor((g.finish - g.start) / n.interval + 0.5) - 1)::int4 as total
          from unnest($1::int4[], $2::float8[], $3::float8[]) as n (serial, start, interval)
          left join lateral (select n.start from scalar where serial_number = n.serial and ts < to_timestamp(n.start) limit 1) earlier on true
          cross join lateral (
            select ${exactEpoch("ts")} as finish, coalesce(lag(${exactEpoch("ts")}) over (order by ts), earlier.start) as start
            from scalar where serial_number = n.serial and ts >= to_timestamp(n.start)) g),
        missed as (
          select serial, sum(total)::int4 as total, sum((
            select coalesce(sum(greatest(0, least(total, floor((o.finish - gap.start) / interval)) - greatest(1, ceil((o.start - gap.start) / interval)) + 1)), 0)
            from unnest($5::float8[], $6::float8[]) as o (start, finish)))::int4 as platform
          from gap where total > 0 group by serial),
        counted as (
          select n.serial, n.day, coalesce(m.total - m.platform, 0) as count, coalesce(m.platform, 0) as platform
          from unnest($1::int4[], $4::date[]) as n (serial, day) left join missed m on m.serial = n.serial)
        update node_live l set missing_scalar_day = counted.day, missing_scalar_count = counted.count,
          platform_missed_scalar_count = counted.platform, changed_xid = pg_current_xact_id()
        from counted where l.serial_number = counted.serial
        returning l.serial_number as serial, counted.count, counted.platform as "platformCount"`;
      return new Map(rows.map(({ serial, ...missed }) => [serial, missed]));
    },
  };
}

function readingValues(readings: readonly PlannedReading[]): Buffer[] {
  const slots = Array.from({ length: columnSlotCount }, (_, slot) =>
    numberArray(slot < integerSlotCount ? "int2" : "float4", readings, ({ reading }) => reading.values[slot]),
  );
  const serials = numberArray("int4", readings, ({ serial }) => serial);
  return [serials, numberArray("float8", readings, ({ reading }) => reading.atMs), ...slots];
}

async function markTrends(client: PoolClient, { live }: IngestPlan): Promise<WriteCounts> {
  const rows: TrendMarkRow[] = [];
  for (const { state, readings } of live) {
    // Nearly all of a node's scalars have the same marks as the one before.
    let marked = Number.NaN;
    for (const { reading } of readings) {
      const at = reading.atMs / 1000;
      const part = Math.floor(at / lookBackSeconds);
      if (part !== marked) rows.push({ serial: state.serial, at });
      marked = part;
    }
  }
  await markScalarTrends(client, rows);
  return nothingCounted;
}

async function copyReadings(client: PoolClient, readings: readonly PlannedReading[]): Promise<WriteCounts> {
  const statement = { name: "copy-scalars", text: `copy scalar (${columns}) from stdin (format binary)` };
  return { storedReadings: await copyAtOnce(client, statement, scalarCopyBytes(readings)), filledSerials: [] };
}

async function insertReadings(client: PoolClient, readings: readonly PlannedReading[]): Promise<WriteCounts> {
  const rowCount = await preparedCount(client, "insert-scalars", readingValues(readings))`
    insert into scalar (${columns}) ${readingRows} ${onOtherParts}`;
  return { storedReadings: rowCount, filledSerials: [] };
}

async function insertLateReadings(client: PoolClient, readings: readonly PlannedReading[]): Promise<WriteCounts> {
  const rows = await prepared<{ serial: number }>(client, "insert-late-scalars", readingValues(readings))`
    with given (${columns}) as (${readingRows}),
      known as materialized (select s.serial_number, s.ts from scalar s join given g using (serial_number, ts)),
      stored as (insert into scalar (${columns}) select * from given ${onOtherParts} returning serial_number, ts)
    select serial_number as serial from stored where (serial_number, ts) not in (select serial_number, ts from known)`;
  return { storedReadings: rows.length, filledSerials: rows.map(({ serial }) => serial) };
}

async function updateLive(client: PoolClient, live: readonly LiveChange[]): Promise<WriteCounts> {
  const demands = live.map((change) => openDemand(demandLeft(change)));
  // Times only move forward; a value that the batch does not contain stays. The last values were merged in memory, metric by metric.
  await prepared(client, "update-node-live", [
    numberArray("int4", live, ({ state }) => state.serial),
    numberArray("float8", live, ({ seenAtMs }) => seenAtMs),
    live.map(({ isConnected }) => isConnected ?? null),
    numberArray("float8", live, ({ connectionAtMs }) => connectionAtMs),
    numberArray("float8", live, ({ newestMs }) => newestMs),
    textArray(live.map(({ state, last }) => (last === state.last ? null : textOfValues(last)))),
    textArray(live.map(({ state, last }) => (last === state.last ? null : textOfTimes(last)))),
    numberArray("float8", live, ({ last }) => oldestValueMs(last)),
    numberArray("float8", live, ({ meterAtMs }) => meterAtMs),
    live.map(({ isSensorOk }) => isSensorOk ?? null),
    textArray(live.map(({ missing }) => missing.day ?? null)),
    numberArray("int4", live, ({ missing }) => missing.count),
    numberArray("int4", live, ({ missing }) => missing.platformCount),
    numberArray("int2", live, ({ lastSeq }) => lastSeq),
    numberArray("float8", live, ({ skewMs }) => skewMs),
    numberArray("float8", demands, ({ demandAtMs }) => demandAtMs),
    numberArray("float8", demands, ({ demandKwSeconds }) => demandKwSeconds),
    numberArray("float8", demands, ({ demandCoveredSeconds }) => demandCoveredSeconds),
  ])`
    update node_live l set
      is_connected = coalesce(u.connected, l.is_connected),
      connection_changed_at = case when u.connected is distinct from l.is_connected and u.connected is not null
        then ${time("u.connection")} else l.connection_changed_at end,
      disconnect_reason = case when u.connected is null then l.disconnect_reason end,
      last_seen_at = greatest(l.last_seen_at, ${time("u.seen")}),
      last_scalar_data = coalesce(u.data, l.last_scalar_data),
      last_scalar_times = coalesce(u.times, l.last_scalar_times),
      oldest_value_at = case when u.data is null then l.oldest_value_at else ${time("u.oldest")} end,
      last_scalar_at = greatest(l.last_scalar_at, ${time("u.scalar")}),
      last_meter_at = greatest(l.last_meter_at, ${time("u.meter")}),
      is_sensor_ok = coalesce(u.sensor, l.is_sensor_ok),
      missing_scalar_day = coalesce(u.day::date, l.missing_scalar_day),
      missing_scalar_count = case when u.day is null then l.missing_scalar_count else u.missing end,
      platform_missed_scalar_count = case when u.day is null then l.platform_missed_scalar_count else u.platform_missed end,
      last_seq = coalesce(u.seq, l.last_seq),
      clock_skew_ms = coalesce(u.skew, l.clock_skew_ms),
      demand_at = ${time("u.demand")}, demand_kw_seconds = u.demand_kw, demand_covered_seconds = u.demand_covered,
      changed_xid = pg_current_xact_id()
    from unnest(${liveColumns.map(([, type], index) => `$${index + 1}::${type}[]`).join(", ")}) as u (${liveColumns.map(([name]) => name).join(", ")})
    where l.serial_number = u.serial`;
  return nothingCounted;
}

async function noteReasons(client: PoolClient, lost: readonly LiveChange[]): Promise<WriteCounts> {
  await prepared(client, "note-disconnect-reasons", [
    numberArray("int4", lost, ({ state }) => state.serial),
    lost.map(({ disconnectReason }) => disconnectReason),
  ])`
    update node_live l set disconnect_reason = u.reason from unnest($1::int4[], $2::text[]) as u (serial, reason) where l.serial_number = u.serial`;
  return nothingCounted;
}

async function updateFacts(client: PoolClient, live: readonly LiveChange[]): Promise<WriteCounts> {
  await prepared(client, "update-node-facts", [
    numberArray("int4", live, ({ state }) => state.serial),
    live.map(({ facts }) => facts?.macAddress ?? null),
    live.map(({ facts }) => facts?.ipAddress ?? null),
    live.map(({ facts }) => facts?.nodeHardwareVersion ?? null),
    live.map(({ facts }) => facts?.viModuleHardwareVersion ?? null),
    live.map(({ facts }) => facts?.isPoeEnabled ?? null),
  ])`
    update node n set mac_address = coalesce(u.mac, n.mac_address), ip_address = coalesce(u.ip, n.ip_address),
      node_hardware_version = coalesce(u.hw, n.node_hardware_version),
      vi_module_hardware_version = coalesce(u.vi, n.vi_module_hardware_version), poe_enabled = coalesce(u.poe, n.poe_enabled)
    from unnest($1::int4[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bool[]) as u (serial, mac, ip, hw, vi, poe)
    where n.serial_number = u.serial`;
  return nothingCounted;
}

async function insertEvents(client: PoolClient, events: IngestPlan["events"]): Promise<WriteCounts> {
  await prepared(client, "insert-node-events", [
    numberArray("int4", events, ({ serial }) => serial),
    numberArray("float8", events, ({ event }) => event.atMs),
    events.map(({ event }) => event.kind),
    events.map(({ event }) => JSON.stringify(event.body)),
  ])`
    with added as (
      insert into node_event (serial_number, ts, kind, body)
      select s, ${time("t")}, k, b from unnest($1::int4[], $2::float8[], $3::text[], $4::jsonb[]) as e (s, t, k, b)
      on conflict (serial_number, ts, kind) do nothing returning serial_number),
    counted as (select serial_number, count(*)::int4 as added from added group by serial_number)
    update node_live l set event_count = l.event_count + counted.added, changed_xid = pg_current_xact_id()
    from counted where l.serial_number = counted.serial_number`;
  return nothingCounted;
}
