import type { Pool } from "@busbar/server/db/pool.ts";

const rowsAtOnce = 10_000;

/** Writes scalars until the database's log has grown by so much since a checkpoint; returns how much it is. */
export async function writeMuchLog(pool: Pool, bytes: number): Promise<number> {
  await pool.query("checkpoint");
  const { rows } = await pool.query<{ at: string }>("select pg_current_wal_lsn()::text as at");
  const startedAt = rows[0]?.at;
  const grown = async () => {
    const { rows } = await pool.query<{ bytes: string }>("select pg_current_wal_lsn() - $1::pg_lsn as bytes", [startedAt]);
    return Number(rows[0]?.bytes);
  };
  for (let batch = 0; (await grown()) < bytes; batch++) {
    // In the order in which scalars come: one after the other in time, all nodes at each.
    await pool.query(
      `insert into scalar (serial_number, ts, version, flag, line_frequency, current1, current2, current3, voltage1, voltage2, voltage3)
       select 10000 + i, date_trunc('day', now()) + $1 * interval '10 ms', 1, 1, 60, random(), random(), random(), random(), random(), random()
       from generate_series(0, ${rowsAtOnce - 1}) i on conflict do nothing`,
      [batch],
    );
  }
  return grown();
}
