import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createBenchContext } from "./lib/bench-context.ts";
import type { Benchmark } from "./lib/bench-context.ts";
import { describeMachine, machineLine } from "./lib/machine.ts";
import { createReport, renderReport } from "./lib/report.ts";
import type { Report } from "./lib/report.ts";

const benchmarks = new Map<string, () => Promise<Benchmark>>([
  ["ingest", async () => (await import("./ingest/ingest.ts")).benchIngest],
  ["dashboard-api", async () => (await import("./dashboard-api/dashboard-api.ts")).benchDashboardApi],
  ["dashboard-browser", async () => (await import("./dashboard-browser/dashboard-browser.ts")).benchDashboardBrowser],
  ["freshness", async () => (await import("./freshness/freshness.ts")).benchFreshness],
  ["first-load", async () => (await import("./first-load/first-load.ts")).benchFirstLoad],
  ["start", async () => (await import("./start/start.ts")).benchStart],
]);

const usage = `npm run bench -- [name …] [--short] [--json FILE] [--profile FOLDER]
Names: ${[...benchmarks.keys()].join(", ")}. Without a name: all.`;

class UsageError extends Error {}

function readArguments() {
  const options = { short: { type: "boolean" }, json: { type: "string" }, profile: { type: "string" }, help: { type: "boolean" } } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const unknown = positionals.find((name) => !benchmarks.has(name));
    if (unknown !== undefined) throw new UsageError(`There is no benchmark "${unknown}".`);
    return { ...values, names: positionals.length > 0 ? positionals : [...benchmarks.keys()] };
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`);
  }
}

/** Runs one benchmark; whatever it started is stopped, also when this program is told to end. */
async function runOne(name: string, isShort: boolean, profileDir: string | undefined, ending: Promise<Error>): Promise<Report> {
  const context = await createBenchContext({ isShort, profileDir });
  context.say(`${name} …`);
  try {
    const load = benchmarks.get(name);
    if (!load) throw new Error(`There is no benchmark ${name}`);
    const benchmark = await load();
    return await Promise.race([benchmark(context), ending.then((error) => Promise.reject(error))]);
  } catch (error) {
    if (error instanceof EndRequested) throw error;
    const report = createReport(name, "ended with an error");
    report.failures.push((error as Error).stack ?? (error as Error).message);
    return report;
  } finally {
    await context.undo.run();
  }
}

class EndRequested extends Error {}

async function main(): Promise<number> {
  const { names, short: isShort = false, json, profile, help } = readArguments();
  if (help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const ending = new Promise<Error>((end) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => end(new EndRequested(`Ended by ${signal}`)));
    process.once("disconnect", () => end(new EndRequested("Ended with its parent")));
  });
  const machine = describeMachine();
  process.stdout.write(`${machineLine(machine)}${isShort ? ", short run: times mean nothing, only errors count" : ""}\n`);
  const reports: Report[] = [];
  for (const name of names) {
    const report = await runOne(name, isShort, profile, ending);
    process.stdout.write(renderReport(report));
    reports.push(report);
  }
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, isShort, reports }, undefined, 1)}\n`);
  return reports.some(({ failures }) => failures.length > 0) ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
// A channel to the parent would keep this process.
if (process.connected) process.disconnect();
