import { setTimeout as wait } from "node:timers/promises";
import type { PollResult } from "../dashboard-api/poll-load.ts";
import { startPollLoad } from "../dashboard-api/start-poll-load.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatKilobytes, formatMs, formatPercent } from "../lib/format-figure.ts";
import { treeCpuSeconds } from "../lib/process-tree.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { firstSerial } from "../lib/seed-fleet.ts";
import { addressOf, startNodeLoad } from "../node-load/start-node-load.ts";
import { openFleetServer } from "../lib/fleet-server.ts";

interface Stage {
  name: string;
  /** Of one core, server and database together. */
  share: number;
  polls: PollResult | undefined;
}

const watchers = 50;
const pollEveryMs = 1_000;
const calmEverySeconds = 10;
const never = 86_400_000;

/** What 50 people cost who each watch the meter of another location: their polls, and the values that come every second because of them. */
export async function benchMetering(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const nodes = isShort ? 200 : 10_000;
  const seconds = context.seconds ?? (isShort ? 2 : 30);
  const warmupSeconds = isShort ? 0.5 : 5;

  say(`seeding ${formatCount(nodes)} nodes`);
  let paths: string[] = [];
  const { server, tokens } = await openFleetServer(context, {
    nodes,
    connected: watchers,
    staff: watchers,
    seed: async (pool) => {
      const { rows } = await pool.query<{ id: number }>(
        "select location_id as id from node_assignment where serial_number < $1 order by 1",
        [firstSerial + watchers],
      );
      paths = rows.map(({ id }) => `/api/locations/${id}/metering?string=true`);
    },
  });
  const load = await startNodeLoad(context);
  await load.call("connect", { ...addressOf(server.urls.mqtt), firstSerial, count: watchers });
  const send = (perSecond: number, forSeconds: number) =>
    load.call("openLoop", { seconds: forSeconds, warmupSeconds: 0, perSecond, maxUnacked: 200, maxHeldBack: Infinity });

  const measure = async (name: string, perSecond: number, watch: boolean): Promise<Stage> => {
    say(`${name}: ${perSecond} messages a second${watch ? `, ${watchers} people watch` : ""}`);
    const sending = send(perSecond, warmupSeconds + seconds + 2);
    const polling = watch ? poll() : undefined;
    await wait(warmupSeconds * 1_000);
    const before = treeCpuSeconds(server.pid) ?? Number.NaN;
    const beganAt = performance.now();
    await wait(seconds * 1_000);
    const share = ((treeCpuSeconds(server.pid) ?? Number.NaN) - before) / ((performance.now() - beganAt) / 1_000);
    const polls = await polling;
    await sending;
    return { name, share, polls };
  };
  const poll = async (): Promise<PollResult> => {
    const helper = await startPollLoad(context);
    const input = { origin: server.urls.console, tokens, paths, seconds, warmupSeconds, pollEveryMs };
    const result = await helper.call("poll", {
      ...input,
      updatesEveryMs: never,
      dashboardPath: "",
      updatesPath: "/admin/assets/updates.json",
      hasRevisions: false,
    });
    await helper.stop();
    return result;
  };

  const calm = await measure("unwatched", watchers / calmEverySeconds, false);
  const live = await measure("values every second", watchers, false);
  const watched = await measure("watched", watchers, true);
  const complaints = server.complaints();
  await load.stop();
  await server.stop();
  return present([calm, live, watched], nodes, complaints);
}

function present(stages: readonly Stage[], nodes: number, complaints: readonly string[]): Report {
  const report = createReport("metering", `${watchers} people watch ${watchers} meters every second, ${formatCount(nodes)} nodes`);
  const [calm, live, watched] = stages;
  const calmShare = calm?.share ?? Number.NaN;
  report.tables.push({
    columns: ["stage", "of one core", "above unwatched", "p50 ms", "p99 ms", "max ms"],
    rows: stages.map(({ name, share, polls }) => [
      name,
      formatPercent(share),
      formatPercent(share - calmShare),
      ...(polls ? [polls.polls.p50Ms, polls.polls.p99Ms, polls.polls.maxMs].map(formatMs) : ["", "", ""]),
    ]),
  });
  const polls = watched?.polls;
  const cost = (watched?.share ?? Number.NaN) - calmShare;
  report.notes.push(
    "Processor time of the server with its database. Unwatched: a value of each node every 10 s.",
    `Watching costs ${formatPercent(cost)} of a core (10 % at most), of which ${formatPercent((live?.share ?? Number.NaN) - calmShare)} are the values every second.`,
    `An answer has ${formatKilobytes(polls?.bytesPerPoll ?? 0)}.`,
  );
  for (const complaint of complaints.slice(0, 5))
    report.notes.push(`The server logged: ${complaint.replaceAll(/"stack":"[^"]*",?/g, "").slice(0, 400)}`);
  expectNone(report, `polls that failed (${polls?.firstError ?? ""})`, polls?.errors ?? 1);
  Object.assign(report.facts, {
    watchingShare: cost,
    liveShare: (live?.share ?? Number.NaN) - calmShare,
    pollP50Ms: polls?.polls.p50Ms,
    pollP99Ms: polls?.polls.p99Ms,
  });
  return report;
}
