import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMegabytes, formatMs, formatPercent } from "../lib/format-figure.ts";
import { startHelper } from "../lib/helper-process.ts";
import { processUsage, watchProcess } from "../lib/process-usage.ts";
import { treeCpuSeconds } from "../lib/process-tree.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { firstSerial, seedFleet } from "../lib/seed-fleet.ts";
import { readServerMetric } from "../lib/server-metrics.ts";
import { openServerDatabase, postgresFolder, startServerProcess, type ServerProcess } from "../lib/server-process.ts";
import { addressOf, startNodeLoad } from "../node-load/start-node-load.ts";
import type { LoadResult } from "../node-load/node-load.ts";
import { measureDatabaseLimits, type DatabaseLimits } from "./database-limits.ts";
import { compareStoredWithAcked, type StoredAgainstAcked } from "./stored-against-acked.ts";

const targetPerSecond = 20_000;
const shareForLatency = 0.6;
const overload = 3;
const mostRateSeconds = 60;
/** So many nodes take up the overload's excess in their own memory; what is more they lose. */
const heldBackInOverload = 20;

/** Processor microseconds for each message that was acknowledged. */
interface Effort {
  /** The broker alone, where nothing is stored. */
  server: number;
  database: number;
  generator: number;
}

interface Stage extends LoadResult {
  peakRssBytes: number;
  /** Processor time of the server, without its database, as a share of one core. */
  serverCores: number;
  effort: Effort;
}

interface Findings {
  connections: number;
  bare: LoadResult & { effort: Effort };
  limits: DatabaseLimits;
  highest: Stage;
  steady: Stage;
  flooded: Stage;
  comparison: StoredAgainstAcked;
}

/** P1, P1b, P2: how many messages a second are stored and committed, how late, and what happens under too many. */
export async function benchIngest(context: BenchContext): Promise<Report> {
  const { isShort, folder, undo, say } = context;
  const connections = context.connections ?? (isShort ? 100 : 500);
  const seconds = context.seconds ?? (isShort ? 0.5 : 20);
  // A rate needs no more; overload is what has to last.
  const rateSeconds = Math.min(seconds, mostRateSeconds);
  const warmupSeconds = isShort ? 0.2 : 3;
  const dataDir = join(folder, "data");

  say(`seeding ${connections} nodes`);
  await seedFleet({ dataDir, nodes: connections, connected: connections });
  const server = await startServerProcess({ dataDir, undo, profileDir: context.profileDir });
  const pool = openServerDatabase(dataDir);
  undo.add(() => pool.end());
  // Only what this run sends is compared at the end.
  await pool.query("truncate scalar");
  const load = await startNodeLoad(context);
  const databasePid = Number(readFileSync(join(postgresFolder(dataDir), "postmaster.pid"), "utf8").split("\n")[0]);
  const startedRssBytes = rssOf(server);
  await load.call("connect", { ...addressOf(server.urls.mqtt), firstSerial, count: connections });
  const connectedRssBytes = rssOf(server);

  const runStage = async (name: string, run: () => Promise<LoadResult>): Promise<Stage> => {
    say(name);
    const watch = watchProcess(server.pid);
    const startedAt = performance.now();
    const { result, effort } = await withEffort({ server: server.pid, database: databasePid, generator: load.pid }, run);
    const { peakRssBytes, cpuSeconds } = watch.stop();
    return { ...result, effort, peakRssBytes, serverCores: cpuSeconds / ((performance.now() - startedAt) / 1_000) };
  };

  const highest = await runStage("as fast as it goes", () =>
    load.call("closedLoop", { seconds: rateSeconds, warmupSeconds, window: windowOf(connections) }),
  );
  const perSecond = Math.round(Math.min(targetPerSecond, highest.ackedPerSecond * shareForLatency));
  const steady = await runStage(`${formatCount(perSecond)} messages a second`, () =>
    load.call("openLoop", { seconds: rateSeconds, warmupSeconds, perSecond, maxUnacked: 200, maxHeldBack: Infinity }),
  );
  const flood = Math.round(highest.ackedPerSecond * overload);
  const flooded = await runStage(`${formatCount(flood)} messages a second are offered`, () =>
    load.call("openLoop", {
      seconds,
      warmupSeconds,
      perSecond: flood,
      maxUnacked: unackedInOverload(connections),
      maxHeldBack: heldBackInOverload,
    }),
  );

  const logFile = join(folder, "sent.tsv");
  await load.call("writeLog", { file: logFile });
  await load.call("end", undefined);
  const comparison = await compareStoredWithAcked(pool, logFile);
  say("the same rows by COPY, and one by one");
  const limits = await measureDatabaseLimits(
    pool,
    isShort ? { times: 1, seconds: 0.5, maxRows: 20_000 } : { times: 3, seconds: 4, maxRows: 400_000 },
  );
  const rebirths = await readServerMetric(server.urls.console, "busbar_ingest_rebirth_requests_total");
  const quarantined = await readServerMetric(server.urls.console, "busbar_ingest_quarantined_total");
  say("the bare broker");
  const bare = await runBareBroker(context, connections, seconds, warmupSeconds);

  const report = present({ connections, bare, limits, highest, steady, flooded, comparison });
  for (const { unackedAtEnd } of [highest, steady, flooded]) expectNone(report, "messages without acknowledgement", unackedAtEnd);
  expectNone(report, "sessions that had to be requested a rebirth", rebirths);
  expectNone(report, "quarantined messages", quarantined);
  report.notes.push(
    `RSS just started ${formatMegabytes(startedRssBytes)}, with ${formatCount(connections)} connections ${formatMegabytes(connectedRssBytes)}.`,
  );
  Object.assign(report.facts, { startedRssBytes, connectedRssBytes });
  noteComplaints(report, server);
  return report;
}

// Together several times what the server holds at most.
const unackedInOverload = (connections: number): number => Math.max(4, Math.min(200, Math.ceil(40_000 / connections)));

const rssOf = (server: ServerProcess): number => processUsage(server.pid)?.rssBytes ?? 0;

// Many connections need few messages each to keep the server busy; few need more.
const windowOf = (connections: number): number => Math.max(4, Math.min(64, Math.ceil(8_000 / connections)));

/** Runs a load, and counts the processor time that server, database and generator take meanwhile. */
async function withEffort(
  { server, database, generator }: { server: number; database?: number; generator: number },
  run: () => Promise<LoadResult>,
): Promise<{ result: LoadResult; effort: Effort }> {
  const read = (): Effort => ({
    server: processUsage(server)?.cpuSeconds ?? 0,
    database: database === undefined ? 0 : (treeCpuSeconds(database) ?? 0),
    generator: processUsage(generator)?.cpuSeconds ?? 0,
  });
  const before = read();
  const result = await run();
  const after = read();
  const microsOf = (name: keyof Effort) => ((after[name] - before[name]) / result.acked) * 1e6;
  return { result, effort: { server: microsOf("server"), database: microsOf("database"), generator: microsOf("generator") } };
}

async function runBareBroker(context: BenchContext, count: number, seconds: number, warmupSeconds: number): Promise<Findings["bare"]> {
  const broker = await startHelper<{ start: () => Promise<number> }>(new URL("./bare-broker-process.ts", import.meta.url));
  context.undo.add(() => broker.stop());
  const port = await broker.call("start", undefined);
  const load = await startNodeLoad(context);
  await load.call("connect", { host: "127.0.0.1", port, firstSerial, count });
  const { result, effort } = await withEffort({ server: broker.pid, generator: load.pid }, () =>
    load.call("closedLoop", { seconds: Math.min(seconds, 10), warmupSeconds, window: windowOf(count) }),
  );
  await load.stop();
  await broker.stop();
  return { ...result, effort };
}

function present({ connections, bare, limits, highest, steady, flooded, comparison }: Findings): Report {
  const report = createReport("ingest", `QoS 1, 10 metrics a message, ${formatCount(connections)} connections, acknowledged after COMMIT`);
  const copy = Math.max(limits.copyOne, limits.copyTwo);
  const rate = (name: string, perSecond: number) => [name, formatCount(perSecond), formatPercent(perSecond / copy)];
  report.tables.push({
    columns: ["side by side", "messages/s", "share of COPY"],
    rows: [
      rate(`raw COPY of ${formatCount(limits.rows)} of the same rows, 1 connection`, limits.copyOne),
      rate("raw COPY, 2 connections", limits.copyTwo),
      rate("one row a commit, 1 connection", limits.oneRowCommits),
      rate("bare broker, nothing stored", bare.ackedPerSecond),
      rate("Busbar, stored and committed", highest.ackedPerSecond),
      rate(`Busbar, ${overload}x of that offered`, flooded.ackedPerSecond),
    ],
  });
  const stage = (name: string, { offered, latency, peakRssBytes, serverCores, ackedPerSecond }: Stage) => [
    name,
    formatCount(offered),
    formatCount(ackedPerSecond),
    formatMs(latency.p50Ms),
    formatMs(latency.p99Ms),
    formatMegabytes(peakRssBytes),
    serverCores.toFixed(2),
  ];
  report.tables.push({
    columns: ["stage", "offered", "stored/s", "p50 ms", "p99 ms", "peak RSS", "server cores"],
    rows: [
      stage("highest rate (closed loop)", highest),
      stage("steady (open loop)", steady),
      stage(`${overload}x overload (open loop)`, flooded),
    ],
  });
  const effort = (name: string, { server, database, generator }: Effort) => [
    name,
    ...[server, database, generator, server + database + generator].map((micros) => micros.toFixed(1)),
  ];
  report.tables.push({
    columns: ["processor µs a message", "server", "database", "generator", "together"],
    rows: [
      effort("highest rate", highest.effort),
      effort("steady", steady.effort),
      effort(`${overload}x overload`, flooded.effort),
      effort("bare broker", bare.effort),
    ],
  });
  const { sent, acked, stored, lost, duplicates, unknown } = comparison;
  report.tables.push({
    columns: ["sent", "acknowledged", "stored", "lost", "duplicate", "never sent"],
    rows: [[sent, acked, stored, lost, duplicates, unknown].map(formatCount)],
  });
  expectNone(report, "acknowledged messages that are not stored", lost);
  expectNone(report, "scalars stored twice", duplicates);
  expectNone(report, "scalars that no one sent", unknown);
  report.notes.push(
    "Latency: from the scheduled time of sending to the PUBACK, which follows the COMMIT. Peak RSS is the server's, without its database.",
  );
  report.facts = {
    copyRowsPerSecond: copy,
    copyOneRowsPerSecond: limits.copyOne,
    oneRowCommitsPerSecond: limits.oneRowCommits,
    serverMicros: highest.effort.server,
    databaseMicros: highest.effort.database,
    generatorMicros: highest.effort.generator,
    bareBrokerPerSecond: bare.ackedPerSecond,
    storedPerSecond: highest.ackedPerSecond,
    shareOfCopy: highest.ackedPerSecond / copy,
    steadyPerSecond: steady.ackedPerSecond,
    steadyP50Ms: steady.latency.p50Ms,
    steadyP99Ms: steady.latency.p99Ms,
    overloadPerSecond: flooded.ackedPerSecond,
    overloadShareOfHighest: flooded.ackedPerSecond / highest.ackedPerSecond,
    steadyPeakRssBytes: steady.peakRssBytes,
    overloadPeakRssBytes: flooded.peakRssBytes,
    lost,
    duplicates,
  };
  return report;
}

function noteComplaints(report: Report, server: ServerProcess): void {
  for (const complaint of server.complaints().slice(0, 5)) report.notes.push(`The server logged: ${complaint.slice(0, 300)}`);
}
