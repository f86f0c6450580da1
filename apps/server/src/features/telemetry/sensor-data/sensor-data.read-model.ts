import { dataFileName } from "@busbar/contract/files/data-file-name.ts";
import type { SensorDataOffset, SensorDataRecord } from "@busbar/contract/telemetry/sensor-data.ts";
import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { nodeExists } from "#db/node-exists.ts";
import { prepared } from "#db/statement.ts";

const edges: Record<SensorDataOffset, { range: string; order: "asc" | "desc" }> = {
  current: { range: "ts <= to_timestamp($2)", order: "desc" },
  previous: { range: "ts < to_timestamp($2)", order: "desc" },
  next: { range: "ts > to_timestamp($2)", order: "asc" },
};

/** The time nearest to `range`, of files, which may have failed, and of records, which outlive their files by years. */
const nearest = (range: string, order: "asc" | "desc") =>
  `(select ts from (
      (select ts from data_file where serial_number = $1 and kind = 'D' and ${range} order by ts ${order} limit 1)
      union all (select ts from sensor_data where serial_number = $1 and ${range} order by ts ${order} limit 1)) times
    order by ts ${order} limit 1)`;

type Row = Omit<SensorDataRecord, "sourceFile"> & { sourceFile: string | null; interval: number };

export type SensorDataReadModel = ReturnType<typeof createSensorDataReadModel>;

export function createSensorDataReadModel(pool: Pool) {
  return {
    async find(serial: number, offset: SensorDataOffset, timestamp: number): Promise<SensorDataRecord | undefined> {
      const { range, order } = edges[offset];
      const rows = await prepared<Row>(pool, `sensor-data-${offset}`, [serial, timestamp])`
        with found as (select ts as at from ${nearest(range, order)} one)
        select $1::int4::text as "serialNumber", ${epochSeconds("at")} as timestamp, f.file_name as "sourceFile",
          f.file_name is not null as "isSourceFileKept", coalesce(f.interval_seconds, d.interval_seconds) as interval,
          case when f.file_name is null then true else f.processed end as processed,
          f.data_analysis_processed as "dataAnalysisServiceProcessed", f.failed_reason as "failedReason",
          case when f.processed or f.file_name is null then coalesce(d.data, '{}') else '{}' end as "sensorData",
          coalesce(l.name, '') as location, l.timezone,
          ${epochSeconds(nearest("ts < at", "desc"))} as "previousTimestamp",
          ${epochSeconds(nearest("ts > at", "asc"))} as "nextTimestamp"
        from found left join data_file f on f.serial_number = $1 and f.ts = at and f.kind = 'D' and f.part = ''
        left join sensor_data d on d.serial_number = $1 and d.ts = at
        left join node_assignment a on a.serial_number = $1 left join location l on l.id = a.location_id`;
      const [row] = rows;
      if (!row) return undefined;
      const { interval, ...record } = row;
      return { ...record, sourceFile: row.sourceFile ?? dataFileName({ serial, timestamp: row.timestamp, kind: "D", interval }) };
    },

    nodeExists: (serial: number): Promise<boolean> => nodeExists(pool, serial),
  };
}
