import type { SensorDataOffset, SensorDataRecord } from "@busbar/contract/sensor-data.ts";
import type { Pool } from "pg";

const edges: Record<SensorDataOffset, string> = {
  current: "ts <= to_timestamp($2) order by ts desc",
  previous: "ts < to_timestamp($2) order by ts desc",
  next: "ts > to_timestamp($2) order by ts",
};

export type SensorDataReadModel = ReturnType<typeof createSensorDataReadModel>;

export function createSensorDataReadModel(pool: Pool) {
  return {
    async find(serial: number, offset: SensorDataOffset, timestamp: number): Promise<SensorDataRecord | undefined> {
      const neighbour = (comparison: string, order: string) =>
        `(select extract(epoch from ts)::float8 from data_file where serial_number = $1 and kind = 'D' and ts ${comparison} f.ts order by ts ${order} limit 1)`;
      const { rows } = await pool.query<SensorDataRecord>({
        name: `sensor-data-${offset}`,
        text: `/* sensor-data-${offset} */ select f.serial_number::text as "serialNumber", extract(epoch from f.ts)::float8 as timestamp,
            f.file_name as "sourceFile", f.processed, f.data_analysis_processed as "dataAnalysisServiceProcessed", f.failed_reason as "failedReason",
            case when f.processed then coalesce(d.data, '{}') else '{}' end as "sensorData", coalesce(l.name, '') as location, l.timezone,
            ${neighbour("<", "desc")} as "previousTimestamp", ${neighbour(">", "asc")} as "nextTimestamp"
          from (select * from data_file where serial_number = $1 and kind = 'D' and ${edges[offset]} limit 1) f
          left join sensor_data d on d.serial_number = f.serial_number and d.ts = f.ts
          left join node_assignment a on a.serial_number = f.serial_number left join location l on l.id = a.location_id`,
        values: [serial, timestamp],
      });
      return rows[0];
    },

    async nodeExists(serial: number): Promise<boolean> {
      const { rowCount } = await pool.query({
        name: "node-exists",
        text: "/* node-exists */ select 1 from node where serial_number = $1",
        values: [serial],
      });
      return rowCount === 1;
    },
  };
}
