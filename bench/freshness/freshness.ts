import { setTimeout as pause } from "node:timers/promises";
import { desktop, launchBrowser, signIn } from "../lib/browser.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMs } from "../lib/format-figure.ts";
import { quantile } from "../lib/latencies.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { firstSerial, serialOf } from "../lib/seed-fleet.ts";
import { addressOf, startNodeLoad } from "../node-load/start-node-load.ts";
import { followApi } from "./follow-api.ts";
import { followRows, keyOf, type Sightings } from "./follow-rows.ts";
import { publishApart } from "./publish-apart.ts";
import { startFleetServer } from "../lib/fleet-server.ts";

/** So many rows surely are in the page, and each of them belongs to a node that sends. */
const senders = 12;
const lastChanceMs = 6_000;

/** P4: from a node's publish to the value in an answer of the API, and in the row of a real console that polls every 2 s. */
export async function benchFreshness(context: BenchContext): Promise<Report> {
  const { isShort, undo, say } = context;
  const nodes = isShort ? 1_000 : 10_000;
  const seconds = context.seconds ?? (isShort ? 4 : 60);
  const { server, tokens } = await startFleetServer(context, { nodes, connected: senders, staff: 2 });
  const load = await startNodeLoad(context);
  await load.call("connect", { ...addressOf(server.urls.mqtt), firstSerial, count: senders });

  const browser = await launchBrowser(context);
  const page = await browser.newPage(desktop);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await signIn(page, server.urls.console, tokens[0] ?? "");
  await page.goto(`${server.urls.console}/admin/#/node-dashboard`);
  await page.locator("[data-row]").first().waitFor();
  await page.evaluate(followRows);
  const api = followApi(server.urls.console, tokens[1] ?? "");
  undo.add(() => api.stop());

  say(`${senders} nodes publish for ${seconds} s`);
  const publications = await publishApart(
    load,
    Array.from({ length: senders }, (_, index) => serialOf(index)),
    seconds,
  );
  const readShown = () => page.evaluate(() => (globalThis as unknown as { sightings: Sightings }).sightings);
  const isSeen = (seen: Sightings) => publications.every(({ serial, atMs }) => keyOf(String(serial), String(atMs)) in seen);
  for (const deadline = performance.now() + lastChanceMs; performance.now() < deadline && !isSeen(await readShown());) await pause(200);
  await api.stop();
  const shown = await readShown();

  const report = createReport("freshness", `${formatCount(nodes)} nodes, from a node's publish (QoS 1) until it is seen`);
  const row = (name: string, seen: Sightings) => {
    const delays = publications.flatMap(({ serial, atMs }) => {
      const seenAt = seen[keyOf(String(serial), String(atMs))];
      return seenAt === undefined ? [] : [seenAt - atMs];
    });
    expectNone(report, `values never seen ${name}`, publications.length - delays.length);
    const at = (share: number) => quantile(delays, share);
    Object.assign(report.facts, { [`${name}, p50 ms`]: at(0.5), [`${name}, p95 ms`]: at(0.95), [`${name}, max ms`]: at(1) });
    return [name, delays.length, formatMs(at(0.5)), formatMs(at(0.95)), formatMs(at(1))];
  };
  report.tables.push({
    columns: ["seen", "values", "p50 ms", "p95 ms", "max ms"],
    rows: [row("in an API answer, asked every 100 ms", api.sightings), row("in the row of a console that polls every 2 s", shown)],
  });
  report.notes.push("Polling alone costs 1,000 ms in the median and 1,900 ms in the 95th percentile.");
  expectNone(report, `errors of the page (${problems[0] ?? ""})`, problems.length);
  return report;
}
