import type { PollResult } from "../dashboard-api/poll-load.ts";
import { startPollLoad } from "../dashboard-api/start-poll-load.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMegabytes, formatMs, formatTimes } from "../lib/format-figure.ts";
import { startHelper } from "../lib/helper-process.ts";
import { watchProcess } from "../lib/process-usage.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { firstSerial } from "../lib/seed-fleet.ts";
import { addressOf, startNodeLoad } from "../node-load/start-node-load.ts";
import type { RudeLoad, RudeResult } from "./rude-load.ts";
import { openFleetServer } from "../lib/fleet-server.ts";

interface Stage {
  name: string;
  polls: PollResult;
  serverCores: number;
  peakRssBytes: number;
}

/** The same people alone and directly afterwards beside rude clients, as the machine's own speed changes from minute to minute. */
interface Round {
  alone: Stage;
  beside: Stage;
}

const fullRounds = 3;

/** What people notice of clients that never read, ask nonsense, change their minds or leave: beside the same people alone. */
export async function benchRudeClients(context: BenchContext): Promise<Report> {
  const { isShort, undo, say } = context;
  const nodes = isShort ? 300 : 10_000;
  const people = isShort ? 10 : 100;
  const rude = context.connections ?? (isShort ? 20 : 1_000);
  const seconds = context.seconds ?? (isShort ? 3 : 60);
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

  const tried: RudeResult = {};
  const measureBeside = async (name: string) => {
    const helper = await startHelper<RudeLoad>(new URL("./rude-load-process.ts", import.meta.url));
    undo.add(() => helper.stop());
    const running = helper.call("run", {
      origin: server.urls.console,
      tokens: tokens.slice(people),
      clients: rude,
      seconds: seconds + (isShort ? 1 : 8),
    });
    const stage = await measure(name);
    for (const [manner, times] of Object.entries(await running)) tried[manner] = (tried[manner] ?? 0) + times;
    await helper.stop();
    return stage;
  };
  const rounds: Round[] = [];
  for (let round = 1; round <= (isShort ? 1 : fullRounds); round++) {
    const alone = await measure(`${formatCount(people)} people alone, round ${round}`);
    rounds.push({ alone, beside: await measureBeside(`the same beside ${formatCount(rude)} rude clients, round ${round}`) });
  }
  const after = await measure("the same afterwards");
  await load.call("finish", undefined);
  const { unackedAtEnd } = await sending;
  await load.stop();
  await server.stop();

  const report = createReport("rude-clients", `${formatCount(nodes)} nodes, people who poll every 2 s beside clients that behave badly`);
  const last = rounds.at(-1)!;
  /** Each beside that of its round without rude clients. */
  const stages = [
    ...rounds.flatMap(({ alone, beside }) => [[alone, alone] as const, [alone, beside] as const]),
    [last.alone, after] as const,
  ];
  report.tables.push({
    columns: ["people", "polls", "errors", "p50 ms", "p99 ms", "p99 to alone", "sent late, p99 ms", "server cores", "peak RSS"],
    rows: stages.map(([alone, { name, polls, serverCores, peakRssBytes }]) => [
      name,
      formatCount(polls.requests),
      polls.errors,
      formatMs(polls.polls.p50Ms),
      formatMs(polls.polls.p99Ms),
      formatTimes(polls.polls.p99Ms / alone.polls.polls.p99Ms),
      formatMs(polls.lateness.p99Ms),
      serverCores.toFixed(2),
      formatMegabytes(peakRssBytes),
    ]),
  });
  report.tables.push({
    columns: ["a rude client", "times"],
    rows: Object.entries(tried).map(([name, times]) => [name, formatCount(times)]),
  });
  for (const [, { name, polls }] of stages) expectNone(report, `polls that failed, ${name} (${polls.firstError ?? ""})`, polls.errors);
  expectNone(report, "messages without acknowledgement meanwhile", unackedAtEnd);
  if (rounds.length > 1) report.notes.push("Of the rounds the one counts whose figures are furthest apart.");
  const { alone, beside } = rounds.reduce((worst, round) => (timesOf(round) > timesOf(worst) ? round : worst));
  report.facts = {
    aloneP99Ms: alone.polls.polls.p99Ms,
    besideP99Ms: beside.polls.polls.p99Ms,
    besidePeakRssBytes: Math.max(...rounds.map((round) => round.beside.peakRssBytes)),
  };
  return report;
}

const timesOf = ({ alone, beside }: Round): number => beside.polls.polls.p99Ms / alone.polls.polls.p99Ms;
