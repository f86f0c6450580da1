import { join } from "node:path";
import { openDatabase } from "@busbar/server/db/database.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { createNodeSignalsStore } from "@busbar/server/features/telemetry/node-verdicts/node-signals.store.ts";
import { createNodeVerdicts } from "@busbar/server/features/telemetry/node-verdicts/node-verdicts.task.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import type { Task } from "@busbar/server/services/service.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatPercent } from "../lib/format-figure.ts";
import { processUsage } from "../lib/process-usage.ts";
import { createReport, type Report } from "../lib/report.ts";
import { seedFleet } from "../lib/seed-fleet.ts";

const scalarSeconds = 10;
const targetShare = 0.05;
const startedAt = Math.floor(Date.now() / 1_000);

interface Cost {
  programSeconds: number;
  databaseSeconds: number;
  wallSeconds: number;
}
const total = ({ programSeconds, databaseSeconds }: Cost) => programSeconds + databaseSeconds;

/** Faults that are planted, each in one of a hundred nodes: SQL that plants it, and the verdict that it is to have. */
const planted = [
  ["away", "is_connected = false, connection_changed_at = to_timestamp($1 - 7 * (serial_number - 10000))"],
  ["silent", "last_scalar_at = to_timestamp($1 - 7200), connection_changed_at = to_timestamp($1 - 9000)"],
  ["sensor", "is_sensor_ok = false"],
  ["clock", "clock_skew_ms = -86400000, last_scalar_at = to_timestamp($1 - 86400), oldest_value_at = to_timestamp($1 - 86400)"],
  ["partial", "oldest_value_at = to_timestamp($1 - 7200)"],
  ["files", "newest_datafile_at = to_timestamp($1 - 7200)"],
] as const;

/** The job NodeVerdicts against a database: a run every five seconds while 10,000 nodes send a scalar each ten. */
export async function benchVerdicts(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const nodes = isShort ? 500 : 10_000;
  const runs = isShort ? 3 : 24;
  const pool = await openSeeded(context, nodes);
  const [{ pid } = { pid: 0 }] = (await pool.query<{ pid: number }>("select pg_backend_pid() as pid")).rows;
  let now = startedAt;
  const clock = { now: () => now * 1_000, monotonic: () => now * 1_000 };
  const task = createNodeVerdicts({ pool, store: createNodeSignalsStore(pool), clock });

  say("the first run: every node");
  const first = await costOf(task, pid);
  const steady: Cost[] = [];
  for (let run = 0; run < runs; run++) {
    now += task.intervalSeconds;
    await sendScalars(pool, now, run, (run % 2) + 1);
    steady.push(await costOf(task, pid));
  }
  say("a run in which nothing changed");
  const idle = await costOf(task, pid);
  now += task.intervalSeconds;
  await sendScalars(pool, now, runs, 0);
  for (const [index, [, columns]] of planted.entries())
    await pool.query(
      `update node_live set ${columns}, changed_xid = pg_current_xact_id() where serial_number % 100 = ${index} and $1::float8 > 0`,
      [now],
    );
  say("a run that finds the planted faults");
  const faults = await costOf(task, pid);
  const report = reportOf(nodes, { first, idle, faults }, steady);
  await comparePlanted(pool, report);
  return report;
}

/** Half of the nodes send; both halves with 0. */
const sendScalars = (pool: Pool, at: number, run: number, half: number) =>
  pool.query(
    `update node_live set last_scalar_at = to_timestamp($1), oldest_value_at = to_timestamp($1), last_meter_at = to_timestamp($1), last_seen_at = to_timestamp($1),
       last_scalar_data = '1,1,' || $2::int4, changed_xid = pg_current_xact_id() where $3::int4 = 0 or serial_number % 2 = $3 - 1`,
    [at, run, half],
  );

async function costOf(task: Task, pid: number): Promise<Cost> {
  const before = processUsage(pid)?.cpuSeconds ?? Number.NaN;
  const cpu = process.cpuUsage();
  const beganAt = performance.now();
  await task.run(new AbortController().signal);
  const { user, system } = process.cpuUsage(cpu);
  return {
    programSeconds: (user + system) / 1e6,
    databaseSeconds: (processUsage(pid)?.cpuSeconds ?? Number.NaN) - before,
    wallSeconds: (performance.now() - beganAt) / 1_000,
  };
}

async function openSeeded({ folder, undo, say }: BenchContext, nodes: number): Promise<Pool> {
  const dataDir = join(folder, "data");
  say(`seeding ${formatCount(nodes)} nodes`);
  await seedFleet({
    dataDir,
    nodes,
    connected: nodes,
    async also(pool) {
      await pool.query(
        `update node_live set connection_changed_at = to_timestamp($1 - 86400), last_scalar_at = to_timestamp($1), oldest_value_at = to_timestamp($1),
           last_meter_at = to_timestamp($1), newest_datafile_at = to_timestamp($1 - 900), last_one_second_file_at = to_timestamp($1 - 900)`,
        [startedAt],
      );
    },
  });
  const database = await openDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
  undo.add(() => database.stop(5_000));
  // One connection, so that its backend's time is that of the job.
  const pool = createPool(database.url, { max: 1 });
  undo.add(() => pool.end());
  return pool;
}

async function comparePlanted(pool: Pool, report: Report): Promise<void> {
  const { rows } = await pool.query<{ serial: number; kind: string }>("select serial_number as serial, kind from node_verdict");
  let right = 0;
  let found = 0;
  let due = 0;
  for (const { serial, kind } of rows) {
    const expected = planted[serial % 100]?.[0] ?? "fine";
    if (expected !== "fine") due++;
    if (kind !== "fine") found++;
    if (expected !== "fine" && kind === expected) right++;
  }
  Object.assign(report.facts, { precision: right / found, recall: right / due });
  report.notes.push(
    `Planted faults: ${formatCount(due)}, precision ${formatPercent(right / found)}, recall ${formatPercent(right / due)}.`,
  );
  if (right < due || right < found) report.failures.push(`${right} of ${due} planted faults have their verdict, ${found} nodes have one`);
}

function reportOf(nodes: number, once: { first: Cost; idle: Cost; faults: Cost }, steady: readonly Cost[]): Report {
  const report = createReport("verdicts", `${formatCount(nodes)} nodes, a scalar per ${scalarSeconds} s, a run per 5 s`);
  const all = steady.reduce((sum, cost) => ({
    programSeconds: sum.programSeconds + cost.programSeconds,
    databaseSeconds: sum.databaseSeconds + cost.databaseSeconds,
    wallSeconds: sum.wallSeconds + cost.wallSeconds,
  }));
  const mean = (value: number) => value / steady.length;
  const share = mean(total(all)) / 5;
  const row = (name: string, { programSeconds, databaseSeconds, wallSeconds }: Cost) => [
    name,
    programSeconds.toFixed(3),
    databaseSeconds.toFixed(3),
    wallSeconds.toFixed(3),
  ];
  report.tables.push({
    columns: ["run", "CPU s, program", "CPU s, database", "seconds"],
    rows: [
      row("the first: every node", once.first),
      row("while all send (mean)", {
        programSeconds: mean(all.programSeconds),
        databaseSeconds: mean(all.databaseSeconds),
        wallSeconds: mean(all.wallSeconds),
      }),
      row("nothing changed", once.idle),
      row("six in a hundred get a fault", once.faults),
    ],
  });
  report.notes.push(
    `${formatPercent(share)} of a core, program and database; target: below ${formatPercent(targetShare)} for 10,000 nodes.`,
  );
  report.facts = {
    coreShare: share,
    programSeconds: mean(all.programSeconds),
    databaseSeconds: mean(all.databaseSeconds),
    firstSeconds: once.first.wallSeconds,
  };
  return report;
}
