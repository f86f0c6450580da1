import type { Pool } from "pg";
import { dropPartitions } from "./drop-partitions.ts";
import { planned, type Db } from "./statement.ts";

const daySeconds = 86_400;

const isoDay = (epochSeconds: number): string => new Date(epochSeconds * 1000).toISOString().slice(0, 10);

/** Name and bounds (UTC) of the daily partition that holds `epochSeconds`. */
function partitionOf(epochSeconds: number): { name: string; from: string; to: string } {
  const start = Math.floor(epochSeconds / daySeconds) * daySeconds;
  return { name: `scalar_${isoDay(start).replaceAll("-", "")}`, from: isoDay(start), to: isoDay(start + daySeconds) };
}

/** Makes every daily partition of `scalar` from the first to the last epoch second; those that exist stay. */
export async function ensureScalarPartitions(db: Db, fromSeconds: number, toSeconds: number): Promise<void> {
  for (let second = fromSeconds; second < toSeconds + daySeconds; second += daySeconds) {
    const { name, from, to } = partitionOf(Math.min(second, toSeconds));
    await planned(db, "ensure-scalar-partition")`
      create table if not exists ${name} partition of scalar for values from ('${from}T00:00:00Z') to ('${to}T00:00:00Z')`;
  }
}

/** Drops whole days that ended before `keepFromSeconds`; returns the dropped partitions' names. */
export async function dropExpiredScalarPartitions(pool: Pool, keepFromSeconds: number): Promise<string[]> {
  const oldestKept = partitionOf(keepFromSeconds).name;
  return dropPartitions(pool, "scalar", (name) => /^scalar_\d{8}$/.test(name) && name < oldestKept);
}
