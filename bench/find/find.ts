import { join } from "node:path";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMs, formatTimes } from "../lib/format-figure.ts";
import type { LatencySummary } from "../lib/latencies.ts";
import { createCallMeter } from "../lib/measure-calls.ts";
import { createReport, expectNone } from "../lib/report.ts";
import type { Report } from "../lib/report.ts";
import { seedFleet } from "../lib/seed-fleet.ts";
import { startServerProcess } from "../lib/server-process.ts";
import { createStaffSessions } from "../lib/staff-sessions.ts";

/** What the palette finds by parts of words, from request to answer, beside the health call, which finds nothing. */
export async function benchFind(context: BenchContext): Promise<Report> {
  const { isShort, folder, undo, say } = context;
  const nodes = isShort ? 200 : 10_000;
  const calls = isShort ? 10 : 200;
  const dataDir = join(folder, "data");
  let token = "";
  say(`${formatCount(nodes)} nodes`);
  await seedFleet({
    dataDir,
    nodes,
    connected: 0,
    also: async (pool) => {
      [token = ""] = await createStaffSessions(pool, dataDir, 1);
    },
  });
  const server = await startServerProcess({ dataDir, undo, profileDir: context.profileDir });
  const report = createReport("find", `what is found among ${formatCount(nodes)} nodes and their places, from request to answer`);
  const meter = createCallMeter(token, say);
  const measured: [string, LatencySummary][] = [];
  for (const [name, pathOf] of [
    ["health", () => "/healthz"],
    ["two letters", (index: number) => `/api/find?text=${["an", "in", "er", "st", "on"][index % 5]}`],
    ["a serial number", (index: number) => `/api/find?text=${10_000 + (index % nodes)}`],
    ["parts of two words", (index: number) => `/api/find?text=${encodeURIComponent(`${10 + (index % 90)} o`)}`],
    ["nothing", () => "/api/find?text=zzzz"],
  ] as [string, (index: number) => string][]) {
    measured.push(await meter.measure(name, calls, (index) => `${server.urls.console}${pathOf(index)}`));
  }
  const base = measured[0]![1].p95Ms;
  report.tables.push({
    columns: ["text", "p50 ms", "p95 ms", "highest ms", "p95 against health"],
    rows: measured.map(([name, { p50Ms, p95Ms, maxMs }]) => [
      name,
      formatMs(p50Ms),
      formatMs(p95Ms),
      formatMs(maxMs),
      formatTimes(p95Ms / base),
    ]),
  });
  report.facts = Object.fromEntries(measured.map(([name, { p95Ms }]) => [`${name}, p95 ms`, p95Ms]));
  expectNone(report, "calls that failed", meter.failed());
  return report;
}
