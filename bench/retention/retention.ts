import { join } from "node:path";
import { systemClock } from "@busbar/server/lib/clock.ts";
import { createFolderFileStore } from "@busbar/server/lib/file-store.ts";
import { createExpiredFilesStore } from "@busbar/server/features/system/retention/expired-files.store.ts";
import { createExpiredFiles } from "@busbar/server/features/system/retention/expired-files.ts";
import { createExpiredRowsStore } from "@busbar/server/features/system/retention/expired-rows.store.ts";
import { createRetentionPruner } from "@busbar/server/features/system/retention/retention-pruner.task.ts";
import type { Pool } from "@busbar/server/db/pool.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount } from "../lib/format-figure.ts";
import { openBenchDatabase } from "../lib/open-bench-database.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";

const firstSerial = 10_000;
const daySeconds = 86_400;
const rowsPerStep = 500_000;
/** Of the benchmark's pool. */
const connections = 8;

/** What the pruner costs when nothing is due, and how fast it removes an hour's worth of what is, in full tables. */
export async function benchRetention(context: BenchContext): Promise<Report> {
  const { isShort, folder, say } = context;
  const nodes = isShort ? 100 : 10_000;
  const files = isShort ? 5_000 : 10_000_000;
  const others = isShort ? 5_000 : 2_000_000;
  const expired = isShort ? 500 : 80_000;
  const pool = await openBenchDatabase(context);
  await pool.query("insert into node (serial_number) select generate_series($1::int4, $2::int4)", [firstSerial, firstSerial + nodes - 1]);
  say(`generating ${formatCount(files)} files, ${formatCount(others)} events and activities`);
  const now = Date.now() / 1000;
  const insertFiles = (from: number, to: number, start: number) =>
    pool.query(
      `insert into data_file (serial_number, ts, kind, file_name, interval_seconds, content_hash, md5, stored_bytes, is_gzip, received_at, source, processed)
       select s, to_timestamp($3::float8 + 900 * n), 'D', s || '_' || n, 900, sha256((s * 100000 + n)::text::bytea), '\\x00', 1500, true,
         to_timestamp($3::float8 + 900 * n + 900), 'node', true
       from generate_series($4::int4, $5::int4 - 1) n, generate_series($1::int4, $2::int4) s`,
      [firstSerial, firstSerial + nodes - 1, start, from, to],
    );
  // Made again afterwards: ten million entries, one by one, take longer.
  await pool.query("drop index data_file_content");
  const perNode = files / nodes;
  const step = Math.max(1, Math.floor(rowsPerStep / nodes));
  for (let from = 0; from < perNode; from += step) await insertFiles(from, Math.min(from + step, perNode), now - 89 * daySeconds);
  await pool.query(
    "insert into node_event (serial_number, ts, kind, body) select $1 + n % $2::int4, to_timestamp($3::float8 + n), 'start', '{}' from generate_series(1, $4::int4) n",
    [firstSerial, nodes, now - 1_000 * daySeconds, others],
  );
  await pool.query(
    "insert into activity (ts, actor_type, actor, action, description) select to_timestamp($1::float8 + n), 'User', 'kim', 'LOGIN', 'x' from generate_series(1, $2::int4) n",
    [now - 700 * daySeconds, others],
  );
  say("indexing and vacuuming");
  await pool.query("create index data_file_content on data_file using hash (content_hash)");
  await pool.query("vacuum analyze");

  const pruner = createRetentionPruner({
    pool,
    clock: systemClock,
    files: createExpiredFiles({
      pool,
      store: createExpiredFilesStore(pool),
      fileStore: createFolderFileStore(join(folder, "files"), { isDurable: false }),
      clock: systemClock,
    }),
    rows: createExpiredRowsStore(pool),
    readDays: () => Promise.resolve({ scalars: 3, files: 90, sensorData: 3_650, events: 1_825, notifications: 730, activities: 730 }),
  });
  const report = createReport(
    "retention",
    `${formatCount(files)} files of ${formatCount(nodes)} nodes, ${formatCount(others)} events and activities`,
  );
  const table = { columns: ["run", "removed", "seconds", "rows read one by one"], rows: [] as string[][] };
  const run = async (name: string, expected: number) => {
    say(name);
    const before = await scannedRows(pool);
    const beganAt = performance.now();
    const outcome = await pruner.run(new AbortController().signal);
    const seconds = (performance.now() - beganAt) / 1_000;
    const scanned = (await scannedRows(pool)) - before;
    const count = typeof outcome === "number" ? outcome : outcome.processedCount;
    table.rows.push([name, formatCount(count), seconds.toFixed(2), formatCount(scanned)]);
    report.facts[`${name.replaceAll(" ", "_")}_seconds`] = seconds;
    expectNone(report, `${name}: rows that were to go and stayed, or the other way round`, Math.abs(count - expected));
    // Small tables are read as a whole, because that is quicker.
    if (!isShort) expectNone(report, `${name}: rows of large tables that were read one by one`, scanned);
  };
  await run("the first", 0);
  await run("nothing to do", 0);
  await insertFiles(0, expired / nodes, now - 100 * daySeconds);
  await run("files to remove", expired);
  report.tables.push(table);
  report.notes.push("The bytes of the files are not there: what removing them costs is the file system's.");
  return report;
}

/** Rows that sequential scans of the large tables have read so far. */
async function scannedRows(pool: Pool): Promise<number> {
  // Each connection keeps its counts for a while before it writes them down.
  await Promise.all(Array.from({ length: connections }, () => pool.query("select pg_stat_force_next_flush(), pg_sleep(0.05)")));
  const { rows } = await pool.query<{ count: number }>(
    "select coalesce(sum(seq_tup_read), 0)::float8 as count from pg_stat_user_tables where relname in ('data_file', 'node_event', 'activity', 'alarm', 'notification')",
  );
  return rows[0]?.count ?? 0;
}
