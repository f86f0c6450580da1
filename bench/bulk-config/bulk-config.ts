import { setTimeout as pause } from "node:timers/promises";
import { startFleet } from "@busbar/simulator/fleet.ts";
import type { SimNode } from "@busbar/simulator/node-model/sim-node.ts";
import { sampleNode } from "@busbar/simulator/testing/sample-node.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMs } from "../lib/format-figure.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { secretOf, serialOf } from "../lib/seed-fleet.ts";
import { openServerDatabase } from "../lib/server-process.ts";
import { createBatchCaller } from "./batch-caller.ts";
import { openFleetServer } from "../lib/fleet-server.ts";

const key = "v_noise";
const full = { atOnce: 100, firstWave: 3 };

/** A dry run over simulated nodes, which ask each for its values, and a roll-out as fast as they take it. */
export async function benchBulkConfig(context: BenchContext): Promise<Report> {
  const { isShort, undo, say } = context;
  const count = isShort ? 40 : 500;
  // The first of a shared fleet were born of other benchmarks.
  const firstIndex = isShort ? 300 : 0;
  const { server, dataDir, token } = await openFleetServer(context, { nodes: 10_000, connected: count });
  const database = openServerDatabase(dataDir);
  undo.add(() => database.end());
  const serials = Array.from({ length: count }, (_, index) => serialOf(firstIndex + index));
  const fleet = startFleet({
    nodes: serials.map(simNode),
    to: server.urls.mqtt,
    seed: 7,
    startDelayMaxSeconds: 0,
    faults: { scale: 0 },
    files: false,
  });
  undo.add(() => fleet.stop());
  say(`${formatCount(count)} nodes connect`);
  while ((await countRows(`node_birth where serial_number >= ${serials[0]} and serial_number < ${serialOf(firstIndex + count)}`)) < count)
    await pause(100);

  const caller = createBatchCaller({ base: server.urls.console, token, pool: database, dataDir });
  const report = createReport("bulk-config", `one value changed on ${formatCount(count)} simulated nodes`);
  say("the dry run");
  const readAt = performance.now();
  const { id } = await caller.create(serials, key, "6");
  const ready = await caller.until(id, "ready");
  const readMs = performance.now() - readAt;
  say("the roll-out");
  const startAt = performance.now();
  await caller.start(ready, full);
  const done = await caller.until(id, "done");
  const changedMs = performance.now() - startAt;
  const { rows } = await database.query<{ p50: number; p95: number }>(
    `select percentile_cont(0.5) within group (order by ms) as p50, percentile_cont(0.95) within group (order by ms) as p95
     from (select extract(epoch from answered_at - created_at) * 1000 as ms from node_command where is_exclusive and state = 'answered') c`,
  );
  const { p50, p95 } = rows[0]!;
  expectNone(report, "nodes left out", ready.counts.left);
  expectNone(report, "nodes that are not confirmed", count - done.counts.confirmed);
  expectNone(
    report,
    "audit rows that are missing or double",
    (await countRows(`audit_log where batch_id = ${id} and result = 'confirmed'`)) - count,
  );
  Object.assign(report.facts, { "dry run, ms": readMs, "roll-out, ms": changedMs, "one change, p95 ms": p95 });
  report.tables.push({
    columns: ["", "all", "a node"],
    rows: [
      ["dry run", `${formatMs(readMs)} ms`, `${formatMs(readMs / count)} ms`],
      ["roll-out", `${formatMs(changedMs)} ms`, `${formatMs(changedMs / count)} ms`],
      ["a change, from its command to its answer, p50", "", `${formatMs(p50)} ms`],
      ["the same, p95", "", `${formatMs(p95)} ms`],
    ],
  });
  report.notes.push(
    `From the call to the state that people see, nodes included, which are on the same machine. ${full.atOnce} nodes at once after the first ${full.firstWave}.`,
  );
  return report;

  async function countRows(from: string): Promise<number> {
    const found = await database.query<{ n: number }>(`select count(*)::int4 as n from ${from}`);
    return found.rows[0]?.n ?? 0;
  }
}

const simNode = (serial: number): SimNode =>
  sampleNode({ serial, facilityKey: `works ${serial % 20}`, timezone: "UTC", secret: secretOf(serial) });
