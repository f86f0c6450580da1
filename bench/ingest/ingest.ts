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
import { readDatabaseLimits, type DatabaseLimits } from "./database-limits.ts";
import { compareStoredWithAcked, type StoredAgainstAcked } from "./stored-against-acked.ts";

const targetPerSecond = 20_000;
const shareForLatency = 0.6;
const overload = 3;
/** A rate needs no more; overload is what has to last. */
const mostRoundSeconds = 15;
const mostSteadySeconds = 60;
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

/** The highest rate directly beside what it is compared with, as the machine's own speed changes from minute to minute. */
interface Round {
  highest: Stage;
  bare: LoadResult & { effort: Effort };
  /** Rows a second, on one connection. */
  copyOne: number;
}

interface Extent {
  name: string;
  connections: number;
  /** Of overload. */
  seconds: number;
  /** At least two: the first says what overload is a multiple of, the last follows it. */
  rounds: number;
}

interface Findings extends Pick<Extent, "name" | "connections"> {
  rounds: Round[];
  copiedRows: number;
  copyTwo: number;
  oneRowCommits: number;
  steady: Stage;
  flooded: Stage;
  comparison: StoredAgainstAcked;
}

/** P1, P1b, P2: how many messages a second are stored and committed, how late, and what happens under too many. */
export const benchIngest = (context: BenchContext): Promise<Report> =>
  measureIngest(context, { name: "ingest", ...sizeOf(context, 500, 20), rounds: context.isShort ? 2 : 3 });

/** P2 for ten minutes, with thousands of connections. */
export const benchOverload = (context: BenchContext): Promise<Report> =>
  measureIngest(context, { name: "overload", ...sizeOf(context, 5_000, 600), rounds: 2 });

const sizeOf = ({ isShort, ...given }: BenchContext, connections: number, seconds: number) => ({
  connections: given.connections ?? (isShort ? 100 : connections),
  seconds: given.seconds ?? (isShort ? 0.5 : seconds),
});

async function measureIngest(
  context: BenchContext,
  { name: reportName, connections, seconds, rounds: mostRounds }: Extent,
): Promise<Report> {
  const { isShort, folder, undo, say } = context;
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

  const rounds: Round[] = [];
  let limits: DatabaseLimits | undefined;
  const runRound = async () => {
    const roundSeconds = Math.min(seconds, mostRoundSeconds);
    const highest = await runStage("as fast as it goes", () =>
      load.call("closedLoop", { seconds: roundSeconds, warmupSeconds, window: windowOf(connections) }),
    );
    say("the bare broker");
    const bare = await runBareBroker(context, connections, roundSeconds, warmupSeconds);
    say("the same rows by COPY");
    limits ??= await readDatabaseLimits(pool, isShort ? 20_000 : 400_000);
    rounds.push({ highest, bare, copyOne: await limits.copyRate(1, isShort ? 1 : 3) });
    return limits;
  };

  await runRound();
  const perSecond = Math.round(Math.min(targetPerSecond, medianOf(rounds).highest.ackedPerSecond * shareForLatency));
  const steady = await runStage(`${formatCount(perSecond)} messages a second`, () =>
    load.call("openLoop", {
      seconds: Math.min(seconds, mostSteadySeconds),
      warmupSeconds,
      perSecond,
      maxUnacked: 200,
      maxHeldBack: Infinity,
    }),
  );
  if (mostRounds > 2) await runRound();
  const flood = Math.round(Math.max(...rounds.map(({ highest }) => highest.ackedPerSecond)) * overload);
  const flooded = await runStage(`${formatCount(flood)} messages a second are offered`, () =>
    load.call("openLoop", {
      seconds,
      warmupSeconds,
      perSecond: flood,
      maxUnacked: unackedInOverload(connections),
      maxHeldBack: heldBackInOverload,
    }),
  );
  const { rows: copiedRows, copyRate, oneRowCommits } = await runRound();
  const copyTwo = await copyRate(2, isShort ? 1 : 3);
  const findings = {
    name: reportName,
    connections,
    rounds,
    copiedRows,
    copyTwo,
    oneRowCommits: await oneRowCommits(isShort ? 0.5 : 4),
    steady,
    flooded,
  };

  const logFile = join(folder, "sent.tsv");
  await load.call("writeLog", { file: logFile });
  await load.call("end", undefined);
  const comparison = await compareStoredWithAcked(pool, logFile);
  const rebirths = await readServerMetric(server.urls.console, "busbar_ingest_rebirth_requests_total");
  const quarantined = await readServerMetric(server.urls.console, "busbar_ingest_quarantined_total");

  const report = present({ ...findings, comparison });
  for (const { unackedAtEnd } of [...rounds.map(({ highest }) => highest), steady, flooded])
    expectNone(report, "messages without acknowledgement", unackedAtEnd);
  expectNone(report, "sessions that had to be requested a rebirth", rebirths);
  expectNone(report, "quarantined messages", quarantined);
  report.notes.push(
    `RSS just started ${formatMegabytes(startedRssBytes)}, with ${formatCount(connections)} connections ${formatMegabytes(connectedRssBytes)}.`,
  );
  Object.assign(report.facts, { startedRssBytes, connectedRssBytes });
  noteComplaints(report, server);
  return report;
}

/** The round in the middle, of two the lower, by the share of the bare broker. */
function medianOf(rounds: readonly Round[]): Round {
  const share = ({ highest, bare }: Round) => highest.ackedPerSecond / bare.ackedPerSecond;
  return rounds.toSorted((a, b) => share(a) - share(b))[(rounds.length - 1) >> 1]!;
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

async function runBareBroker(context: BenchContext, count: number, seconds: number, warmupSeconds: number): Promise<Round["bare"]> {
  const broker = await startHelper<{ start: () => Promise<number> }>(new URL("./bare-broker-process.ts", import.meta.url));
  context.undo.add(() => broker.stop());
  const port = await broker.call("start", undefined);
  const load = await startNodeLoad(context);
  await load.call("connect", { host: "127.0.0.1", port, firstSerial, count });
  const { result, effort } = await withEffort({ server: broker.pid, generator: load.pid }, () =>
    load.call("closedLoop", { seconds, warmupSeconds, window: windowOf(count) }),
  );
  await load.stop();
  await broker.stop();
  return { ...result, effort };
}

function present({ name, connections, rounds, copiedRows, copyTwo, oneRowCommits, steady, flooded, comparison }: Findings): Report {
  const report = createReport(name, `QoS 1, 10 metrics a message, ${formatCount(connections)} connections, acknowledged after COMMIT`);
  const { highest, bare, copyOne } = medianOf(rounds);
  const rate = (name: string, perSecond: number) => [
    name,
    formatCount(perSecond),
    formatPercent(perSecond / copyOne),
    formatPercent(perSecond / bare.ackedPerSecond),
  ];
  report.tables.push({
    columns: ["side by side", "messages/s", "share of COPY", "of the bare broker"],
    rows: [
      rate(`raw COPY of ${formatCount(copiedRows)} of the same rows, 1 connection`, copyOne),
      rate("raw COPY, 2 connections", copyTwo),
      rate("one row a commit, 1 connection", oneRowCommits),
      rate("bare broker, nothing stored", bare.ackedPerSecond),
      rate("Busbar, stored and committed", highest.ackedPerSecond),
      rate(`Busbar, ${overload}x of that offered`, flooded.ackedPerSecond),
    ],
  });
  report.tables.push({
    columns: ["round", "Busbar/s", "bare broker/s", "COPY/s", "share of the bare broker", "of COPY"],
    rows: rounds.map((round, index) => [
      String(index + 1),
      formatCount(round.highest.ackedPerSecond),
      formatCount(round.bare.ackedPerSecond),
      formatCount(round.copyOne),
      formatPercent(round.highest.ackedPerSecond / round.bare.ackedPerSecond),
      formatPercent(round.highest.ackedPerSecond / round.copyOne),
    ]),
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
    "Of the rounds, of which each takes the three one after another, the one in the middle counts, of two the lower: by itself the machine's speed changes from minute to minute.",
    "Latency: from the scheduled time of sending to the PUBACK, which follows the COMMIT. Peak RSS is the server's, without its database.",
    `After the last message of the overload was offered, all were acknowledged within ${formatMs(flooded.calmAfterMs)} ms.`,
  );
  report.facts = {
    copyRowsPerSecond: copyTwo,
    copyOneRowsPerSecond: copyOne,
    oneRowCommitsPerSecond: oneRowCommits,
    serverMicros: highest.effort.server,
    databaseMicros: highest.effort.database,
    generatorMicros: highest.effort.generator,
    bareBrokerPerSecond: bare.ackedPerSecond,
    storedPerSecond: highest.ackedPerSecond,
    shareOfCopy: highest.ackedPerSecond / copyTwo,
    steadyPerSecond: steady.ackedPerSecond,
    steadyP50Ms: steady.latency.p50Ms,
    steadyP99Ms: steady.latency.p99Ms,
    overloadPerSecond: flooded.ackedPerSecond,
    overloadShareOfHighest: flooded.ackedPerSecond / highest.ackedPerSecond,
    steadyPeakRssBytes: steady.peakRssBytes,
    overloadPeakRssBytes: flooded.peakRssBytes,
    calmAfterMs: flooded.calmAfterMs,
    lost,
    duplicates,
  };
  return report;
}

function noteComplaints(report: Report, server: ServerProcess): void {
  for (const complaint of server.complaints().slice(0, 5)) report.notes.push(`The server logged: ${complaint.slice(0, 300)}`);
}
