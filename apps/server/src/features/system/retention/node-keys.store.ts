import type { Pool } from "pg";
import { prepared } from "#db/statement.ts";

/** The next serial numbers that a table has rows of, in their order: one step of its key each, however many rows they have. */
export async function serialsAfter(pool: Pool, table: "data_file" | "node_event", after: number, limit: number): Promise<number[]> {
  const rows = await prepared<{ serial: number }>(pool, `serials-of-${table}`, [after, limit])`with recursive serials (serial) as (
      (select serial_number from ${table} where serial_number > $1 order by serial_number limit 1)
      union all
      select (select serial_number from ${table} where serial_number > s.serial order by serial_number limit 1) from serials s where s.serial is not null)
    select serial from serials where serial is not null limit $2`;
  return rows.map(({ serial }) => serial);
}
