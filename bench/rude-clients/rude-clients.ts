import type { PollResult } from "../dashboard-api/poll-load.ts";
import { startPollLoad } from "../dashboard-api/start-poll-load.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMegabytes, formatMs, formatTimes } from "../lib/format-figure.ts";
import { startHelper } from "../lib/helper-process.ts";
import { watchProcess } from "../lib/process-usage.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { firstSerial } from "../lib/seed-fleet.ts";
import { addressOf, startNodeLoad } from "../node-load/start-node-load.ts";
import type { RudeLoad } from "./rude-load.ts";
import { openFleetServer } from "../lib/fleet-server.ts";

interface Stage {
  name: string;
  polls: PollResult;
  serverCores: number;
  peakRssBytes: number;
}

/** What people notice of clients that never read, ask nonsense, change their minds or leave: beside the same people alone. */
export async function benchRudeClients(context: BenchContext): Promise<Report> {
  const { isShort, undo, say } = context;
  const nodes = isShort ? 300 : 10_000;
  const people = isShort ? 10 : 100;
  const rude = context.connections ?? (isShort ? 20 : 1_000);
  const seconds = context.seconds ?? (isShort ? 3 : 40);
  const senders = nodes / 10;
  const { server, tokens } = await openFleetServer(context, { nodes, connected: senders, staff: people + rude });
  const load = await startNodeLoad(context);
  await load.call("connect", { ...addressOf(server.urls.mqtt), firstSerial, count: senders });
  const sending = load.call("openLoop", { seconds: 3_600, warmupSeconds: 0, perSecond: senders, maxUnacked: 200, maxHeldBack: Infinity });

  const measure = async (name: string): Promise<Stage> => {
    say(name);
    const pollLoad = await startPollLoad(context);
    const watch = watchProcess(server.pid);
    const startedAt = performance.now();
    const polls = await pollLoad.call("poll", {
      origin: server.urls.console,
      tokens: tokens.slice(0, people),
      seconds,
      warmupSeconds: isShort ? 0.5 : 4,
      pollEveryMs: 2_000,
      updatesEveryMs: 10_000,
      dashboardPath: "/api/node-dashboard",
      updatesPath: "/admin/assets/updates.json",
      hasRevisions: true,
    });
    const { cpuSeconds, peakRssBytes } = watch.stop();
    await pollLoad.stop();
    return { name, polls, peakRssBytes, serverCores: cpuSeconds / ((performance.now() - startedAt) / 1_000) };
  };

  const alone = await measure(`${formatCount(people)} people alone`);
  const helper = await startHelper<RudeLoad>(new URL("./rude-load-process.ts", import.meta.url));
  undo.add(() => helper.stop());
  const running = helper.call("run", {
    origin: server.urls.console,
    tokens: tokens.slice(people),
    clients: rude,
    seconds: seconds + (isShort ? 1 : 8),
  });
  const beside = await measure(`the same beside ${formatCount(rude)} rude clients`);
  const tried = await running;
  await helper.stop();
  const after = await measure("the same afterwards");
  await load.call("finish", undefined);
  const { unackedAtEnd } = await sending;
  await load.stop();
  await server.stop();

  const report = createReport("rude-clients", `${formatCount(nodes)} nodes, people who poll every 2 s beside clients that behave badly`);
  report.tables.push({
    columns: ["people", "polls", "errors", "p50 ms", "p99 ms", "p99 to alone", "server cores", "peak RSS"],
    rows: [alone, beside, after].map(({ name, polls, serverCores, peakRssBytes }) => [
      name,
      formatCount(polls.requests),
      polls.errors,
      formatMs(polls.polls.p50Ms),
      formatMs(polls.polls.p99Ms),
      formatTimes(polls.polls.p99Ms / alone.polls.polls.p99Ms),
      serverCores.toFixed(2),
      formatMegabytes(peakRssBytes),
    ]),
  });
  report.tables.push({
    columns: ["a rude client", "times"],
    rows: Object.entries(tried).map(([name, times]) => [name, formatCount(times)]),
  });
  for (const { name, polls } of [alone, beside, after])
    expectNone(report, `polls that failed, ${name} (${polls.firstError ?? ""})`, polls.errors);
  expectNone(report, "messages without acknowledgement meanwhile", unackedAtEnd);
  report.facts = {
    aloneP99Ms: alone.polls.polls.p99Ms,
    besideP99Ms: beside.polls.polls.p99Ms,
    besidePeakRssBytes: beside.peakRssBytes,
  };
  return report;
}
