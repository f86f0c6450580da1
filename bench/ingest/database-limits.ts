import { copyRows } from "@busbar/server/db/copy-rows.ts";
import type { Pool } from "@busbar/server/db/pool.ts";

const columns = "serial_number, ts, version, flag, line_frequency, current1, current2, current3, voltage1, voltage2, voltage3".split(", ");
const rowsPerChunk = 2_000;

/** How fast the database takes rows that are stored already, again, when nothing is before it. */
export interface DatabaseLimits {
  rows: number;
  /** Rows a second of raw COPY into the same keyed and partitioned table: the best of `times` runs. */
  copyRate: (connections: 1 | 2, times: number) => Promise<number>;
  /** Rows a second when each row is a transaction of its own, on one connection. */
  oneRowCommits: (seconds: number) => Promise<number>;
}

export async function readDatabaseLimits(pool: Pool, maxRows: number): Promise<DatabaseLimits> {
  const rows = await readStoredRows(pool, maxRows);
  const middle = rows.length >> 1;
  const parts = { 1: [rows], 2: [rows.slice(0, middle), rows.slice(middle)] };
  return {
    rows: rows.length,
    copyRate: (connections, times) => bestOf(times, () => copyRate(pool, parts[connections])),
    oneRowCommits: (seconds) => oneRowCommitRate(pool, rows, seconds),
  };
}

async function readStoredRows(pool: Pool, maxRows: number): Promise<string[]> {
  const { rows } = await pool.query<Record<string, string>>({
    text: `select ${columns.map((column) => `coalesce(${column}::text, '\\N') as ${column}`).join(", ")} from scalar order by ts limit ${maxRows}`,
  });
  return rows.map((row) => `${columns.map((column) => row[column] ?? "\\N").join("\t")}\n`);
}

async function bestOf(times: number, measure: () => Promise<number>): Promise<number> {
  let best = 0;
  for (let run = 0; run < times; run++) best = Math.max(best, await measure());
  return best;
}

async function makeTable(pool: Pool): Promise<void> {
  await pool.query("drop table if exists bench_scalar");
  await pool.query("create table bench_scalar (like scalar including defaults, primary key (serial_number, ts)) partition by range (ts)");
  await pool.query("create table bench_scalar_all partition of bench_scalar default");
  await pool.query("checkpoint");
}

async function copyRate(pool: Pool, parts: readonly string[][]): Promise<number> {
  await makeTable(pool);
  const count = parts.reduce((sum, part) => sum + part.length, 0);
  const startedAt = performance.now();
  await Promise.all(parts.map((part) => copyPart(pool, part)));
  const perSecond = (count / (performance.now() - startedAt)) * 1_000;
  await pool.query("drop table bench_scalar");
  return perSecond;
}

async function copyPart(pool: Pool, rows: readonly string[]): Promise<void> {
  const client = await pool.connect();
  try {
    await copyRows(client, "bench_scalar", columns, chunksOf(rows));
  } finally {
    client.release();
  }
}

function* chunksOf(rows: readonly string[]): Generator<string> {
  for (let from = 0; from < rows.length; from += rowsPerChunk) yield rows.slice(from, from + rowsPerChunk).join("");
}

async function oneRowCommitRate(pool: Pool, rows: readonly string[], seconds: number): Promise<number> {
  await makeTable(pool);
  const client = await pool.connect();
  const text = `insert into bench_scalar (${columns.join(", ")}) values (${columns.map((_, index) => `$${index + 1}`).join(", ")})`;
  try {
    let count = 0;
    const startedAt = performance.now();
    for (const row of rows) {
      if (performance.now() - startedAt > seconds * 1_000) break;
      const values = row
        .trimEnd()
        .split("\t")
        .map((value) => (value === "\\N" ? null : value));
      await client.query({ name: "one-row", text, values });
      count++;
    }
    return (count / (performance.now() - startedAt)) * 1_000;
  } finally {
    client.release();
    await pool.query("drop table bench_scalar");
  }
}
