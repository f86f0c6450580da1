import { join } from "node:path";
import { openDatabase } from "@busbar/server/db/database.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { createAlarmEvaluation } from "@busbar/server/features/alarms/alarms/alarm-evaluation.task.ts";
import { createAlarmsStore } from "@busbar/server/features/alarms/alarms/alarms.store.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import type { Task } from "@busbar/server/services/service.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatPercent } from "../lib/format-figure.ts";
import { processUsage } from "../lib/process-usage.ts";
import { createReport, type Report } from "../lib/report.ts";
import { firstSerial, seedFleet } from "../lib/seed-fleet.ts";

const sampleSeconds = 10;
const runSeconds = 60;
const targetShare = 0.15;
/** One node in a hundred is above its voltage limit, and so has an alarm. */
const alarmedShare = 100;
const startedAt = Math.floor(Date.now() / 60_000) * 60 - 1_800;
const limits = { underloadPercent: 40, startsPerHour: 6, signaturePercent: 3 };

interface Cost {
  nodeSeconds: number;
  databaseSeconds: number;
  wallSeconds: number;
  scalars: number;
}

/** The job AlarmEvaluation against a database: a run a minute for a whole fleet, and the first run of a process that takes over. */
export async function benchAlarmEvaluation(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const nodes = isShort ? 100 : 10_000;
  const steadyRuns = isShort ? 2 : 5;
  const pool = await openSeeded(context, nodes, (steadyRuns + 3) * runSeconds);
  let now = startedAt;
  const newTask = (): Task =>
    createAlarmEvaluation({
      pool,
      store: createAlarmsStore(pool),
      clock: { now: () => now * 1_000, monotonic: () => now * 1_000 },
      limits: () => Promise.resolve(limits),
      notify: () => Promise.resolve(),
    });
  const [{ pid } = { pid: 0 }] = (await pool.query<{ pid: number }>("select pg_backend_pid() as pid")).rows;

  const task = newTask();
  say("the first run ever");
  await costOf(task, pid);
  const steady: Cost[] = [];
  for (let run = 0; run < steadyRuns; run++) {
    now += runSeconds;
    say(`run ${run + 1} of ${steadyRuns}`);
    steady.push(await costOf(task, pid));
  }
  now += runSeconds;
  say("another process takes over: means of 5 minutes");
  const short = await costOf(newTask(), pid);
  await pool.query("update node set long_term_over_current_averaging_period = 60");
  now += runSeconds;
  say("another process takes over: means of an hour");
  const long = await costOf(newTask(), pid);
  const { rows } = await pool.query<{ count: number }>("select count(*)::int as count from alarm");
  return reportOf(nodes, steady, { short, long }, rows[0]?.count ?? 0);
}

async function costOf(task: Task, pid: number): Promise<Cost> {
  const before = processUsage(pid)?.cpuSeconds ?? Number.NaN;
  const cpu = process.cpuUsage();
  const beganAt = performance.now();
  const scalars = Number(await task.run(new AbortController().signal));
  const { user, system } = process.cpuUsage(cpu);
  return {
    nodeSeconds: (user + system) / 1e6,
    databaseSeconds: (processUsage(pid)?.cpuSeconds ?? Number.NaN) - before,
    wallSeconds: (performance.now() - beganAt) / 1_000,
    scalars,
  };
}

/** A fleet with nameplates, and scalars of an hour and the coming runs, in the order in which ingest writes them. */
async function openSeeded({ folder, undo, say }: BenchContext, nodes: number, seconds: number): Promise<Pool> {
  const dataDir = join(folder, "data");
  say(`seeding ${formatCount(nodes)} nodes`);
  await seedFleet({
    dataDir,
    nodes,
    connected: nodes,
    async also(pool) {
      await pool.query(`insert into node_config (serial_number, told_at, config_values) select serial_number, now(), $1 from node`, [
        JSON.stringify({
          eq_type: "ac",
          np_voltage: "460",
          np_current: "124",
          i_noise: "1.24",
          v_noise: "5",
          start_seconds: "10",
          starter: "FVNR",
        }),
      ]);
      const minutes = (3_600 + seconds) / 60;
      say(`writing ${formatCount((nodes * minutes * 60) / sampleSeconds)} scalars`);
      for (let minute = -60; minute < seconds / 60; minute++) {
        await pool.query(
          `insert into scalar (serial_number, ts, version, flag, line_frequency, current1, current2, current3, voltage1, voltage2, voltage3)
           select n, to_timestamp($1 + tick + (n % 100) / 10.0), 1, 1, 60, 90 + 10 * random(), 90 + 10 * random(), 90 + 10 * random(), v, v, v
           from generate_series(0, 50, ${sampleSeconds}) tick cross join generate_series($2::int4, $3) n
           cross join lateral (select case when n % ${alarmedShare} = 0 then 505 else 455 + 10 * random() end as v) v order by tick, n % 100`,
          [startedAt + 60 * minute, firstSerial, firstSerial + nodes - 1],
        );
      }
    },
  });
  const database = await openDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
  undo.add(() => database.stop(5_000));
  // One connection, so that its backend's time is that of the job.
  const pool = createPool(database.url, { max: 1 });
  undo.add(() => pool.end());
  return pool;
}

function reportOf(nodes: number, steady: readonly Cost[], takeOver: { short: Cost; long: Cost }, alarms: number): Report {
  const report = createReport(
    "alarm-evaluation",
    `${formatCount(nodes)} nodes, a scalar per ${sampleSeconds} s, a run per ${runSeconds} s`,
  );
  const total = ({ nodeSeconds, databaseSeconds }: Cost) => nodeSeconds + databaseSeconds;
  const byCost = steady.toSorted((a, b) => total(a) - total(b));
  const median = byCost[Math.floor(byCost.length / 2)]!;
  const row = (name: string, cost: Cost) => [
    name,
    formatCount(cost.scalars),
    cost.nodeSeconds.toFixed(2),
    cost.databaseSeconds.toFixed(2),
    cost.wallSeconds.toFixed(2),
    formatPercent(total(cost) / runSeconds),
  ];
  report.tables.push({
    columns: ["run", "scalars judged", "CPU s, program", "CPU s, database", "seconds", "of a core"],
    rows: [
      row("every minute (median)", median),
      row("every minute (highest)", byCost.at(-1)!),
      row("after take-over, means of 5 min", takeOver.short),
      row("after take-over, means of 1 h", takeOver.long),
    ],
  });
  report.notes.push(
    `Target: below ${formatPercent(targetShare)} of a core for 10,000 nodes. A run after a take-over reads the past of the longest mean first; it happens once.`,
  );
  report.facts = {
    coreShare: total(median) / runSeconds,
    nodeSeconds: median.nodeSeconds,
    databaseSeconds: median.databaseSeconds,
    takeOverSeconds: takeOver.long.wallSeconds,
  };
  const expected = nodes * (runSeconds / sampleSeconds);
  if (median.scalars < 0.95 * expected) report.failures.push(`${median.scalars} scalars judged in a run, ${expected} came`);
  if (alarms < nodes / alarmedShare) report.failures.push(`${alarms} alarms, at least ${nodes / alarmedShare} are due`);
  return report;
}
