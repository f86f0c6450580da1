import { Agent, get } from "node:http";
import { join } from "node:path";
import { launchBrowser } from "../lib/browser.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatKilobytes, formatMs } from "../lib/format-figure.ts";
import { createLatencies, quantile, type LatencySummary } from "../lib/latencies.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { openServerDatabase, startServerProcess } from "../lib/server-process.ts";
import { createStaffSessions } from "../lib/staff-sessions.ts";
import { measureFilter, texts } from "./measure-filter.ts";
import { seedDirectory } from "./seed-directory.ts";

/** P9: the customer tree at the size of a large platform, from the server and in the console. */
export async function benchCustomerTree(context: BenchContext): Promise<Report> {
  const { isShort, folder, undo, say } = context;
  const size = isShort ? { customers: 20, facilities: 100, locations: 400 } : { customers: 500, facilities: 5_000, locations: 20_000 };
  const rounds = isShort ? 2 : 200;
  const dataDir = join(folder, "data");
  const title = `${formatCount(size.customers)} customers, ${formatCount(size.facilities)} facilities, ${formatCount(size.locations)} locations`;
  say(`seeding ${title}`);
  let tokens: string[] = [];
  await seedDirectory(dataDir, size, async (pool) => void (tokens = await createStaffSessions(pool, dataDir, 1)));
  const token = tokens[0] ?? "";
  const server = await startServerProcess({ dataDir, undo, profileDir: context.profileDir });
  const report = createReport("customer-tree", title);
  const address = `${server.urls.console}/api/customers`;
  let failures = 0;
  const agent = new Agent({ keepAlive: true });
  undo.add(() => Promise.resolve(agent.destroy()));
  /** To the last byte as it comes over the wire: a browser decompresses while it receives. */
  const ask = async (headers: Record<string, string>, expected = 200) => {
    const startedAt = performance.now();
    const { status, bytes, etag } = await new Promise<{ status: number; bytes: number; etag: string }>((done, fail) => {
      get(address, { agent, headers: { token, ...headers } }, (response) => {
        let received = 0;
        response.on("data", (chunk: Buffer) => (received += chunk.length));
        response.once("end", () => done({ status: response.statusCode ?? 0, bytes: received, etag: response.headers.etag ?? "" }));
        response.once("error", fail);
      }).once("error", fail);
    });
    if (status !== expected) failures++;
    return { ms: performance.now() - startedAt, bytes, etag };
  };
  const repeat = async (headers: Record<string, string>, expected = 200): Promise<LatencySummary> => {
    const latencies = createLatencies();
    for (let round = 0; round < rounds; round++) latencies.add((await ask(headers, expected)).ms);
    return latencies.summary();
  };

  say("asking for the tree");
  const first = await ask({ "accept-encoding": "gzip" });
  const plain = await ask({ "accept-encoding": "identity" });
  const rows: [string, LatencySummary][] = [];
  for (const encoding of ["zstd", "br", "gzip"]) {
    const { bytes } = await ask({ "accept-encoding": encoding });
    rows.push([`whole, ${encoding} (${formatKilobytes(bytes)}), warm`, await repeat({ "accept-encoding": encoding })]);
  }
  const { etag } = await ask({ "accept-encoding": "gzip" });
  const unchanged = await repeat({ "accept-encoding": "gzip", "if-none-match": etag }, 304);
  rows.push(["unchanged (304)", unchanged]);
  const pool = openServerDatabase(dataDir, 1);
  undo.add(() => pool.end());
  const afterChange = createLatencies();
  for (let round = 0; round < Math.ceil(rounds / 10); round++) {
    await pool.query("update location set name = 'Renamed ' || $1::text where id = (select min(id) from location)", [round]);
    afterChange.add((await ask({ "accept-encoding": "gzip" })).ms);
  }
  rows.push(["whole, gzip, right after a change", afterChange.summary()]);
  report.tables.push({
    columns: ["GET /customers, one caller", "p50 ms", "p95 ms", "max ms"],
    rows: rows.map(([name, { p50Ms, p95Ms, maxMs }]) => [name, formatMs(p50Ms), formatMs(p95Ms), formatMs(maxMs)]),
  });
  report.notes.push(`First answer after the start: ${formatMs(first.ms)} ms. ${formatKilobytes(plain.bytes)} plain.`);
  expectNone(report, "answers of another status", failures);

  say("typing into the console");
  const figures = await measureFilter(await launchBrowser(context), server.urls.console, token, isShort ? texts.slice(0, 1) : texts);
  report.tables.push({
    columns: ["in the browser", "p50", "p75", "max"],
    rows: (
      [
        ["key until it is in the box, ms", figures.keyMs],
        ["key until the tree is filtered, ms", figures.treeMs],
      ] as const
    ).map(([name, values]) => [name, formatMs(quantile(values, 0.5)), formatMs(quantile(values, 0.75)), formatMs(quantile(values, 1))]),
  });
  report.notes.push(
    `First rows ${formatMs(figures.firstRowsMs)} ms after the click. Longest task while typing ${formatMs(figures.longestTaskMs)} ms. ` +
      `Worst frame while scrolling ${formatCount(figures.rows)} rows: ${formatMs(figures.scrollWorstFrameMs)} ms.`,
  );
  Object.assign(report.facts, {
    warmP95Ms: rows[0]?.[1].p95Ms ?? Number.NaN,
    gzipP95Ms: rows[2]?.[1].p95Ms ?? Number.NaN,
    unchangedP95Ms: unchanged.p95Ms,
    afterChangeP50Ms: afterChange.summary().p50Ms,
    firstRowsMs: figures.firstRowsMs,
    keyP75Ms: quantile(figures.keyMs, 0.75),
    treeP75Ms: quantile(figures.treeMs, 0.75),
    treeMaxMs: quantile(figures.treeMs, 1),
  });
  for (const complaint of server.complaints().slice(0, 5)) report.notes.push(`The server logged: ${complaint.slice(0, 300)}`);
  await server.stop();
  return report;
}
