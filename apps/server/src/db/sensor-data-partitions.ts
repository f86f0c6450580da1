import type { Pool } from "pg";

/** Makes the monthly partitions of `sensor_data` that hold the given epoch seconds; those that exist stay. */
export async function ensureSensorDataPartitions(pool: Pool, epochSeconds: readonly number[]): Promise<void> {
  const months = new Set(epochSeconds.map((second) => new Date(second * 1000).toISOString().slice(0, 7)));
  for (const month of months) {
    const [year = 0, number = 0] = month.split("-").map(Number);
    const next = new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 10);
    await pool.query(
      `/* ensure-sensor-data-partition */ create table if not exists sensor_data_${month.replace("-", "")} partition of sensor_data
       for values from ('${month}-01T00:00:00Z') to ('${next}T00:00:00Z')`,
    );
  }
}
