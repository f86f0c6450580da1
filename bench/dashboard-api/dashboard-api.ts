import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatKilobytes, formatMegabytes, formatMs, formatPercent } from "../lib/format-figure.ts";
import { keyOf, type Sightings } from "../freshness/follow-rows.ts";
import { publishApart, type Publication } from "../freshness/publish-apart.ts";
import { startHelper, type Helper } from "../lib/helper-process.ts";
import { quantile } from "../lib/latencies.ts";
import { watchProcess } from "../lib/process-usage.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { firstSerial, serialOf } from "../lib/seed-fleet.ts";
import { readServerMetric } from "../lib/server-metrics.ts";
import type { LoadResult } from "../node-load/node-load.ts";
import { addressOf, startNodeLoad } from "../node-load/start-node-load.ts";
import type { PollInput, PollLoad, PollResult } from "./poll-load.ts";
import { startPollLoad } from "./start-poll-load.ts";
import { openFleetServer } from "../lib/fleet-server.ts";

interface Measured {
  polls: PollResult;
  serverCores: number;
  peakRssBytes: number;
}

const changedShare = 0.2;
const pollEveryMs = 2_000;
const updatesEveryMs = 10_000;
/** The nodes send until the last poll, however long that takes. */
const longestSeconds = 3_600;
/** Nodes beside them whose values are followed from their publication to an answer. */
const probeCount = 10;
const loopLagMetric = "nodejs_eventloop_lag_p99_seconds";

/** P3, P4: what people who watch the fleet wait for while it sends, and what a poll weighs. */
export async function benchDashboardApi(context: BenchContext): Promise<Report> {
  const { isShort, undo, say } = context;
  const nodes = isShort ? 1_000 : 10_000;
  const pollers = isShort ? 50 : 1_000;
  const seconds = context.seconds ?? (isShort ? 2 : 30);
  const warmupSeconds = isShort ? 0.5 : 4;
  // A fifth of the highest ingest rate, from a fifth of the nodes: so much changes between two polls.
  const senders = nodes * changedShare;
  const ingestPerSecond = isShort ? 200 : 4_000;

  say(`seeding ${formatCount(nodes)} nodes and ${formatCount(pollers)} sessions`);
  const { server, tokens } = await openFleetServer(context, { nodes, connected: senders + probeCount, staff: pollers });
  const load = await startNodeLoad(context);
  await load.call("connect", { ...addressOf(server.urls.mqtt), firstSerial, count: senders });
  const probes = Array.from({ length: probeCount }, (_, index) => serialOf(senders + index));
  const probeLoad = await startNodeLoad(context);
  await probeLoad.call("connect", { ...addressOf(server.urls.mqtt), firstSerial: probes[0]!, count: probeCount });

  const input: Omit<PollInput, "origin"> = {
    tokens,
    seconds,
    warmupSeconds,
    pollEveryMs,
    updatesEveryMs,
    dashboardPath: "/api/node-dashboard",
    updatesPath: "/admin/assets/updates.json",
    hasRevisions: true,
    probes,
  };
  say(`${formatCount(pollers)} people poll while ${formatCount(ingestPerSecond)} messages a second come in`);
  const pollLoad = await startPollLoad(context);
  const sending = load.call("openLoop", {
    seconds: longestSeconds,
    warmupSeconds: 0,
    perSecond: ingestPerSecond,
    maxUnacked: 200,
    maxHeldBack: Infinity,
  });
  // Asked once before, so that the second answer covers the polls only.
  await readServerMetric(server.urls.console, loopLagMetric);
  const polling = measurePolls(pollLoad, { ...input, origin: server.urls.console }, server.pid);
  // Until then no one asks for what changed.
  await Promise.race([pollLoad.call("whenAllHaveAnswers", undefined), polling]);
  const publishing = publishApart(probeLoad, probes, seconds);
  const looking = publishing.then((publications) => pollLoad.call("lookFor", publications.map(sightingKey)));
  const [busbar, publications] = await Promise.all([polling, publishing, looking]);
  const loopLagMs = (await readServerMetric(server.urls.console, loopLagMetric)) * 1_000;
  await load.call("finish", undefined);
  const ingest = await sending;
  const complaints = server.complaints();
  await load.stop();
  await probeLoad.stop();
  await server.stop();

  say("the same polls against bare Node");
  const bare = await startHelper<{ start: (input: { bytes: number }) => Promise<number> }>(
    new URL("./bare-http-process.ts", import.meta.url),
  );
  undo.add(() => bare.stop());
  const port = await bare.call("start", { bytes: Math.round(busbar.polls.bytesPerPoll) });
  const bareInput = {
    ...input,
    origin: `http://127.0.0.1:${port}`,
    hasRevisions: false,
    probes: undefined,
    seconds: Math.min(seconds, 15),
  };
  const floor = await measurePolls(await startPollLoad(context), bareInput, bare.pid);

  const report = present(nodes, pollers, busbar, floor, ingest);
  presentFreshness(report, publications, busbar.polls.sightings);
  report.notes.push(`The server's event loop was late by ${formatMs(loopLagMs)} ms in the 99th percentile.`);
  report.facts["eventLoopLagP99Ms"] = loopLagMs;
  for (const complaint of complaints.slice(0, 5)) report.notes.push(`The server logged: ${complaint.slice(0, 300)}`);
  return report;
}

async function measurePolls(load: Helper<PollLoad>, input: PollInput, pid: number): Promise<Measured> {
  const watch = watchProcess(pid);
  const startedAt = performance.now();
  const polls = await load.call("poll", input);
  const { cpuSeconds, peakRssBytes } = watch.stop();
  await load.stop();
  return { polls, peakRssBytes, serverCores: cpuSeconds / ((performance.now() - startedAt) / 1_000) };
}

const sightingKey = ({ serial, atMs }: Publication): string => keyOf(String(serial), String(atMs));

function presentFreshness(report: Report, publications: readonly Publication[], sightings: Sightings): void {
  const delays = publications.flatMap((publication) => {
    const seenAt = sightings[sightingKey(publication)];
    return seenAt === undefined ? [] : [seenAt - publication.atMs];
  });
  expectNone(report, "values that no answer showed", publications.length - delays.length);
  const at = (share: number) => quantile(delays, share);
  report.tables.push({
    columns: ["from a node's publish to an answer", "values", "p50 ms", "p95 ms", "max ms"],
    rows: [["under this load", delays.length, formatMs(at(0.5)), formatMs(at(0.95)), formatMs(at(1))]],
  });
  Object.assign(report.facts, { freshP50Ms: at(0.5), freshP95Ms: at(0.95), freshMaxMs: at(1) });
}

function present(nodes: number, pollers: number, busbar: Measured, floor: Measured, ingest: LoadResult): Report {
  const report = createReport("dashboard-api", `${formatCount(nodes)} nodes, ${formatCount(pollers)} people poll every 2 s`);
  const row = (name: string, { polls, serverCores, peakRssBytes }: Measured) => [
    name,
    formatCount(polls.requests),
    polls.errors,
    formatMs(polls.polls.p50Ms),
    formatMs(polls.polls.p99Ms),
    formatMs(polls.polls.maxMs),
    formatMs(polls.updates.p99Ms),
    serverCores.toFixed(2),
    formatMegabytes(peakRssBytes),
  ];
  report.tables.push({
    columns: ["side by side", "requests", "errors", "p50 ms", "p99 ms", "max ms", "updates.json p99 ms", "server cores", "peak RSS"],
    rows: [
      row(`Busbar, with ${formatCount(ingest.ackedPerSecond)} messages/s coming in`, busbar),
      row(`bare Node HTTP, ${formatKilobytes(busbar.polls.bytesPerPoll)} fixed`, floor),
    ],
  });
  report.tables.push({
    columns: ["encoding", "full KB", "delta KB", "nodes in a delta", "delta / full"],
    rows: busbar.polls.sizes.map(({ encoding, full, delta }) => {
      const fullBytes = full.bytes / full.count;
      const deltaBytes = delta.bytes / delta.count;
      const changed = delta.nodes / delta.count;
      report.facts[`deltaShare_${encoding}`] = deltaBytes / fullBytes;
      return [
        encoding,
        formatKilobytes(fullBytes),
        formatKilobytes(deltaBytes),
        `${formatCount(changed)} (${formatPercent(changed / nodes)})`,
        formatPercent(deltaBytes / fullBytes),
      ];
    }),
  });
  report.notes.push(
    "Latency: from the scheduled time of a poll to its last byte. A late answer makes the next poll late too, and that counts.",
  );
  expectNone(report, `polls that failed (${busbar.polls.firstError ?? ""})`, busbar.polls.errors);
  expectNone(report, "messages without acknowledgement meanwhile", ingest.unackedAtEnd);
  Object.assign(report.facts, {
    pollP50Ms: busbar.polls.polls.p50Ms,
    pollP99Ms: busbar.polls.polls.p99Ms,
    barePollP50Ms: floor.polls.polls.p50Ms,
    barePollP99Ms: floor.polls.polls.p99Ms,
    updatesP99Ms: busbar.polls.updates.p99Ms,
    errors: busbar.polls.errors,
    serverCores: busbar.serverCores,
    ingestP99Ms: ingest.latency.p99Ms,
    ingestPerSecond: ingest.ackedPerSecond,
  });
  return report;
}
