import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { quickFolder } from "@busbar/server/testing/quick-folder.ts";
import { createUndoStack, type UndoStack } from "@busbar/server/undo-stack.ts";
import { createBenchContext, type Benchmark, type BenchContext, type BenchOptions } from "./lib/bench-context.ts";
import { describeMachine, machineLine } from "./lib/machine.ts";
import { writePerformancePage } from "./lib/performance-page.ts";
import { createReport, renderReport, type Report } from "./lib/report.ts";

const benchmarks = new Map<string, () => Promise<Benchmark>>([
  ["ingest", async () => (await import("./ingest/ingest.ts")).benchIngest],
  ["overload", async () => (await import("./ingest/ingest.ts")).benchOverload],
  ["external-broker", async () => (await import("./external-broker/external-broker.ts")).benchExternalBroker],
  ["dashboard-browser", async () => (await import("./dashboard-browser/dashboard-browser.ts")).benchDashboardBrowser],
  ["freshness", async () => (await import("./freshness/freshness.ts")).benchFreshness],
  ["customer-tree", async () => (await import("./customer-tree/customer-tree.ts")).benchCustomerTree],
  ["alarms", async () => (await import("./alarms/alarms.ts")).benchAlarms],
  ["notices", async () => (await import("./notices/notices.ts")).benchNotices],
  ["alarm-evaluation", async () => (await import("./alarm-evaluation/alarm-evaluation.ts")).benchAlarmEvaluation],
  ["verdicts", async () => (await import("./verdicts/verdicts.ts")).benchVerdicts],
  ["verdict-truth", async () => (await import("./verdict-truth/verdict-truth.ts")).benchVerdictTruth],
  ["commissioning", async () => (await import("./commissioning/commissioning.ts")).benchCommissioning],
  ["data-analysis", async () => (await import("./data-analysis/data-analysis.ts")).benchDataAnalysis],
  ["reports", async () => (await import("./reports/reports.ts")).benchReports],
  ["extraction", async () => (await import("./extraction/extraction.ts")).benchExtraction],
  ["event-files", async () => (await import("./event-files/event-files.ts")).benchEventFiles],
  ["file-list", async () => (await import("./file-list/file-list.ts")).benchFileList],
  ["zip", async () => (await import("./zip/zip.ts")).benchZip],
  ["retention", async () => (await import("./retention/retention.ts")).benchRetention],
  ["start", async () => (await import("./start/start.ts")).benchStart],
  // These share a server in short runs, which would else idle while others run.
  ["bulk-config", async () => (await import("./bulk-config/bulk-config.ts")).benchBulkConfig],
  ["scale", async () => (await import("./scale/scale.ts")).benchScale],
  ["rude-clients", async () => (await import("./rude-clients/rude-clients.ts")).benchRudeClients],
  ["dashboard-api", async () => (await import("./dashboard-api/dashboard-api.ts")).benchDashboardApi],
  ["config-write", async () => (await import("./config-write/config-write.ts")).benchConfigWrite],
  ["first-load", async () => (await import("./first-load/first-load.ts")).benchFirstLoad],
  ["metering", async () => (await import("./metering/metering.ts")).benchMetering],
  ["user-list", async () => (await import("./user-list/user-list.ts")).benchUserList],
  ["node-list", async () => (await import("./node-list/node-list.ts")).benchNodeList],
  ["feeds", async () => (await import("./feeds/feeds.ts")).benchFeeds],
  ["node-page", async () => (await import("./node-page/node-page.ts")).benchNodePage],
  ["deployment-board", async () => (await import("./deployment-board/deployment-board.ts")).benchDeploymentBoard],
  ["event-flood", async () => (await import("./event-flood/event-flood.ts")).benchEventFlood],
  ["coverage", async () => (await import("./coverage/coverage.ts")).benchCoverage],
  ["trends", async () => (await import("./trends/trends.ts")).benchTrends],
  ["import", async () => (await import("./import/import.ts")).benchImport],
  ["find", async () => (await import("./find/find.ts")).benchFind],
  ["events", async () => (await import("./events/events.ts")).benchEvents],
  ["changes", async () => (await import("./changes/changes.ts")).benchChanges],
]);

const usage = `npm run bench -- [name …] [--short] [--json FILE] [--seconds N] [--connections N] [--profile FOLDER] [--report]
Names: ${[...benchmarks.keys()].join(", ")}. Without a name: all. --report keeps full runs in docs/performance.md.`;

/** The launcher ends the whole group 10 s after it was asked to. */
const graceMs = 7_000;

/** Of one benchmark in a short run; it takes seconds, also on a busy machine. What hangs must not hold up those after it. */
const shortLimitMs = 600_000;

const root = join(import.meta.dirname, "..");
const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

/** Of the program that is measured: what is written about it is no part of it. */
function describeCommit(): string {
  const isChanged = git("status", "--porcelain", "--", ".", ":!docs") !== "";
  return `${git("rev-parse", "--short", "HEAD")}${isChanged ? " with changes" : ""}`;
}

class UsageError extends Error {}
class EndRequested extends Error {}

const options = {
  short: { type: "boolean" },
  json: { type: "string" },
  seconds: { type: "string" },
  connections: { type: "string" },
  profile: { type: "string" },
  report: { type: "boolean" },
  help: { type: "boolean" },
} as const;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const unknown = positionals.find((name) => !benchmarks.has(name));
    if (unknown !== undefined) throw new Error(`There is no benchmark "${unknown}".`);
    if (values.report && values.short) throw new Error("--report keeps full runs, not --short ones.");
    return {
      keepsReport: values.report ?? false,
      help: values.help ?? false,
      json: values.json,
      names: positionals.length > 0 ? positionals : [...benchmarks.keys()],
      isShort: values.short ?? false,
      seconds: readNumber("seconds", values.seconds, 3_600),
      connections: readNumber("connections", values.connections, 20_000),
      profileDir: values.profile,
    };
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`);
  }
}

function readNumber(name: string, text: string | undefined, maximum: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > maximum)
    throw new Error(`--${name} is a whole number from 1 to ${maximum}, not "${text}".`);
  return value;
}

/** Runs one benchmark; whatever it started is stopped, also when this program is asked to end. */
async function runOne(name: string, options: BenchOptions, atEnd: UndoStack, ending: Promise<Error>): Promise<Report> {
  const context = await createBenchContext(options, atEnd);
  context.say(`${name} …`);
  const running = runLoaded(name, context);
  try {
    return await Promise.race([running, ending.then((error) => Promise.reject(error)), ...(options.isShort ? [untilLimit(name)] : [])]);
  } catch (error) {
    if (error instanceof EndRequested) {
      // What it waited for ends early, also what no one looks at any more; that must not keep the rest from being stopped.
      process.on("unhandledRejection", () => undefined);
      await context.undo.run();
      // What it is just making, such as a database, it ends itself.
      await Promise.race([running.catch(() => undefined), pause(graceMs)]);
      throw error;
    }
    const report = createReport(name, "ended with an error");
    report.failures.push((error as Error).stack ?? (error as Error).message);
    return report;
  } finally {
    await context.undo.run();
    await context.removeFolder();
  }
}

async function untilLimit(name: string): Promise<never> {
  await pause(shortLimitMs, undefined, { ref: false });
  throw new Error(`${name} did not end within ${shortLimitMs / 1000} s.`);
}

async function runLoaded(name: string, context: BenchContext): Promise<Report> {
  const load = benchmarks.get(name);
  if (!load) throw new Error(`There is no benchmark ${name}`);
  const benchmark = await load();
  return benchmark(context);
}

async function main(): Promise<number> {
  const { names, json, help, keepsReport, ...options } = readArguments();
  const { isShort } = options;
  if (help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  if (isShort) process.env["TMPDIR"] = await quickFolder();
  const atEnd = createUndoStack();
  const ending = new Promise<Error>((end) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => end(new EndRequested(`Ended by ${signal}`)));
    process.once("disconnect", () => end(new EndRequested("Ended with its parent")));
  });
  const machine = describeMachine();
  process.stdout.write(`${machineLine(machine)}${isShort ? ", short run: times mean nothing, only errors count" : ""}\n`);
  const reports: Report[] = [];
  try {
    for (const name of names) {
      const report = await runOne(name, options, atEnd, ending);
      process.stdout.write(renderReport(report));
      reports.push(report);
      if (keepsReport && report.failures.length === 0)
        writePerformancePage(join(root, "docs"), [{ commit: describeCommit(), machine: describeMachine(), report }]);
    }
  } finally {
    await atEnd.run();
  }
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ machine, isShort, reports }, undefined, 1)}\n`);
  return reports.some(({ failures }) => failures.length > 0) ? 1 : 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  // At once: what was interrupted may still wait for something.
  process.exit(error instanceof UsageError ? 2 : 1);
}
// The channel to whoever started us would keep a finished program alive.
if (process.connected) process.disconnect();
