import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared, preparedCount } from "#db/statement.ts";
import { isNext } from "#services/queue-sql.ts";
import { fileItemSql } from "#shared/file-item-sql.ts";

/** An extracted file that no one has judged. Times in epoch seconds. */
export interface FileToAnalyse {
  serialNumber: number;
  /** Begin of the interval. */
  timestamp: number;
  kind: "D" | "S";
  part: string;
  fileName: string;
  interval: number;
  hash: Buffer;
  isGzip: boolean;
  /** A newer file of the node and kind was judged already. */
  isOvertaken: boolean;
  /** Of a data point. */
  values: Record<string, number | string | null> | null;
  /** Starts in the hour that ends with the interval, or in the interval when that is longer. */
  starts: number | null;
}

export type DataAnalysisStore = ReturnType<typeof createDataAnalysisStore>;

export function createDataAnalysisStore(pool: Pool) {
  return {
    /** Marks files whose interval ended before as analysed without looking at them; returns how many there were, at most `limit`. */
    async passOver(before: number, limit: number): Promise<number> {
      return await preparedCount(pool, "pass-over-old-files", [before, limit])`
        update data_file set data_analysis_processed = true where ctid = any (array(
        select ctid from data_file where processed and data_analysis_processed is null and kind in ('D', 'S') and ts < to_timestamp($1)
          and ts + interval_seconds * interval '1 second' < to_timestamp($1)
        order by ts, serial_number limit $2))`;
    },

    /** Oldest interval first. */
    async findPending(limit: number, ids: readonly string[] | null): Promise<FileToAnalyse[]> {
      return await prepared<FileToAnalyse>(pool, "find-files-to-analyse", [limit, ids])`
        select f.serial_number as "serialNumber", ${exactEpoch("f.ts")} as timestamp, f.kind, f.part, f.file_name as "fileName",
          f.interval_seconds as interval, f.content_hash as hash, f.is_gzip as "isGzip", s.data as values, h.starts,
          exists (select from data_file g where g.serial_number = f.serial_number and g.ts > f.ts and g.kind = f.kind and g.data_analysis_processed)
            as "isOvertaken"
        from (select * from data_file where processed and data_analysis_processed is null and kind in ('D', 'S')
          and ${isNext("DataAnalysis", "file", fileItemSql, "$2")} order by ts, serial_number limit $1) f
        left join lateral (select data from sensor_data where f.kind = 'D' and serial_number = f.serial_number and ts = f.ts) s on true
        left join lateral (select sum(case jsonb_typeof(data -> 'startCount') when 'number' then (data ->> 'startCount')::float8 end) as starts from sensor_data where f.kind = 'D'
          and serial_number = f.serial_number and ts <= f.ts
          and ts > f.ts + (f.interval_seconds - greatest(3600, f.interval_seconds)) * interval '1 second' - interval '1 second') h on true
        order by f.ts, f.serial_number`;
    },

    /** Kinds that are raised, by node. */
    async openKinds(serials: readonly number[]): Promise<Map<number, Set<string>>> {
      const rows = await prepared<{ serialNumber: number; kinds: string[] }>(pool, "open-kinds-of-nodes", [serials])`
        select serial_number as "serialNumber", array_agg(kind) as kinds from alarm
        where cleared_at is null and serial_number = any ($1::int4[]) group by serial_number`;
      return new Map(rows.map(({ serialNumber, kinds }) => [serialNumber, new Set(kinds)]));
    },
  };
}

/** Keeps what the newest data points say of their machines. */
export async function rememberNameplates(client: PoolClient, files: readonly FileToAnalyse[]): Promise<void> {
  const newest = new Map(files.map((file) => [file.serialNumber, file.values]));
  const value = (key: string) =>
    [...newest.values()].map((values) => {
      const value = values?.[key];
      return typeof value === "number" ? value : null;
    });
  await prepared(client, "remember-nameplates", [[...newest.keys()], value("npVoltage"), value("npCurrent"), value("npFrequency")])`
    insert into node_nameplate as k (serial_number, np_voltage, np_current, np_frequency)
    select n.serial_number, v, i, f from unnest($1::int4[], $2::float8[], $3::float8[], $4::float8[]) as u (s, v, i, f)
    join node n on n.serial_number = u.s order by 1
    on conflict (serial_number) do update
      set np_voltage = excluded.np_voltage, np_current = excluded.np_current, np_frequency = excluded.np_frequency
      where (k.np_voltage, k.np_current, k.np_frequency) is distinct from (excluded.np_voltage, excluded.np_current, excluded.np_frequency)`;
}

export const analysisKey = ({ serialNumber, timestamp, kind }: Pick<FileToAnalyse, "serialNumber" | "timestamp" | "kind">): string =>
  `${serialNumber} ${timestamp} ${kind}`;

/** Marks files inside the caller's transaction. Returns the keys of those that were marked: one that was replaced meanwhile waits again. */
export async function markAnalysed(client: PoolClient, files: readonly FileToAnalyse[]): Promise<Set<string>> {
  const rows = await prepared<{ serialNumber: number; timestamp: number; kind: "D" | "S" }>(client, "mark-analysed", [
    files.map(({ serialNumber }) => serialNumber),
    files.map(({ timestamp }) => timestamp),
    files.map(({ kind }) => kind),
    files.map(({ part }) => part),
    files.map(({ hash }) => hash),
  ])`
    update data_file f set data_analysis_processed = true
    from unnest($1::int4[], $2::float8[], $3::text[], $4::text[], $5::bytea[]) as u (s, t, k, p, h)
    where f.serial_number = u.s and f.ts = to_timestamp(u.t) and f.kind = u.k and f.part = u.p and f.content_hash = u.h
      and f.processed and f.data_analysis_processed is null
    returning f.serial_number as "serialNumber", ${exactEpoch("f.ts")} as timestamp, f.kind`;
  return new Set(rows.map(analysisKey));
}
