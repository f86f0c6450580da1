import { setNodeConfigValue } from "@busbar/contract/telemetry/node-config.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMs } from "../lib/format-figure.ts";
import { freshCode } from "../lib/fresh-code.ts";
import { createLatencies, type LatencySummary } from "../lib/latencies.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { firstSerial } from "../lib/seed-fleet.ts";
import { openServerDatabase } from "../lib/server-process.ts";
import { startAnsweringNode } from "./answering-node.ts";
import { openFleetServer } from "../lib/fleet-server.ts";

const warmups = 10;
const targetMs = 50;

/** P11: what the platform takes of a save to a node: checks, audit log, 2FA, command to the node, its answer stored, and back. */
export async function benchConfigWrite(context: BenchContext): Promise<Report> {
  const { isShort, undo, say } = context;
  const nodes = isShort ? 100 : 10_000;
  const saves = isShort ? 5 : 500;
  const { server, dataDir, token } = await openFleetServer(context, { nodes, connected: 1 });
  const database = openServerDatabase(dataDir);
  undo.add(() => database.end());
  const node = await startAnsweringNode(server.urls.mqtt, firstSerial);
  undo.add(() => node.stop());
  const base = `${server.urls.console}/api`;
  const headers = { token };

  const read = createLatencies();
  const write = createLatencies();
  let failed = 0;
  const timed = async (into: typeof read | undefined, method: string, address: string) => {
    const beganAt = performance.now();
    const response = await fetch(address, { method, headers });
    await response.text();
    if (!response.ok) failed++;
    into?.add(performance.now() - beganAt - node.lastOwnMs());
  };
  say(`${formatCount(saves)} reads and saves one after the other`);
  for (let round = -warmups; round < saves; round++) {
    await timed(round < 0 ? undefined : read, "GET", `${base}/nodes/${firstSerial}/config`);
    const code = await freshCode(database, dataDir);
    const values = { serial: String(firstSerial), key: "v_noise", newValue: "6", code, oldValue: "5" };
    const path = setNodeConfigValue.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof values) => values[name]);
    await timed(round < 0 ? undefined : write, "PATCH", base + path);
  }

  const report = createReport("config-write", `a value saved on a node, ${formatCount(nodes)} nodes in the database`);
  expectNone(report, "reads or saves that failed", failed);
  const row = (name: string, summary: LatencySummary) => {
    Object.assign(report.facts, { [`${name}, p50 ms`]: summary.p50Ms, [`${name}, p95 ms`]: summary.p95Ms });
    return [name, summary.count, formatMs(summary.p50Ms), formatMs(summary.p95Ms), formatMs(summary.maxMs)];
  };
  report.tables.push({ columns: ["", "calls", "p50", "p95", "max"], rows: [row("read", read.summary()), row("save", write.summary())] });
  report.notes.push(
    `From the request to its answer, without the time of the node itself. Target of the save: ${targetMs} ms.`,
    "A save is six transactions: session, 2FA, command with its audit row, hand-over, the node's answer, outcome with its activity.",
  );
  return report;
}
