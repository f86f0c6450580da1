import { ensureSensorDataPartitions } from "@busbar/server/db/sensor-data-partitions.ts";
import { createNodeFilesReadModel } from "@busbar/server/features/files/node-files/node-files.read-model.ts";
import { createSensorDataReadModel } from "@busbar/server/features/telemetry/sensor-data/sensor-data.read-model.ts";
import { dataFileKinds } from "@busbar/contract/files/data-file-name.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMs } from "../lib/format-figure.ts";
import { createLatencies } from "../lib/latencies.ts";
import { openBenchDatabase } from "../lib/open-bench-database.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";

const firstSerial = 10_000;
const start = Date.UTC(2026, 0, 1) / 1000;
const rowsPerStep = 500_000;

/** P10: pages of the file list in both directions and steps of sensor data, at random places of a table of ten million files. */
export async function benchFileList(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const rows = isShort ? 5_000 : 10_000_000;
  const nodes = isShort ? 100 : 10_000;
  const questions = isShort ? 5 : 2_000;
  const pool = await openBenchDatabase(context);
  await pool.query("insert into node (serial_number) select generate_series($1::int4, $2::int4)", [firstSerial, firstSerial + nodes - 1]);
  const perNode = rows / nodes;
  say(`generating ${formatCount(rows)} rows`);
  // In the order of arrival, as they come: all nodes of one interval, then the next.
  const intervalsPerStep = Math.max(1, Math.floor(rowsPerStep / nodes));
  for (let from = 0; from < perNode; from += intervalsPerStep) {
    await pool.query(
      `insert into data_file (serial_number, ts, kind, file_name, interval_seconds, content_hash, md5, stored_bytes, is_gzip, received_at, source, processed)
       select s, to_timestamp($3::float8 + 900 * (n / 2)), case n % 2 when 0 then 'D' else 'S' end,
         s || '_20260101T000000Z_D0900.txt', 900, sha256((s * 100000 + n)::text::bytea), '\\x00', 1500, true, now(), 'node', true
       from generate_series($4::int4, $5::int4 - 1) n, generate_series($1::int4, $2::int4) s`,
      [firstSerial, firstSerial + nodes - 1, start, from, Math.min(from + intervalsPerStep, perNode)],
    );
  }
  // Ten years of records whose files are gone: as many partitions as there are in the end.
  say("generating records");
  const months = isShort ? 6 : 120;
  for (let ago = months; ago > 0; ago--) {
    const month = Date.UTC(2026, -ago, 1) / 1000;
    await ensureSensorDataPartitions(pool, [month]);
    await pool.query(
      "insert into sensor_data (serial_number, ts, interval_seconds, data) select s, to_timestamp($3::float8 + 900 * n), 900, '{}' from generate_series(0, 4) n, generate_series($1::int4, $2::int4) s",
      [firstSerial, firstSerial + nodes - 1, month],
    );
  }
  say("vacuuming");
  await pool.query("vacuum analyze data_file, sensor_data");

  const files = createNodeFilesReadModel(pool);
  const sensorData = createSensorDataReadModel(pool);
  const randomSerial = () => firstSerial + Math.floor(Math.random() * nodes);
  const randomTime = () => start + 900 * Math.floor((Math.random() * perNode) / 2);
  const list = (edge: "before" | "after", kinds: readonly ("D" | "S")[]) => () => {
    const range = { before: undefined, after: undefined, [edge]: randomTime() } as {
      before: number | undefined;
      after: number | undefined;
    };
    return files.list({ serial: randomSerial(), ...range, limit: 100, kinds });
  };
  const asks: [string, () => Promise<unknown>][] = [
    ["100 data files before a time", list("before", ["D"])],
    ["100 data files after a time", list("after", ["D"])],
    ["100 files of all kinds before a time", list("before", dataFileKinds as readonly ("D" | "S")[])],
    ["latest 100", () => files.list({ serial: randomSerial(), before: undefined, after: undefined, limit: 100, kinds: ["D"] })],
    ["summary", () => files.summary(randomSerial())],
    ["sensor data, previous", () => sensorData.find(randomSerial(), "previous", randomTime())],
    ["sensor data, next", () => sensorData.find(randomSerial(), "next", randomTime())],
    ["sensor data, previous, years ago", () => sensorData.find(randomSerial(), "previous", randomTime() - 4 * 365 * 86_400)],
    ["sensor data, next, years ago", () => sensorData.find(randomSerial(), "next", randomTime() - 4 * 365 * 86_400)],
  ];
  const report = createReport("file-list", `${formatCount(rows)} files of ${formatCount(nodes)} nodes`);
  const table = { columns: ["question", "asked", "p50 ms", "p95 ms", "p99 ms"], rows: [] as (string | number)[][] };
  let empty = 0;
  for (const [name, ask] of asks) {
    say(name);
    const latencies = createLatencies();
    for (let count = 0; count < questions; count++) {
      const beganAt = performance.now();
      const answer = await ask();
      latencies.add(performance.now() - beganAt);
      if (answer === undefined && name === "summary") empty++;
    }
    const { p50Ms, p95Ms, p99Ms } = latencies.summary();
    table.rows.push([name, formatCount(questions), formatMs(p50Ms), formatMs(p95Ms), formatMs(p99Ms)]);
    report.facts[`${name.replaceAll(/\W+/g, "_")}_p95Ms`] = p95Ms;
  }
  report.tables.push(table);
  report.notes.push(
    "Each question is one round trip to the database, at a random node and time: most of them find their pages cold or in the system's cache.",
  );
  expectNone(report, "nodes without a summary", empty);
  return report;
}
