import { coverageKinds, longestCoverageDays } from "@busbar/contract/telemetry/coverage.ts";
import type { Pool } from "@busbar/server/db/pool.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { openCallBench } from "../lib/call-bench.ts";
import { formatCount } from "../lib/format-figure.ts";
import { createReport, type Report } from "../lib/report.ts";
import { serialOf } from "../lib/seed-fleet.ts";

const dayMs = 86_400_000;
const quarterMs = 900_000;
const quartersPerMonth = 2_976;

/** Nodes by 31 days, from request to answer, beside the health call, which reads nothing. */
export async function benchCoverage(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const nodes = isShort ? 200 : 10_000;
  const calls = isShort ? 5 : 100;
  say(`${formatCount(nodes)} nodes`);
  const bench = await openCallBench(context, {
    nodes,
    seed: async (pool) => {
      await pool.query("update node set current_deployment_status_updated_at = now() - interval '90 days'");
      await pool.query("update node_placement set started_at = now() - interval '90 days'");
      await insertCoverage(pool, nodes);
    },
  });
  const report = createReport(
    "coverage",
    `what came of ${formatCount(nodes)} nodes in ${longestCoverageDays} days, from request to answer`,
  );
  const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);
  const days = `from=${dayOf(longestCoverageDays - 1)}&to=${dayOf(0)}`;
  const kindOf = (index: number) => coverageKinds[index % coverageKinds.length]!;
  const month = `${dayOf(0).slice(0, 7)}-01`;
  const sendAll = (index: number) =>
    bench.pool.query("update coverage set received = received where kind = $1 and month = $2", [kindOf(index), month]);
  const byDays = (index: number) => `/api/coverage?kind=${kindOf(index)}&${days}`;
  for (const [name, count, pathOf, before] of [
    ["health", calls, () => "/healthz"],
    ["nodes by days", calls, byDays],
    ["after all nodes sent", Math.ceil(calls / 5), byDays, sendAll],
    ["the gaps of a node", calls, (index: number) => `/api/nodes/${serialOf(index % nodes)}/coverage?kind=D&${days}`],
  ] as [string, number, (index: number) => string, ((index: number) => Promise<unknown>)?][]) {
    await bench.call(name, count, pathOf, before);
  }
  const kilobytes = await compressedKilobytes(bench.addressOf(`/api/coverage?kind=D&${days}`), bench.token);
  bench.writeTo(report, "call", "health");
  report.tables.push({ columns: ["nodes by days", "compressed kB"], rows: [["one answer", formatCount(kilobytes)]] });
  report.facts = { ...report.facts, "nodes by days, kB": kilobytes };
  return report;
}

async function compressedKilobytes(address: string, token: string): Promise<number> {
  const response = await fetch(address, { headers: { token, "accept-encoding": "gzip" } });
  await response.arrayBuffer();
  return Math.round(Number(response.headers.get("content-length")) / 1_000);
}

/**
 * Of ten nodes five are whole, four have a few gaps, late and failed files, one is away half of the time; in place of what a benchmark before, on the
 * same server, has sent.
 */
async function insertCoverage(pool: Pool, nodes: number): Promise<void> {
  const now = Date.now();
  const months = [...new Set([longestCoverageDays, 0].map((days) => `${new Date(now - days * dayMs).toISOString().slice(0, 7)}-01`))];
  for (const month of months) {
    const due = Math.min(quartersPerMonth, Math.floor((now - Date.parse(month)) / quarterMs));
    for (let start = 0; start < nodes; start += 500) {
      const serials = Array.from({ length: Math.min(500, nodes - start) }, (_, index) => serialOf(start + index));
      await pool.query(
        `insert into coverage (kind, month, serial_number, received, late, failed)
         select k, $1, s, r::bit(${quartersPerMonth}), l::bit(${quartersPerMonth}), f::bit(${quartersPerMonth})
         from unnest($2::text[]) k, unnest($3::int4[], $4::text[], $5::text[], $6::text[]) as u (s, r, l, f)
         on conflict (kind, month, serial_number) do update
         set received = excluded.received, late = excluded.late, failed = excluded.failed`,
        [
          month,
          coverageKinds,
          serials,
          serials.map((serial) => bitsOf(due, (at) => !isAway(serial, at))),
          serials.map((serial) => (serial % 10 < 5 ? null : bitsOf(due, (at) => hash(serial, at >> 3) % 97 === 0))),
          serials.map((serial) => (serial % 10 < 8 ? null : bitsOf(due, (at) => hash(serial, at) % 251 === 0))),
        ],
      );
    }
  }
}

function isAway(serial: number, at: number): boolean {
  const kind = serial % 10;
  if (kind < 5) return false;
  // Gaps begin and end at other times in each node.
  return hash(serial, Math.floor((at + (serial % 40)) / 40)) % 100 < (kind === 9 ? 50 : 5);
}

/** The same of each node and number at every run. */
const hash = (serial: number, number: number): number => (Math.imul(serial * 31 + number, 2_654_435_761) >>> 8) % 65_536;

const bitsOf = (due: number, isSet: (at: number) => boolean): string =>
  Array.from({ length: due }, (_, at) => (isSet(at) ? "1" : "0"))
    .join("")
    .padEnd(quartersPerMonth, "0");
