import type { Pool } from "pg";

/**
 * Lets `now()` and `clock_timestamp()` of this database, also those of its columns' defaults, follow a clock of the test: what is written
 * has the same time in every run. Returns what sets it.
 */
export async function fixDatabaseTime(pool: Pool, startMs: number): Promise<(nowMs: number) => Promise<void>> {
  // PostgreSQL runs its own functions without a look at what they are, but for those that it can write into a statement: one without a table.
  const replace = (name: string) =>
    `create or replace function pg_catalog.${name}() returns timestamptz language sql stable as 'select fixed_time.present()'`;
  await pool.query(
    `begin; set local allow_system_table_mods = on;
     create schema fixed_time; create table fixed_time.time (at timestamptz not null);
     insert into fixed_time.time values (to_timestamp(${startMs} / 1000.0));
     create function fixed_time.present() returns timestamptz language sql stable as 'select at from fixed_time.time';
     ${replace("now")}; ${replace("clock_timestamp")}; commit`,
  );
  return async (nowMs) => void (await pool.query("update fixed_time.time set at = to_timestamp($1 / 1000.0)", [nowMs]));
}
