import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMegabytes, formatMs } from "../lib/format-figure.ts";
import { median } from "../lib/latencies.ts";
import { createReport, type Report } from "../lib/report.ts";
import { seedFleet } from "../lib/seed-fleet.ts";
import { openServerDatabase, postgresFolder, startServerProcess, type ServerProcess } from "../lib/server-process.ts";
import { writeMuchLog } from "./write-much-log.ts";

const readyPollMs = 5;
const readyWithinMs = 60_000;

interface Start {
  name: string;
  readyMs: number[];
}

/** P12: how long until the program can be called, in the cases that a person waits for. */
export async function benchStart(context: BenchContext): Promise<Report> {
  const { isShort, folder, say } = context;
  const times = isShort ? 1 : 5;
  const nodes = isShort ? 1_000 : 10_000;
  const walBytes = isShort ? 4 * 1_048_576 : 1_024 * 1_048_576;
  const small = join(folder, "small");
  const large = isShort ? small : join(folder, "large");
  const starts: Start[] = [];
  const measure = async (name: string, run: () => Promise<number>, count = times) => {
    say(name);
    const readyMs: number[] = [];
    for (let time = 0; time < count; time++) readyMs.push(await run());
    starts.push({ name, readyMs });
  };

  await measure("node alone", startNodeAlone);
  await measure("first start, empty folder", () => startAndStop(context, small), 1);
  if (!isShort) await measure("second start", () => startAndStop(context, small));
  await seedFleet({ dataDir: large, nodes, connected: 0 });
  // What comes next starts it too.
  if (!isShort) await measure(`with ${formatCount(nodes)} nodes`, () => startAndStop(context, large));
  await measure(`after kill -9 of the program, ${formatCount(nodes)} nodes`, () => startAfterKill(context, large, 0));
  let logBytes = 0;
  const crash = async () => startAfterKill(context, large, walBytes, (bytes) => (logBytes = bytes));
  await measure("after kill -9 of program and database, much to recover", crash, 1);

  const report = createReport("start", "from the start of the process until it answers /readyz with 200");
  report.tables.push({
    columns: ["start", "median ms", "highest ms", "times"],
    rows: starts.map(({ name, readyMs }) => [name, formatMs(median(readyMs)), formatMs(Math.max(...readyMs)), readyMs.length]),
  });
  report.notes.push(`The last one recovers ${formatMegabytes(logBytes)} of the database's log since its last checkpoint.`);
  report.facts = Object.fromEntries(starts.map(({ name, readyMs }) => [`${name}, median ms`, median(readyMs)]));
  return report;
}

async function startNodeAlone(): Promise<number> {
  const startedAt = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
  return performance.now() - startedAt;
}

async function startAndStop(context: BenchContext, dataDir: string): Promise<number> {
  const { server, readyMs } = await startUntilReady(context, dataDir);
  await server.stop();
  return readyMs;
}

async function startUntilReady({ undo, profileDir }: BenchContext, dataDir: string): Promise<{ server: ServerProcess; readyMs: number }> {
  const startedAt = performance.now();
  const server = await startServerProcess({ dataDir, undo, profileDir });
  for (;;) {
    if ((await fetch(`${server.urls.console}/readyz`)).status === 200) return { server, readyMs: performance.now() - startedAt };
    if (performance.now() - startedAt > readyWithinMs) throw new Error(`The server is not ready after ${readyWithinMs / 1_000} s`);
    await new Promise((next) => setTimeout(next, readyPollMs));
  }
}

/** With `walBytes` the database is killed as well, after that much has been written since its last checkpoint. */
async function startAfterKill(
  context: BenchContext,
  dataDir: string,
  walBytes: number,
  noteLog?: (bytes: number) => void,
): Promise<number> {
  const { server } = await startUntilReady(context, dataDir);
  const databasePid = Number(readFileSync(join(postgresFolder(dataDir), "postmaster.pid"), "utf8").split("\n")[0]);
  if (walBytes > 0) {
    const pool = openServerDatabase(dataDir, 1);
    noteLog?.(await writeMuchLog(pool, walBytes));
    await pool.end();
  }
  await server.kill();
  if (walBytes > 0) process.kill(databasePid, "SIGKILL");
  return startAndStop(context, dataDir);
}
