import type { DataFileKind } from "@busbar/contract/files/data-file-name.ts";
import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";
import { isNext } from "#services/queue-sql.ts";
import { coverExtraction } from "#shared/coverage.store.ts";
import { markDataPointTrends } from "#shared/trend-marks.store.ts";
import { fileItemSql } from "#shared/file-item-sql.ts";
import type { SensorValues } from "./data-point.parser.ts";

/** A stored file that waits for extraction, with what its node must be. Times in epoch seconds. */
export interface PendingFileRow {
  serial: number;
  timestamp: number;
  kind: DataFileKind;
  part: string;
  fileName: string;
  interval: number;
  hash: Buffer;
  isGzip: boolean;
  /** Null when there is no such node. */
  nodeInterval: number | null;
  timezone: string | null;
  isDecommissioned: boolean;
}

export interface ExtractedFile {
  file: PendingFileRow;
  /** Null: extracted. */
  failedReason: string | null;
  /** Of a data point that was extracted. */
  values: SensorValues | undefined;
}

export interface DayOfNode {
  serial: number;
  interval: number;
  day: string;
  /** First second of that day. */
  start: number;
}

/** Typed columns and the keys of their values. */
const columns = [
  ["voltage_avg", "voltageAvg"],
  ["voltage1_avg", "voltage1Avg"],
  ["voltage2_avg", "voltage2Avg"],
  ["voltage3_avg", "voltage3Avg"],
  ["current_avg", "currentAvg"],
  ["current1_avg", "current1Avg"],
  ["current2_avg", "current2Avg"],
  ["current3_avg", "current3Avg"],
  ["power_kw_avg", "powerKwAvg"],
  ["power_kva_avg", "powerKvaAvg"],
  ["power_factor_avg", "powerFactorAvg"],
  ["line_frequency_avg", "lineFrequencyAvg"],
  ["voltage_imbalance", "voltageImbalance"],
  ["current_imbalance", "currentImbalance"],
  ["voltage_thd1", "voltageThd1"],
  ["voltage_thd2", "voltageThd2"],
  ["voltage_thd3", "voltageThd3"],
  ["current_thd1", "currentThd1"],
  ["current_thd2", "currentThd2"],
  ["current_thd3", "currentThd3"],
  ["running_seconds", "runningSeconds"],
  ["amp_hours", "ampHours"],
  ["kwh", "kwh"],
] as const;

const columnNames = columns.map(([name]) => name).join(", ");
const columnReads = columns.map(([, key]) => `(d->>'${key}')::float8`).join(", ");
const columnUpdates = columns.map(([name]) => `${name} = excluded.${name}`).join(", ");

export type FileExtractionStore = ReturnType<typeof createFileExtractionStore>;

export function createFileExtractionStore(pool: Pool) {
  return {
    /** Event files are not among them: they have a parser of their own. */
    async findPending(limit: number, ids: readonly string[] | null): Promise<PendingFileRow[]> {
      return await prepared<PendingFileRow>(pool, "find-pending-files", [limit, ids])`
        select f.serial_number as serial, ${exactEpoch("f.ts")} as timestamp, f.kind, f.part, f.file_name as "fileName",
          f.interval_seconds as interval, f.content_hash as hash, f.is_gzip as "isGzip", n.data_point_interval_seconds as "nodeInterval", l.timezone,
          (d.serial_number is not null or n.current_deployment_status = 'Decommissioned') as "isDecommissioned"
        from (select * from data_file where processed is null and extracted_at is null and kind <> 'E'
          and ${isNext("FileExtraction", "file", fileItemSql, "$2")} order by received_at limit $1) f
        left join node n using (serial_number) left join decommissioned_node d using (serial_number)
        left join node_assignment a using (serial_number) left join location l on l.id = a.location_id`;
    },

    /** Inside the caller's transaction: a file that was replaced meanwhile stays as it is. */
    async finish(client: PoolClient, files: readonly ExtractedFile[], now: number): Promise<void> {
      const values = files.filter((one) => one.values !== undefined);
      if (values.length > 0) await writeSensorData(client, values);
      // In the order in which files are stored: nodes send again what was not acknowledged, and neither may wait for the other.
      await prepared(client, "finish-extraction", [
        files.map(({ file }) => file.serial),
        files.map(({ file }) => file.timestamp),
        files.map(({ file }) => file.kind),
        files.map(({ file }) => file.part),
        files.map(({ file }) => file.hash),
        files.map(({ failedReason }) => failedReason === null),
        files.map(({ failedReason }) => failedReason),
        now,
      ])`with own as (
          select f.serial_number, f.ts, f.kind, f.part, u.ok, u.reason from data_file f
          join unnest($1::int4[], $2::float8[], $3::text[], $4::text[], $5::bytea[], $6::bool[], $7::text[]) as u (s, t, k, p, h, ok, reason)
            on f.serial_number = u.s and f.ts = to_timestamp(u.t) and f.kind = u.k and f.part = u.p and f.content_hash = u.h
          order by f.serial_number, f.ts, f.kind, f.part for no key update of f)
        update data_file f set processed = own.ok, failed_reason = own.reason, extracted_at = to_timestamp($8) from own
        where (f.serial_number, f.ts, f.kind, f.part) = (own.serial_number, own.ts, own.kind, own.part)`;
      await coverExtraction(
        client,
        files.map(({ file, failedReason }) => ({ ...file, hasFailed: failedReason !== null })),
      );
      await moveLiveTimes(client, files, now);
    },

    /** Inside the caller's transaction: counts the data files that are missing in each node's day, up to its newest one. */
    async countMissing(client: PoolClient, days: readonly DayOfNode[], now: number): Promise<void> {
      await prepared(client, "count-missing-files", [
        days.map(({ serial }) => serial),
        days.map(({ interval }) => interval),
        days.map(({ day }) => day),
        days.map(({ start }) => start),
        now,
      ])`
        with counted as (
          select n.serial, n.day, c.newest, greatest(0, ((c.newest - case when e.earlier is null then c.first
              else ceil(n.start / n.interval) * n.interval end) / n.interval)::int4 + 1 - c.count)::int4 as missing
          from unnest($1::int4[], $2::float8[], $3::date[], $4::float8[]) as n (serial, interval, day, start)
          cross join lateral (select count(*)::int4 as count, ${exactEpoch("min(ts)")} as first, ${exactEpoch("max(ts)")} as newest
            from data_file where serial_number = n.serial and kind = 'D' and ts >= to_timestamp(n.start) and ts <= to_timestamp($5)) c
          left join lateral (select 1 as earlier from data_file where serial_number = n.serial and kind = 'D' and ts < to_timestamp(n.start) limit 1) e on true
          where c.count > 0)
        update node_live l set missing_datafile_day = counted.day, missing_datafile_count = counted.missing,
          newest_datafile_at = to_timestamp(counted.newest), changed_xid = pg_current_xact_id()
        from counted where l.serial_number = counted.serial and (l.missing_datafile_day is null or l.missing_datafile_day <= counted.day)`;
    },
  };
}

async function writeSensorData(client: PoolClient, files: readonly ExtractedFile[]): Promise<void> {
  await markDataPointTrends(
    client,
    files.map(({ file }) => ({ serial: file.serial, at: file.timestamp })),
  );
  await prepared(client, "write-sensor-data", [
    files.map(({ file }) => file.serial),
    files.map(({ file }) => file.timestamp),
    files.map(({ file }) => file.interval),
    files.map(({ values }) => JSON.stringify(values)),
  ])`
    insert into sensor_data (serial_number, ts, interval_seconds, ${columnNames}, data)
    select s, to_timestamp(t), i, ${columnReads}, d from unnest($1::int4[], $2::float8[], $3::int4[], $4::jsonb[]) as u (s, t, i, d) order by s, t
    on conflict (serial_number, ts) do update set interval_seconds = excluded.interval_seconds, data = excluded.data, ${columnUpdates}`;
}

/** The dashboard's times only move forward. */
async function moveLiveTimes(client: PoolClient, files: readonly ExtractedFile[], now: number): Promise<void> {
  const newest = new Map<number, { D?: number; S?: number; X?: number }>();
  for (const { file, failedReason } of files) {
    if (failedReason !== null || !(file.kind === "D" || file.kind === "S" || file.kind === "X") || file.timestamp > now) continue;
    const times = newest.get(file.serial) ?? {};
    times[file.kind] = Math.max(times[file.kind] ?? 0, file.timestamp);
    newest.set(file.serial, times);
  }
  if (newest.size === 0) return;
  const rows = [...newest].toSorted(([a], [b]) => a - b);
  const forward = (column: string, name: string) => `${column} = greatest(l.${column}, to_timestamp(u.${name}))`;
  await prepared(client, "move-file-times", [
    rows.map(([serial]) => serial),
    rows.map(([, { D }]) => D ?? null),
    rows.map(([, { S }]) => S ?? null),
    rows.map(([, { X }]) => X ?? null),
  ])`
    update node_live l set ${forward("last_datafile_at", "d")}, ${forward("last_one_second_file_at", "s")},
      ${forward("last_external_file_at", "x")}, changed_xid = pg_current_xact_id()
    from unnest($1::int4[], $2::float8[], $3::float8[], $4::float8[]) as u (serial, d, s, x) where l.serial_number = u.serial`;
}
