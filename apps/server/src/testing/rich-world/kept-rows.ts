import type { Pool } from "pg";

export type Values = Record<string, unknown>;
export const at = (seconds: number): string => new Date(seconds * 1000).toISOString();

/** Adds rows as time makes them: what happened long ago, or at one moment. Columns that a row does not name have their defaults. */
export async function put(pool: Pool, table: string, rows: readonly Values[]): Promise<void> {
  for (const row of rows) {
    const columns = Object.keys(row).join(", ");
    await pool.query(`insert into ${table} (${columns}) select ${columns} from jsonb_populate_record(null::${table}, $1)`, [
      JSON.stringify(row),
    ]);
  }
}
