import { setTimeout as pause } from "node:timers/promises";
import { setNodeConfigValue } from "@busbar/contract/telemetry/node-config.ts";
import { verdictKinds } from "@busbar/alarms/verdict/verdict-kinds.ts";
import { findTotpSecrets } from "@busbar/server/admin/administrators.store.ts";
import { secretsKeyOf } from "@busbar/server/db/secrets-key.ts";
import { totpCode } from "@busbar/server/lib/totp.ts";
import { longestBackOffSeconds } from "@busbar/simulator/edge-link.ts";
import { startFleet, type Fleet } from "@busbar/simulator/fleet.ts";
import type { PlantNode } from "@busbar/simulator/node-model/plant.ts";
import type { SimNode } from "@busbar/simulator/node-model/sim-node.ts";
import { createTruthLog, type TruthEntry } from "@busbar/simulator/scenarios/truth-log.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatPercent } from "../lib/format-figure.ts";
import { createReport, type Report } from "../lib/report.ts";
import { benchPerson } from "../lib/staff-sessions.ts";
import { expectedVerdict } from "./expected-verdict.ts";
import { startSimulatedPlatform, type SimulatedPlatform } from "./simulated-platform.ts";
import { comparedMinutes, scalarSeconds, stageFleet, stagedMinutes, type StagedFleet } from "./staged-fleet.ts";

const seed = 268;
/** What is sent within a step comes at its end: longer ones would look like clocks that are late. */
const stepSeconds = 2;
const targetShare = 0.98;
/** Of the simulated time. */
const servicesEverySeconds = 300;
/** Nodes come back within a second or two; a busy machine takes its time. */
const longestFlightMs = 2_000;
/** A node that was refused again and again may wait that long before it tries once more. */
const patienceMs = 2_000 * longestBackOffSeconds;

interface Judged {
  minute: number;
  serial: number;
  expected: string;
  actual: string;
  sentence: string;
}

/** Simulated nodes send to a real server while the simulator injects what a verdict can name; its truth log says what each should be. */
export async function benchVerdictTruth(context: BenchContext): Promise<Report> {
  const { isShort, say, undo } = context;
  const start = Math.floor(Date.now() / 1_000);
  const staged = stageFleet(seed, start, isShort ? { facilities: 1, nodesPerFacility: 2 } : { facilities: 4, nodesPerFacility: 4 });
  const { nodes, script } = staged;
  say(`${formatCount(nodes.length)} simulated nodes`);
  const platform = await startSimulatedPlatform(context, nodes);
  const truth: TruthEntry[] = [];
  const fleet = startFleet({
    nodes,
    to: platform.mqttUrl,
    seed,
    clock: platform.world,
    startEpochSeconds: start,
    faults: { script, scale: 0 },
    files: { backfillIntervals: 1 },
    startDelayMaxSeconds: 0,
    qos: 1,
    log: (message) => void (lastMessages = [...lastMessages.slice(-9), message]),
  });
  undo.add(() => fleet.stop());
  const truthLog = createTruthLog(fleet.plant, seed, start, (line) => void truth.push(JSON.parse(line) as TruthEntry));

  await runUntil(start + 2 * 60, platform, fleet, nodes);
  for (const serial of staged.configured) await changeConfig(platform, serial);
  const judged: Judged[] = [];
  for (const minute of isShort ? comparedMinutes.slice(0, 1) : comparedMinutes) {
    say(`to minute ${minute} of ${stagedMinutes}`);
    await runUntil(start + minute * 60, platform, fleet, nodes);
    await untilRefused(platform, fleet);
    await untilFilesCame(fleet, "dueFiles");
    await runServices(platform);
    truthLog.advance(Math.floor(platform.clock.now() / 1_000));
    judged.push(...(await compareNow(minute, platform, staged, truth)));
  }
  return reportOf(staged, judged);
}

async function runUntil(end: number, platform: SimulatedPlatform, fleet: Fleet, nodes: readonly SimNode[]): Promise<void> {
  const { world } = platform;
  for (let now = Math.floor(world.now() / 1_000); now < end; now += stepSeconds) {
    world.advance(stepSeconds * 1_000);
    if (now % 10 < stepSeconds) await untilOnline(fleet, nodes, now);
    await untilReceived(platform, fleet);
    if (now % 10 < stepSeconds) await untilFilesCame(fleet, "untriedFiles");
    if (now % servicesEverySeconds < stepSeconds) await runServices(platform);
  }
}

/** No time passes for nodes that are on their way back. A node looks at its cable with each scalar. */
async function untilOnline(fleet: Fleet, nodes: readonly SimNode[], now: number): Promise<void> {
  const canConnect = ({ link }: PlantNode, at: number) => {
    const { isLinkUp, isPowered, isSecretWrong } = link.at(at);
    return isLinkUp && isPowered && !isSecretWrong;
  };
  const expected = nodes.filter(({ serial, quirks }) => {
    const node = fleet.plant.nodes.get(serial)!;
    return !quirks.neverConnects && [0, 30, 60, scalarSeconds + 10].every((ago) => canConnect(node, now - ago));
  });
  const missing = () => {
    const phases = fleet.phases();
    return expected.flatMap(({ serial }) => (phases.get(serial) === "born" ? [] : [`${serial} (${phases.get(serial)})`]));
  };
  await until(
    () => `nodes to be connected: ${missing().join(", ")}`,
    () => missing().length === 0,
  );
}

let lostMessages = 0;
/** Of simulated nodes, for whoever waits in vain. */
let lastMessages: string[] = [];

/** What was published with a connection that then ended may never come. */
async function untilReceived(platform: SimulatedPlatform, fleet: Fleet): Promise<void> {
  const outside = async () => {
    const { published, vanished } = fleet.stats();
    return published + vanished - (await platform.received());
  };
  const deadline = performance.now() + longestFlightMs;
  let left = await outside();
  for (; left > lostMessages && performance.now() < deadline; left = await outside()) await pause(1);
  lostMessages = left;
}

async function runServices(platform: SimulatedPlatform): Promise<void> {
  await platform.settled();
  await platform.run("FileExtraction", "AlarmEvaluation", "NodeVerdicts");
}

/** Files are sent and acknowledged in real time, while the server gives one up that does not come in simulated minutes. */
const untilFilesCame = (fleet: Fleet, which: "dueFiles" | "untriedFiles"): Promise<void> =>
  until(
    () => `${fleet.stats()[which]} files to be acknowledged`,
    () => fleet.stats()[which] === 0,
  );

/** A value of its own, which the node confirms. */
async function changeConfig({ pool, dataDir, clock, call }: SimulatedPlatform, serial: number): Promise<void> {
  await pool.query("update user_totp set last_used_step = 0");
  const [secret = ""] = (await findTotpSecrets(pool, secretsKeyOf(dataDir), [benchPerson])).values();
  const values = { serial: String(serial), key: "v_noise", newValue: "6", code: totpCode(secret, clock.now()), oldValue: "5" };
  const status = await call(
    "PATCH",
    setNodeConfigValue.path.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof values) => values[name]),
  );
  if (status !== 200) throw new Error(`The configuration of node ${serial} could not be changed: ${status}`);
}

/** Nodes with a wrong secret try in real time, and what was refused is written down every few seconds. */
async function untilRefused({ pool, world }: SimulatedPlatform, fleet: Fleet): Promise<void> {
  const now = Math.floor(world.now() / 1_000);
  const expected = [...fleet.plant.nodes].flatMap(([serial, { link }]) => (link.at(now).isSecretWrong ? [serial] : []));
  await until(
    () => "refusals to be written down",
    async () => {
      const { rows } = await pool.query<{ count: number }>(
        "select count(distinct serial_number)::int4 as count from node_refusal where serial_number = any ($1)",
        [expected],
      );
      return rows[0]!.count === expected.length;
    },
  );
}

async function until(what: () => string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain for ${what()}. Nodes said last: ${lastMessages.join("; ")}`);
    await pause(5);
  }
}

async function compareNow(
  minute: number,
  { pool, clock }: SimulatedPlatform,
  { nodes }: StagedFleet,
  truth: readonly TruthEntry[],
): Promise<Judged[]> {
  const at = Math.floor(clock.now() / 1_000);
  const { rows } = await pool.query<{ serial: number; kind: string; sentence: string }>(
    "select serial_number as serial, kind, sentence from node_verdict",
  );
  const verdictOf = new Map(rows.map((row) => [row.serial, row]));
  const ofSerial = Map.groupBy(truth, ({ serial }) => serial ?? 0);
  const ofFacility = Map.groupBy(truth, ({ facility }) => facility ?? "");
  return nodes.map(({ serial, facilityKey }) => {
    const entries = [...(ofSerial.get(serial) ?? []), ...(ofFacility.get(facilityKey) ?? [])];
    const { kind = "none", sentence = "" } = verdictOf.get(serial) ?? {};
    return { minute, serial, expected: expectedVerdict(entries, at), actual: kind, sentence };
  });
}

function reportOf({ stageOf, nodes }: StagedFleet, judged: readonly Judged[]): Report {
  const report = createReport(
    "verdict-truth",
    `verdicts of ${formatCount(nodes.length)} simulated nodes against the simulator's truth log`,
  );
  const clear = judged.filter(({ expected }) => expected !== "unclear");
  const right = clear.filter(({ expected, actual }) => expected === actual);
  const tallies = verdictKinds
    .map((kind) => {
      const due = clear.filter(({ expected }) => expected === kind).length;
      const found = clear.filter(({ actual }) => actual === kind).length;
      const both = right.filter(({ actual }) => actual === kind).length;
      return { kind, due, found, both, precision: both / found, recall: both / due };
    })
    .filter(({ due, found }) => due + found > 0)
    .toSorted((a, b) => worseOf(a) - worseOf(b) || b.due - a.due);
  report.tables.push({
    columns: ["verdict", "due", "given", "right", "precision", "recall"],
    rows: tallies.map(({ kind, due, found, both, precision, recall }) => [
      kind,
      due,
      found,
      both,
      Number.isNaN(precision) ? "-" : formatPercent(precision),
      Number.isNaN(recall) ? "-" : formatPercent(recall),
    ]),
  });
  const wrong = Map.groupBy(
    clear.filter(({ expected, actual }) => expected !== actual),
    ({ serial, expected, actual }) => `${stageOf.get(serial) ?? "nothing"}: ${expected} expected, ${actual} given`,
  );
  for (const [words, cases] of [...wrong].toSorted(([, a], [, b]) => b.length - a.length).slice(0, 12))
    report.notes.push(
      `${words}, ${cases.length} times, such as node ${cases[0]!.serial} after ${cases[0]!.minute} min: ${cases[0]!.sentence}`,
    );
  report.notes.push(
    `${formatCount(nodes.length)} simulated nodes over a real server by a clock that both share, compared after ${comparedMinutes.join(", ")} minutes; ${formatCount(judged.length - clear.length)} of ${formatCount(judged.length)} comparisons left out, in which a fault had just begun or ended.`,
  );
  Object.assign(report.facts, {
    worstPrecision: Math.min(...tallies.map(({ precision }) => precision).filter((share) => !Number.isNaN(share))),
    worstRecall: Math.min(...tallies.map(({ recall }) => recall).filter((share) => !Number.isNaN(share))),
  });
  for (const { kind, precision, recall } of tallies)
    for (const [name, share] of Object.entries({ precision, recall }))
      if (share < targetShare) report.failures.push(`${kind}: ${name} ${formatPercent(share)}, target ${formatPercent(targetShare)}`);
  return report;
}

const worseOf = ({ precision, recall }: { precision: number; recall: number }) =>
  Math.min(Number.isNaN(precision) ? 1 : precision, Number.isNaN(recall) ? 1 : recall);
