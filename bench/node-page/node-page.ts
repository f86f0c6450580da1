import type { BenchContext } from "../lib/bench-context.ts";
import { openCallBench } from "../lib/call-bench.ts";
import { formatCount } from "../lib/format-figure.ts";
import { createReport, type Report } from "../lib/report.ts";

/** What the page of a node asks for when it opens, each call alone and all of them as a browser sends them: at once. */
const firstCalls: readonly (readonly [name: string, pathOf: (serial: number, locationId: number) => string])[] = [
  ["overview", (serial) => `/api/nodes/${serial}/overview`],
  ["verdict", (serial) => `/api/nodes/${serial}/verdict`],
  ["week", (serial) => `/api/nodes/${serial}/week`],
  ["incidents", (serial) => `/api/incidents?serial=${serial}&state=open`],
  ["mutes", () => "/api/mutes"],
  ["metering", (_, locationId) => `/api/locations/${locationId}/metering?watch=false`],
  ["scalars", (serial) => `/api/nodes/${serial}/realtime?limit=500`],
];

export async function benchNodePage(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const nodes = isShort ? 200 : 10_000;
  const calls = isShort ? 10 : 200;
  say(`${formatCount(nodes)} nodes`);
  const bench = await openCallBench(context, { nodes });
  const report = createReport("node-page", `first data of the page of one of ${formatCount(nodes)} nodes, from request to answer`);
  const { rows } = await bench.pool.query<{ serial: number; location: number }>(
    "select serial_number as serial, location_id as location from node_assignment order by serial_number",
  );
  // No page opens the same node twice.
  const pathAt = (pathOf: (typeof firstCalls)[number][1], index: number) => {
    const { serial, location } = rows[(index * 37) % rows.length]!;
    return pathOf(serial, location);
  };
  await bench.call("health", calls, () => "/healthz");
  for (const [name, pathOf] of firstCalls) await bench.call(name, calls, (index) => pathAt(pathOf, index));
  await bench.callTogether("all calls at once", calls, (index) => firstCalls.map(([, pathOf]) => pathAt(pathOf, index)));
  bench.writeTo(report, "call", "health");
  return report;
}
