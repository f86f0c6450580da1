import { setTimeout as pause } from "node:timers/promises";
import { dataFileName } from "@busbar/contract/files/data-file-name.ts";
import { cevFile } from "@busbar/simulator/relay/cev-file.ts";
import { makeRelayRecord } from "@busbar/simulator/relay/relay-record.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { openCallBench } from "../lib/call-bench.ts";
import { formatCount } from "../lib/format-figure.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { serialOf } from "../lib/seed-fleet.ts";

const fleet = 1_000;
const parallelUploads = 8;
const site = { seed: 3, serial: 10_701, relay: "SEL-751", location: "Main", volts: 4_160, amps: 300, frequency: 60 };
/** One in so many is no event file. */
const badEvery = 500;
const againMs = 50;
const patienceMs = 300_000;

/** A storm over many sites: event files of all nodes within a minute. Each is one row of the inbox, whatever comes between them. */
export async function benchEventFlood(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const nodes = isShort ? 40 : fleet;
  const files = isShort ? 60 : 4_000;
  const bench = await openCallBench(context, { nodes: fleet });
  const report = createReport("event-flood", `${formatCount(files)} event files of ${formatCount(nodes)} nodes, as fast as they are taken`);
  const event = Buffer.from(cevFile(makeRelayRecord(site, 1, 1_790_000_000)));
  const first = Math.floor(Date.now() / 1_000) - 3_600;
  let heldBack = 0;
  const isBad = (index: number) => index % badEvery === 7;
  const upload = async (index: number): Promise<boolean> => {
    // The last ones: the first have events of another benchmark beside this one.
    const serial = serialOf(fleet - 1 - (index % nodes));
    const name = dataFileName({ serial, timestamp: first + Math.floor(index / nodes), kind: "E", interval: 1, extension: "cev" });
    for (;;) {
      const response = await fetch(bench.addressOf(`/api/nodes/${serial}/files/${name}`), {
        method: "POST",
        headers: { token: bench.token, "content-type": "application/octet-stream" },
        body: isBad(index) ? Buffer.from("no event at all") : event,
      });
      await response.arrayBuffer();
      // So many at once are taken; the others come again.
      if (response.status !== 429) return response.ok;
      heldBack++;
      await pause(againMs);
    }
  };

  const before = await countRows();
  await bench.call("health", isShort ? 10 : 200, () => "/healthz");
  say("uploads");
  const startedAt = performance.now();
  let refused = 0;
  const queue = Array.from({ length: files }, (_, index) => index).values();
  let isOver = false;
  const sending = Promise.all(
    Array.from({ length: parallelUploads }, async () => {
      for (const index of queue) if (!(await upload(index))) refused++;
    }),
  ).finally(() => (isOver = true));
  let asked = 0;
  await bench.callWhile(
    "newest events meanwhile",
    () => !isOver || asked++ < 5,
    () => "/api/events",
  );
  await sending;
  const uploadSeconds = (performance.now() - startedAt) / 1_000;

  say("until each is a row");
  const deadline = performance.now() + patienceMs;
  let rows = await countRows();
  while (rows.waiting > 0 && performance.now() < deadline) {
    await pause(100);
    rows = await countRows();
  }
  const readSeconds = (performance.now() - startedAt) / 1_000;
  bench.writeTo(report, "call", "health");
  const bad = Array.from({ length: files }, (_, index) => index).filter(isBad).length;
  report.tables.push({
    columns: ["event files", "seconds until taken", "a minute", "seconds until read", "rows", "not readable"],
    rows: [
      [
        formatCount(files),
        uploadSeconds.toFixed(1),
        formatCount(Math.round((60 * files) / uploadSeconds)),
        readSeconds.toFixed(1),
        formatCount(rows.events),
        rows.failed,
      ],
    ],
  });
  report.facts = { ...report.facts, filesPerMinute: (60 * files) / uploadSeconds, readSeconds };
  report.notes.push(`${parallelUploads} uploads at once; ${formatCount(heldBack)} tries were answered "try again".`);
  expectNone(report, "uploads that were refused", refused);
  expectNone(report, "files that still wait", rows.waiting);
  expectNone(report, "events without a row, or with two", files - (rows.events - before.events));
  expectNone(report, "bad files beside those that were sent", rows.failed - before.failed - bad);
  return report;

  async function countRows() {
    const { rows: counted } = await bench.pool.query<{ waiting: number; events: number; failed: number }>(
      `select (select count(*)::int4 from data_file where kind = 'E' and processed is null) as waiting, (select count(*)::int4 from recorded_event) as events,
         (select count(*)::int4 from data_file where kind = 'E' and processed = false) as failed`,
    );
    return counted[0]!;
  }
}
