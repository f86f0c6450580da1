import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "@busbar/server/db/database.ts";
import { createPool, type Pool } from "@busbar/server/db/pool.ts";
import { silentLog } from "@busbar/server/lib/log.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMs, formatPercent } from "../lib/format-figure.ts";
import { keeping, startMosquitto, whyNoMosquitto } from "../lib/mosquitto.ts";
import { createReport, expectNone, type Report } from "../lib/report.ts";
import { firstSerial, seedFleet, serialOf } from "../lib/seed-fleet.ts";
import { startServerProcess, type ServerProcess } from "../lib/server-process.ts";
import { addressOf, startNodeLoad } from "../node-load/start-node-load.ts";
import { compareStoredWithAcked } from "../ingest/stored-against-acked.ts";
import { freePort } from "@busbar/server/testing/free-port.ts";

const windowOf = (connections: number): number => Math.max(4, Math.min(64, Math.ceil(8_000 / connections)));
const patienceMs = 60_000;
const sampleEveryMs = 10;

interface Stage {
  offeredPerSecond: number;
  storedPerSecond: number;
  sent: number;
  stored: number;
}

/** Messages a second stored that come through Mosquitto, beside the broker of our own and Mosquitto alone, with one worker and with two. */
export async function benchExternalBroker(context: BenchContext): Promise<Report> {
  const report = createReport(
    "external-broker",
    "10 metrics a message, through Mosquitto on the same machine, acknowledged to it after COMMIT",
  );
  const missing = whyNoMosquitto();
  if (missing !== undefined) {
    report.notes.push(`Left out: ${missing}.`);
    return report;
  }
  const { isShort, folder, undo, say } = context;
  const offered = isShort ? { qos1: 1_000, qos0: 2_000 } : { qos1: 14_000, qos0: 26_000 };
  /** For the stages that measure who waits for whom. */
  const calm = isShort ? 500 : 3_000;
  const connections = context.connections ?? (isShort ? 64 : 512);
  const seconds = context.seconds ?? (isShort ? 0.5 : 15);
  const warmupSeconds = isShort ? 0.2 : 3;
  const dataDir = join(folder, "data");
  say(`seeding ${connections} nodes`);
  await seedFleet({ dataDir, nodes: connections, connected: connections });
  const database = await openDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
  undo.add(() => database.stop());
  const pool = createPool(database.url, { max: 4 });
  undo.add(() => pool.end());
  const startWorker = (env: Record<string, string>, roles: string) =>
    startServerProcess({ dataDir, undo, roles, env: { DATABASE_URL: database.url, ...env }, profileDir: context.profileDir });
  const closedLoop = { seconds: Math.min(seconds, 10), warmupSeconds, window: windowOf(connections) };

  say("our own broker");
  const own = await startWorker({}, "broker,ingest");
  const ownLoad = await startNodeLoad(context);
  await ownLoad.call("connect", { ...addressOf(own.urls.mqtt), firstSerial, count: connections });
  const inProcess = await ownLoad.call("closedLoop", closedLoop);
  await ownLoad.stop();
  await own.stop();

  const port = await freePort();
  const broker = await startMosquitto(join(folder, "broker"), port, [...keeping(join(folder, "broker")), "max_queued_messages 0"]);
  undo.add(() => broker.stop());
  say("Mosquitto alone");
  const bareLoad = await startNodeLoad(context);
  await bareLoad.call("connect", { host: "127.0.0.1", port, firstSerial, count: connections });
  const bare = await bareLoad.call("closedLoop", closedLoop);
  await bareLoad.stop();

  const worker = await startWorker({ MQTT_URL: broker.url }, "ingest");
  await untilShared(pool, [64]);
  const runStage = async (name: string, qos: 0 | 1, perSecond: number, meanwhile: () => Promise<void> = () => Promise.resolve()) => {
    say(name);
    await pool.query("truncate scalar");
    const load = await startNodeLoad(context);
    await load.call("connect", { host: "127.0.0.1", port, firstSerial, count: connections, qos });
    const beganAt = performance.now();
    const sending = load.call("openLoop", {
      seconds: seconds + warmupSeconds,
      warmupSeconds: 0,
      perSecond,
      maxUnacked: 200,
      maxHeldBack: Infinity,
    });
    const [{ sent }] = await Promise.all([sending, meanwhile()]);
    const sendingMs = performance.now() - beganAt;
    const { stored, endedAt } = await untilStored(pool, sent + connections);
    const log = join(folder, "sent.tsv");
    await load.call("writeLog", { file: log });
    await load.call("end", undefined);
    await load.stop();
    const comparison = await compareStoredWithAcked(pool, log);
    const stage: Stage = {
      offeredPerSecond: (sent / sendingMs) * 1_000,
      storedPerSecond: (stored / (endedAt - beganAt)) * 1_000,
      sent,
      stored,
    };
    return { stage, comparison };
  };

  const first = await runStage("QoS 1", 1, offered.qos1);
  const qos0 = await runStage("QoS 0", 0, offered.qos0);
  let aloneP99Ms = 0;
  let besideP99Ms = 0;
  await runStage("a calm fleet", 1, calm, async () => {
    aloneP99Ms = await agesP99(pool, seconds);
  });
  await runStage("the same, while one node's row is held", 1, calm, async () => {
    const holder = await pool.connect();
    await holder.query("begin");
    await holder.query("select from node_live where serial_number = $1 for update", [serialOf(0)]);
    besideP99Ms = await agesP99(pool, seconds);
    await holder.query("rollback");
    holder.release();
  });

  let bothAt: number[] = [];
  let other: ServerProcess | undefined;
  const moving = await runStage("a second worker comes while they send", 1, calm, async () => {
    other = await startWorker({ MQTT_URL: broker.url }, "ingest");
    await untilShared(pool, [32, 32]);
  });
  const two = await runStage("two workers", 1, offered.qos1, async () => {
    bothAt = [await storedBy(worker), await storedBy(other!)];
  });
  const shares = [(await storedBy(worker)) - bothAt[0]!, (await storedBy(other!)) - bothAt[1]!];
  const firstShare = shares[0]! / (shares[0]! + shares[1]!);
  const goes = await runStage("one of them goes while they send", 1, calm, () => other!.stop());

  const share = (perSecond: number, whole: number) => formatPercent(perSecond / whole);
  const row = (name: string, perSecond: number) => [
    name,
    formatCount(perSecond),
    share(perSecond, inProcess.ackedPerSecond),
    share(perSecond, bare.ackedPerSecond),
  ];
  report.tables.push({
    columns: ["side by side", "messages/s", "of our own broker", "of Mosquitto alone"],
    rows: [
      row("Busbar with its own broker, QoS 1, stored", inProcess.ackedPerSecond),
      row("Mosquitto alone, QoS 1, nothing stored", bare.ackedPerSecond),
      row("Busbar through Mosquitto, QoS 1, stored", first.stage.storedPerSecond),
      row("the same, two workers", two.stage.storedPerSecond),
      row("Busbar through Mosquitto, QoS 0, stored", qos0.stage.storedPerSecond),
    ],
  });
  const stages = [
    ["QoS 1", first],
    ["a worker comes", moving],
    ["two workers", two],
    ["a worker goes", goes],
  ] as const;
  report.tables.push({
    columns: ["QoS 1", "sent", "acknowledged by Mosquitto", "stored", "lost", "twice"],
    rows: stages.map(([name, { comparison }]) => [
      name,
      ...[comparison.sent, comparison.acked, comparison.stored, comparison.lost, comparison.duplicates].map(formatCount),
    ]),
  });
  report.tables.push({
    columns: ["age of other nodes' newest value", "p99 ms"],
    rows: [
      ["all nodes free", formatMs(aloneP99Ms)],
      ["one node's row held all the time", formatMs(besideP99Ms)],
    ],
  });
  for (const [name, { comparison }] of stages) {
    expectNone(report, `${name}: messages acknowledged by Mosquitto that are not stored`, comparison.lost);
    expectNone(report, `${name}: stored twice`, comparison.duplicates);
  }
  report.notes.push(
    `Offered: QoS 1 ${formatCount(first.stage.offeredPerSecond)} a second, QoS 0 ${formatCount(qos0.stage.offeredPerSecond)}, of which ${formatPercent(Math.min(1, qos0.stage.stored / qos0.stage.sent))} was stored. Stored a second: all of it, from the first message to the last COMMIT.`,
    `Of two workers the first stored ${formatPercent(firstShare)}.`,
  );
  report.facts = {
    inProcessPerSecond: inProcess.ackedPerSecond,
    bareBrokerPerSecond: bare.ackedPerSecond,
    qos1PerSecond: first.stage.storedPerSecond,
    qos0PerSecond: qos0.stage.storedPerSecond,
    qos0StoredShare: Math.min(1, qos0.stage.stored / qos0.stage.sent),
    twoWorkersPerSecond: two.stage.storedPerSecond,
    firstWorkerShare: firstShare,
    aloneP99Ms,
    besideP99Ms,
    lost: stages.reduce((sum, [, { comparison }]) => sum + comparison.lost, 0),
  };
  return report;
}

/** Waits until the groups are listened to in these shares. */
async function untilShared(pool: Pool, shares: readonly number[]): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(
      "select count(*)::int4 as count from node_group where name <> 'host' and is_listening and expires_at > now() group by worker",
    );
    if (rows.length === shares.length && rows.every(({ count }, index) => count === shares[index])) return;
    await pause(50);
  }
}

/** Waits until so many are stored, or no more come. */
async function untilStored(pool: Pool, count: number): Promise<{ stored: number; endedAt: number }> {
  let stored = 0;
  let endedAt = performance.now();
  while (stored < count && performance.now() - endedAt < patienceMs / 10) {
    const { rows } = await pool.query<{ count: number }>("select count(*)::int4 as count from scalar");
    const now = rows[0]?.count ?? 0;
    if (now > stored) endedAt = performance.now();
    stored = now;
    await pause(50);
  }
  return { stored, endedAt };
}

/** The age of the newest value of each node but the first, again and again: how late values are, with the time between two of them. */
async function agesP99(pool: Pool, seconds: number): Promise<number> {
  await pause(1_000);
  const ages: number[] = [];
  const endsAt = performance.now() + Math.max(0.5, seconds - 2) * 1_000;
  while (performance.now() < endsAt) {
    const { rows } = await pool.query<{ age: number }>(
      "select extract(epoch from clock_timestamp() - last_scalar_at)::float8 * 1000 as age from node_live where serial_number <> $1 and serial_number % 16 = 3",
      [serialOf(0)],
    );
    ages.push(...rows.map(({ age }) => age));
    await pause(sampleEveryMs);
  }
  ages.sort((a, b) => a - b);
  return ages[Math.floor(ages.length * 0.99)] ?? 0;
}

async function storedBy({ urls }: ServerProcess): Promise<number> {
  const response = await fetch(`${urls.health}/metrics`);
  const line = (await response.text()).split("\n").find((each) => each.startsWith("busbar_ingest_stored_total"));
  return Number(line?.split(" ")[1] ?? 0);
}
