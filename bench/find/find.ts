import type { BenchContext } from "../lib/bench-context.ts";
import { openCallBench } from "../lib/call-bench.ts";
import { formatCount } from "../lib/format-figure.ts";
import { createReport, type Report } from "../lib/report.ts";

/** What the palette finds by parts of words, from request to answer, beside the health call, which finds nothing. */
export async function benchFind(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const nodes = isShort ? 200 : 10_000;
  const calls = isShort ? 10 : 200;
  say(`${formatCount(nodes)} nodes`);
  const bench = await openCallBench(context, { nodes });
  const report = createReport("find", `what is found among ${formatCount(nodes)} nodes and their places, from request to answer`);
  for (const [name, pathOf] of [
    ["health", () => "/healthz"],
    ["two letters", (index: number) => `/api/find?text=${["an", "in", "er", "st", "on"][index % 5]}`],
    ["a serial number", (index: number) => `/api/find?text=${10_000 + (index % nodes)}`],
    ["parts of two words", (index: number) => `/api/find?text=${encodeURIComponent(`${10 + (index % 90)} o`)}`],
    ["nothing", () => "/api/find?text=zzzz"],
  ] as [string, (index: number) => string][]) {
    await bench.call(name, calls, pathOf);
  }
  bench.writeTo(report, "text", "health");
  return report;
}
