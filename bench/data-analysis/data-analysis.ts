import { join } from "node:path";
import { openDatabase } from "@busbar/server/db/database.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { createAlarmsStore } from "@busbar/server/features/alarms/alarms/alarms.store.ts";
import { createDataAnalysisStore } from "@busbar/server/features/alarms/alarms/data-analysis.store.ts";
import { createDataAnalysis } from "@busbar/server/features/alarms/alarms/data-analysis.task.ts";
import { createDataPointAlerts } from "@busbar/server/features/alarms/data-point-alerts/data-point-alerts.service.ts";
import { createFileExtractionStore } from "@busbar/server/features/files/file-extraction/file-extraction.store.ts";
import { createFileExtraction } from "@busbar/server/features/files/file-extraction/file-extraction.task.ts";
import { createSecondSeriesReader } from "@busbar/server/features/files/file-extraction/second-series.reader.ts";
import { systemClock } from "@busbar/server/lib/clock.ts";
import { createFolderFileStore } from "@busbar/server/lib/file-store.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import { makeFleet } from "@busbar/simulator/make-fleet.ts";
import type { SimNode } from "@busbar/simulator/node-model/sim-node.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatPercent } from "../lib/format-figure.ts";
import { processUsage } from "../lib/process-usage.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { firstSerial, seedFleet } from "../lib/seed-fleet.ts";
import { storeFleetFiles } from "../lib/store-fleet-files.ts";

const seed = 7;
const intervalSeconds = 900;
const idleRuns = 20;
const limits = { underloadPercent: 40, startsPerHour: 6, signaturePercent: 3 };

/** The data points and one-second files of a whole fleet for a quarter of an hour, from extracted to judged; and a run without work. */
export async function benchDataAnalysis(context: BenchContext): Promise<Report> {
  const { isShort, folder, say } = context;
  const nodes = isShort ? 60 : 10_000;
  const fleet = makeFleet({ seed, count: nodes, firstSerial });
  const pool = await openSeeded(context, fleet);
  const fileStore = createFolderFileStore(join(folder, "files"), { isDurable: false });
  const timestamp = (Math.floor(Date.now() / 900_000) - 1) * intervalSeconds;
  say(`making ${formatCount(2 * nodes)} files`);
  await storeFleetFiles({ pool, fileStore, seed, fleet, timestamp });
  say("extracting");
  const { signal } = new AbortController();
  await createFileExtraction({ pool, store: createFileExtractionStore(pool), fileStore, clock: systemClock }).run(signal);
  await pool.query("analyze");

  say("judging");
  const messages: string[] = [];
  const task = createDataAnalysis({
    pool,
    store: createDataAnalysisStore(pool),
    alarms: createAlarmsStore(pool),
    clock: systemClock,
    limits: () => Promise.resolve(limits),
    readSeconds: createSecondSeriesReader(fileStore),
    notify: (_client, raised) => Promise.resolve(void messages.push(...raised.map(({ kind }) => kind))),
    reviewDataPoints: createDataPointAlerts({
      mail: { enqueue: () => Promise.resolve(undefined) },
      clock: systemClock,
      internalRecipients: () => Promise.resolve([]),
      environment: "Bench",
    }).review,
  });
  const [{ pid } = { pid: 0 }] = (await pool.query<{ pid: number }>("select pg_backend_pid() as pid")).rows;
  const measure = async (work: () => Promise<number>) => {
    const before = processUsage(pid)?.cpuSeconds ?? Number.NaN;
    const cpu = process.cpuUsage();
    const beganAt = performance.now();
    const files = await work();
    const { user, system } = process.cpuUsage(cpu);
    return {
      files,
      seconds: (performance.now() - beganAt) / 1_000,
      nodeSeconds: (user + system) / 1e6,
      databaseSeconds: (processUsage(pid)?.cpuSeconds ?? Number.NaN) - before,
    };
  };
  const judged = await measure(async () => Number(await task.run(signal)));
  const idle = await measure(async () => {
    for (let run = 0; run < idleRuns; run++) await task.run(signal);
    return 0;
  });
  const { rows } = await pool.query<{ waiting: number; alarms: number }>(
    `select count(*) filter (where processed and data_analysis_processed is null)::int as waiting, (select count(*)::int from alarm) as alarms from data_file`,
  );
  const { waiting = 0, alarms = 0 } = rows[0] ?? {};

  const report = createReport("data-analysis", `${formatCount(judged.files)} files of ${formatCount(nodes)} nodes`);
  const cpuSeconds = judged.nodeSeconds + judged.databaseSeconds;
  report.tables.push({
    columns: ["files", "seconds", "CPU s, program", "CPU s, database", "of a core in a quarter of an hour", "alarms"],
    rows: [
      [
        formatCount(judged.files),
        judged.seconds.toFixed(1),
        judged.nodeSeconds.toFixed(1),
        judged.databaseSeconds.toFixed(1),
        formatPercent(cpuSeconds / intervalSeconds),
        formatCount(alarms),
      ],
    ],
  });
  report.notes.push(`A run without work takes ${((1_000 * idle.seconds) / idleRuns).toFixed(1)} ms; there is one every 15 s.`);
  report.facts = {
    filesPerSecond: judged.files / judged.seconds,
    coreShare: cpuSeconds / intervalSeconds,
    idleMs: (1_000 * idle.seconds) / idleRuns,
  };
  expectNone(report, "files that were left waiting", waiting);
  if (alarms === 0 || messages.length !== alarms) report.failures.push(`${alarms} alarms and ${messages.length} messages`);
  return report;
}

async function openSeeded({ folder, undo, say }: BenchContext, fleet: readonly SimNode[]): Promise<Pool> {
  const dataDir = join(folder, "data");
  say(`seeding ${formatCount(fleet.length)} nodes`);
  await seedFleet({
    dataDir,
    nodes: fleet.length,
    connected: 0,
    also: async (pool) => {
      await pool.query(
        `insert into node_config (serial_number, told_at, config_values) select (v ->> 'serial')::int4, now(), v from jsonb_array_elements($1) v`,
        [JSON.stringify(fleet.map((node) => ({ serial: node.serial, ...configOf(node) })))],
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

function configOf({ npVoltage, npCurrent, npFrequency }: SimNode): Record<string, string> {
  return {
    eq_type: npFrequency === 0 ? "dc" : "ac",
    np_voltage: String(npVoltage),
    np_current: String(npCurrent),
    i_noise: String(0.01 * npCurrent),
    v_noise: "5",
    start_seconds: "10",
  };
}
