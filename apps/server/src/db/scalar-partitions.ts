import type { Pool, PoolClient } from "pg";

const daySeconds = 86_400;

const isoDay = (epochSeconds: number): string => new Date(epochSeconds * 1000).toISOString().slice(0, 10);

/** Name and bounds (UTC) of the daily partition that holds `epochSeconds`. */
function partitionOf(epochSeconds: number): { name: string; from: string; to: string } {
  const start = Math.floor(epochSeconds / daySeconds) * daySeconds;
  return { name: `scalar_${isoDay(start).replaceAll("-", "")}`, from: isoDay(start), to: isoDay(start + daySeconds) };
}

/** Makes every daily partition of `scalar` from the first to the last epoch second; those that exist stay. */
export async function ensureScalarPartitions(db: Pool | PoolClient, fromSeconds: number, toSeconds: number): Promise<void> {
  for (let second = fromSeconds; second < toSeconds + daySeconds; second += daySeconds) {
    const { name, from, to } = partitionOf(Math.min(second, toSeconds));
    await db.query(
      `/* ensure-scalar-partition */ create table if not exists ${name} partition of scalar for values from ('${from}T00:00:00Z') to ('${to}T00:00:00Z')`,
    );
  }
}

/** Drops whole days that ended before `keepFromSeconds`; returns the dropped partitions' names. */
export async function dropExpiredScalarPartitions(db: Pool | PoolClient, keepFromSeconds: number): Promise<string[]> {
  const oldestKept = partitionOf(keepFromSeconds).name;
  const { rows } = await db.query<{ name: string }>(
    `/* list-scalar-partitions */ select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'scalar'::regclass order by 1`,
  );
  const expired = rows.map((row) => row.name).filter((name) => /^scalar_\d{8}$/.test(name) && name < oldestKept);
  for (const name of expired) await db.query(`/* drop-scalar-partition */ drop table ${name}`);
  return expired;
}
