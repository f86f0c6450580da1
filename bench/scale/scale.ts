import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startPollLoad } from "../dashboard-api/start-poll-load.ts";
import type { PollResult } from "../dashboard-api/poll-load.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMegabytes, formatMs } from "../lib/format-figure.ts";
import { openFleetServer } from "../lib/fleet-server.ts";
import { treeCpuSeconds } from "../lib/process-tree.ts";
import { watchProcess } from "../lib/process-usage.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { firstSerial } from "../lib/seed-fleet.ts";
import { addressOf, startNodeLoad } from "../node-load/start-node-load.ts";

interface Point {
  nodes: number;
  people: number;
  messagesPerSecond: number;
  polls: PollResult;
  unacked: number;
  /** Processor seconds a second of the server and its database together. */
  cores: number;
  peakRssBytes: number;
}

/** Every node reports once in ten seconds: a tenth of them sends for all, once a second. */
const sendingShare = 0.1;
const fewPeople = 10;

/** Cost against size: what one node and what one poll cost, from small fleets to large ones and from one person to many. */
export async function benchScale(context: BenchContext): Promise<Report> {
  const { isShort } = context;
  // Serial numbers have five digits.
  const fleets = isShort ? [] : [1_000, 3_000, 10_000, 30_000, 80_000];
  const crowds = isShort ? [1, 10] : [1, 10, 100, 500, 1_000, 2_000];
  const crowdsFleet = isShort ? 300 : 10_000;
  const byFleet: Point[] = [];
  for (const nodes of fleets) byFleet.push(...(await measureFleet(context, nodes, [fewPeople])));
  const byCrowd = await measureFleet(context, crowdsFleet, crowds);

  const report = createReport("scale", "What a node and a poll cost, by the size of the fleet and the number of people who poll every 2 s");
  addTable(report, byFleet);
  addTable(report, byCrowd);
  const perNode = ({ cores, nodes }: Point) => (cores / nodes) * 1e6;
  const perPoll = ({ cores, people }: Point) => (cores / (people / 2)) * 1e3;
  report.plots = [
    {
      title: "A second of one node: level or falling is linear or better",
      xLabel: "nodes",
      yLabel: "processor µs of program and database",
      x: byFleet.map(({ nodes }) => formatCount(nodes)),
      y: byFleet.map(perNode),
    },
    {
      title: `One poll, telemetry of ${formatCount(crowdsFleet)} nodes included: falling is better than linear`,
      xLabel: "people",
      yLabel: "processor ms of program and database",
      x: byCrowd.map(({ people }) => formatCount(people)),
      y: byCrowd.map(perPoll),
    },
  ];
  report.notes.push("Cores: processor seconds a second of program and database together; the generators are not in it.");
  for (const point of byFleet) report.facts[`${point.nodes} nodes, processor µs a node and second`] = perNode(point);
  for (const point of byCrowd) report.facts[`${point.people} people, processor ms a poll`] = perPoll(point);
  for (const { nodes, people, polls, unacked } of [...byFleet, ...byCrowd]) {
    expectNone(report, `polls of ${people} people that failed at ${nodes} nodes (${polls.firstError ?? ""})`, polls.errors);
    expectNone(report, `messages without acknowledgement at ${nodes} nodes`, unacked);
  }
  return report;
}

/** One fleet that sends, and one crowd after the other that polls. */
async function measureFleet(context: BenchContext, nodes: number, crowds: readonly number[]): Promise<Point[]> {
  const { isShort, folder, say } = context;
  const seconds = context.seconds ?? (isShort ? 1 : 10);
  const senders = Math.ceil(nodes * sendingShare);
  say(`${formatCount(nodes)} nodes`);
  const own = { ...context, folder: join(folder, `${nodes}-${crowds.length}`) };
  const { server, tokens } = await openFleetServer(own, { nodes, connected: senders, staff: Math.max(...crowds) });
  const load = await startNodeLoad(context);
  await load.call("connect", { ...addressOf(server.urls.mqtt), firstSerial, count: senders });
  const points: Point[] = [];
  for (const people of crowds) {
    say(`${formatCount(nodes)} nodes, ${formatCount(people)} people`);
    const pollLoad = await startPollLoad(context);
    const sending = load.call("openLoop", {
      seconds: 3_600,
      warmupSeconds: 0,
      perSecond: senders,
      maxUnacked: 200,
      maxHeldBack: Infinity,
    });
    const watch = watchProcess(server.pid);
    const [polls, cores] = await Promise.all([
      pollLoad.call("poll", {
        origin: server.urls.console,
        tokens: tokens.slice(0, people),
        seconds,
        warmupSeconds: isShort ? 0.5 : 5,
        pollEveryMs: 2_000,
        updatesEveryMs: 10_000,
        dashboardPath: "/api/node-dashboard",
        updatesPath: "/admin/assets/updates.json",
        hasRevisions: true,
      }),
      coresAfter(server.pid, isShort ? 0.5 : 6, seconds),
    ]);
    await load.call("finish", undefined);
    const { ackedPerSecond, unackedAtEnd } = await sending;
    const { peakRssBytes } = watch.stop();
    points.push({ nodes, people, messagesPerSecond: ackedPerSecond, polls, unacked: unackedAtEnd, cores, peakRssBytes });
    await pollLoad.stop();
  }
  await load.stop();
  await server.stop();
  return points;
}

/** Processor seconds a second of a process and its database, from `afterSeconds` on. */
async function coresAfter(pid: number, afterSeconds: number, seconds: number): Promise<number> {
  await pause(afterSeconds * 1_000);
  const before = treeCpuSeconds(pid) ?? Number.NaN;
  const startedAt = performance.now();
  await pause(seconds * 1_000);
  return ((treeCpuSeconds(pid) ?? Number.NaN) - before) / ((performance.now() - startedAt) / 1_000);
}

function addTable(report: Report, points: readonly Point[]): void {
  report.tables.push({
    columns: ["nodes", "people", "messages/s", "cores", "µs a node", "poll p50 ms", "poll p99 ms", "errors", "peak RSS"],
    rows: points.map(({ nodes, people, messagesPerSecond, polls, cores, peakRssBytes }) => [
      formatCount(nodes),
      formatCount(people),
      formatCount(messagesPerSecond),
      cores.toFixed(2),
      formatMs((cores / nodes) * 1e6),
      formatMs(polls.polls.p50Ms),
      formatMs(polls.polls.p99Ms),
      polls.errors,
      formatMegabytes(peakRssBytes),
    ]),
  });
}
