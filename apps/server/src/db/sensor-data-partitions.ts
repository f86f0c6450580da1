import type { Pool } from "pg";
import { dropPartitions } from "./drop-partitions.ts";
import { planned } from "./statement.ts";

/** Makes the monthly partitions of `sensor_data` that hold the given epoch seconds; those that exist stay. */
export async function ensureSensorDataPartitions(pool: Pool, epochSeconds: readonly number[]): Promise<void> {
  const months = new Set(epochSeconds.map((second) => new Date(second * 1000).toISOString().slice(0, 7)));
  for (const month of months) {
    const [year = 0, number = 0] = month.split("-").map(Number);
    const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
    await planned(pool, "ensure-sensor-data-partition")`
      create table if not exists sensor_data_${month.replace("-", "")} partition of sensor_data
      for values from ('${month}-01T00:00:00Z') to ('${next}T00:00:00Z')`;
  }
}

/** Drops whole months that ended before `keepFromSeconds`; returns the dropped partitions' names. */
export async function dropExpiredSensorDataPartitions(pool: Pool, keepFromSeconds: number): Promise<string[]> {
  const oldestKept = `sensor_data_${new Date(keepFromSeconds * 1000).toISOString().slice(0, 7).replace("-", "")}`;
  return dropPartitions(pool, "sensor_data", (name) => /^sensor_data_\d{6}$/.test(name) && name < oldestKept);
}
