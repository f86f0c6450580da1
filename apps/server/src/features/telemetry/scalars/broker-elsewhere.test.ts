import { setImmediate as turn } from "node:timers/promises";
import { metricNames } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import { createEdgeSession, type EdgeMessage } from "@busbar/sparkplug/edge-session.ts";
import { groupOf } from "@busbar/sparkplug/topic.ts";
import { pino } from "pino";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { dropExpiredScalarPartitions } from "#db/scalar-partitions.ts";
import { createPool, patientConnectTimeoutMs, type Pool } from "#db/pool.ts";
import { createConnectivityStore } from "#features/telemetry/connectivity/connectivity.store.ts";
import { createMeterStore } from "#features/telemetry/metering/meters.store.ts";
import { createNodeAnswersStore } from "#features/telemetry/node-commands/node-answers.store.ts";
import type { GroupHold } from "#features/telemetry/node-groups/node-groups.store.ts";
import { createQuarantineStore } from "#features/telemetry/quarantine/quarantine.store.ts";
import { createManualClock, type ManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { birthMetrics, scalarMetrics } from "#testing/test-ingest.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";
import { LostGroupError } from "./lost-group-error.ts";
import { createIngest, type Ingest } from "./scalars.ingest.ts";
import { createScalarsStore } from "./scalars.store.ts";

let database: TestDatabase;
let pool: Pool;
let clock: ManualClock;
let worker: Worker;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url, { max: 5, pipeline: true, connectTimeoutMs: patientConnectTimeoutMs });
});
afterAll(async () => {
  await pool.end();
  await database.stop();
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  clock = createManualClock(Date.UTC(2026, 4, 5, 12));
  worker = startWorker();
});
afterEach(async () => {
  await worker.ingest.stop();
  vi.useRealTimers();
});

type Worker = ReturnType<typeof startWorker>;
type Line = Record<string, unknown>;

/** Ingest as a broker elsewhere has it: it listens to those groups that it holds. */
function startWorker() {
  const holds = new Map<string, GroupHold>();
  const deaf = new Set<string>();
  const asked: number[] = [];
  const heldAtCommit: string[] = [];
  const logged: Line[] = [];
  const registry = new Registry();
  const ingest: Ingest = createIngest({
    pool,
    scalars: createScalarsStore(database.pool),
    meters: createMeterStore(),
    connectivity: createConnectivityStore(database.pool),
    quarantine: createQuarantineStore(),
    nodeAnswers: createNodeAnswersStore(),
    outages: () => [],
    clock,
    log: pino({ level: "warn" }, { write: (line) => void logged.push(JSON.parse(line) as Line) }),
    registry,
    publishCommand(topic, payload) {
      if (decodePayload(payload).metrics[0]?.name === metricNames.rebirth) asked.push(Number(topic.split("/")[3]));
    },
    retentionDays: () => 3,
    groups: {
      holdGroups(_client, held) {
        heldAtCommit.push(...[...held].map(({ name }) => name));
        return Promise.resolve();
      },
      noteLostGroups: () => false,
      holdOf: (group) => holds.get(group),
      listeningHold: (group) => (deaf.has(group) ? undefined : holds.get(group)),
    },
  });
  ingest.start();
  const hold = (serial: number): GroupHold => {
    const made = { name: groupOf(serial), epoch: 1, isLost: false };
    holds.set(made.name, made);
    return made;
  };
  return { ingest, hold, deaf, asked, heldAtCommit, logged, registry };
}

/** A node of a group that the worker listens to. */
async function startNode(serial: number, subNodes: readonly number[] = [], place?: TestPlace) {
  await addNode(database.pool, serial, place);
  for (const sub of subNodes) await addNode(database.pool, sub, undefined, { type: "subNode", parent_serial_number: serial });
  const edge = createEdgeSession({ group: groupOf(serial), edge: String(serial) });
  edge.connect(clock.now());
  const hold = worker.hold(serial);
  const metricsOf = (sub: number) => birthMetrics().map((metric) => ({ ...metric, alias: metric.alias! + 1_000 * (sub % 10) }));
  return {
    edge,
    hold,
    birth: () => send(edge.birth(birthMetrics(), clock.now()), hold),
    data: (atMs = clock.now()) => send(edge.data(scalarMetrics(atMs, 60), clock.now()), hold),
    deviceBirth: (sub: number) => send(edge.deviceBirth(String(sub), metricsOf(sub), clock.now()), hold),
    deviceData: (sub: number) => send(edge.deviceData(String(sub), [], clock.now()), hold),
  };
}

/** Resolves with the acknowledgement, or with the error for which there is none. */
const send = ({ topic, payload }: EdgeMessage, hold?: GroupHold, by = worker) =>
  new Promise<Error | undefined>((resolve) => by.ingest.submit(topic, payload, true, resolve, hold));

/** A second of the watch over connections goes by. */
const second = async (count = 1) => {
  for (let each = 0; each < count; each++) {
    clock.advance(1);
    vi.advanceTimersByTime(1_000);
    await turn();
  }
};

const connections = async (...serials: number[]) => {
  const { rows } = await database.pool.query<{ is: boolean; reason: string | null }>(
    "select is_connected as is, disconnect_reason as reason from node_live where serial_number = any ($1) order by serial_number",
    [serials],
  );
  return rows.map(({ is, reason }) => (is ? "in" : (reason ?? "out")));
};
const deaths = async (...serials: number[]) => {
  const { rows } = await database.pool.query<{ description: string }>(
    "select description from activity where action = 'NODE_DEATH' and actor = any ($1) order by id",
    [serials.map(String)],
  );
  return rows.map(({ description }) => description);
};
const waiting = async () => (await worker.registry.getSingleMetric("busbar_ingest_queue_length")!.get()).values[0]?.value;

test("A-63 a sub node that is silent beside its node is disconnected alone, and comes back with its birth; a silent node goes with all of its own", async () => {
  const node = await startNode(30_100, [30_101, 30_102]);
  await node.birth();
  for (const sub of [30_101, 30_102]) await node.deviceBirth(sub);
  await second();
  for (let each = 0; each < 5; each++) {
    await second(10);
    await node.data();
    await node.deviceData(30_102);
  }
  worker.heldAtCommit.splice(0);
  await second(10);
  await expect.poll(() => connections(30_100, 30_101, 30_102)).toEqual(["in", "no-answer", "in"]);
  expect(await deaths(30_101)).toEqual([
    "Sub node 30101 of node 30100 was not born again when its node was asked, and counts as disconnected",
  ]);
  expect(worker.asked).toEqual([30_100, 30_100]);

  // It is this worker's to write only as long as it holds the group.
  expect(worker.heldAtCommit.splice(0)).toEqual([groupOf(30_100)]);

  await node.deviceBirth(30_101);
  expect(await connections(30_100, 30_101, 30_102)).toEqual(["in", "in", "in"]);
  await node.deviceData(30_102);
  worker.heldAtCommit.splice(0);
  await second(60);
  await expect.poll(() => connections(30_100, 30_101, 30_102)).toEqual(["no-answer", "out", "out"]);
  expect(await deaths(30_100)).toEqual(["Node 30100 was silent, did not answer when it was asked, and counts as disconnected"]);
  expect(worker.heldAtCommit).toEqual([groupOf(30_100)]);
  await expect.poll(waiting).toBe(0);
});

test("A-63 what is not listened to is not asked; who counts as connected when another worker goes on must answer that one", async () => {
  const [node, other] = [await startNode(30_110), await startNode(30_174)];
  for (const { birth } of [node, other]) await birth();
  worker.deaf.add(groupOf(30_110));
  await second(120);
  expect([worker.asked, await connections(30_110, 30_174)]).toEqual([[], ["in", "in"]]);
  await worker.ingest.stop();

  worker = startWorker();
  const hold = worker.hold(30_110);
  worker.ingest.noteGap(hold);
  await second(14);
  expect(worker.asked).toEqual([]);
  await expect.poll(async () => (await second(), worker.asked)).toEqual([30_110, 30_174]);
  // One of them answers, and goes in order afterwards: no one waits for it any more.
  await send(other.edge.birth(birthMetrics(), clock.now()), hold);
  await send(other.edge.death(clock.now()), hold);
  await expect.poll(async () => (await second(), connections(30_110, 30_174))).toEqual(["no-answer", "out"]);
  await second(120);
  expect([worker.asked.filter((serial) => serial === 30_174).length, await connections(30_174)]).toEqual([1, ["out"]]);
});

test("A-63 of a group that another process goes on with nothing is acknowledged, and its nodes are met anew; other groups stay", async () => {
  const [lost, kept] = [await startNode(30_120), await startNode(30_121)];
  const unborn = { alias: 9_999, datatype: DataType.Float, value: 1, timestamp: clock.now() };
  for (const { birth } of [lost, kept]) await birth();
  // What cannot be read may be explained by the message that is missing before it.
  const held = [lost, kept].map(({ edge, hold }) => {
    edge.nextSeq();
    return send(edge.data([unborn], clock.now()), hold);
  });
  worker.ingest.forget(lost.hold);
  expect(await held[0]).toEqual(new LostGroupError(lost.hold));
  expect(await lost.data()).toEqual(new LostGroupError(lost.hold));

  // The other process heard a birth with other numbers.
  const other = startWorker();
  const bornAnew = birthMetrics().map((metric) => ({ ...metric, alias: metric.alias! + 500 }));
  await send(lost.edge.birth(bornAnew, clock.now()), other.hold(30_120), other);
  await other.ingest.stop();
  const again = worker.hold(30_120);
  const metrics = scalarMetrics(clock.now(), 61).map((metric) => ({ ...metric, alias: metric.alias! + 500 }));
  expect(await send(lost.edge.data(metrics, clock.now()), again)).toBeUndefined();
  const { rows } = await database.pool.query("select line_frequency as f from scalar where serial_number = 30120");
  expect(rows).toEqual([{ f: 61 }]);

  // What waits at the end is stored as what it is.
  await worker.ingest.stop();
  expect(await held[1]).toBeUndefined();
  const { rows: quarantined } = await database.pool.query("select reason from quarantine where serial_number in (30120, 30121)");
  expect(quarantined).toEqual([{ reason: "alias-never-born" }]);
  expect((await kept.data())?.message).toBe("Ingest has stopped");
});

test("A-63 what people change of a node is known within a minute: its interval, the zone of its place, and its sub nodes", async () => {
  const place = await addPlace(database.pool, "Pacific/Kiritimati");
  const node = await startNode(30_130, [30_131], place);
  await addNode(database.pool, 30_132, undefined, { type: "subNode" });
  await node.birth();
  const refused = async () => {
    const { rows } = await database.pool.query<{ count: number }>(
      "select coalesce(sum(count), 0)::int as count from quarantine where serial_number = 30130 and reason = 'foreign-device'",
    );
    return rows[0]!.count;
  };
  const isRefused = async (sub: number) => {
    const before = await refused();
    await node.deviceBirth(sub);
    return (await refused()) > before;
  };
  expect([await isRefused(30_131), await isRefused(30_132)]).toEqual([false, true]);
  await database.pool.query("update node set scalar_interval_seconds = 20 where serial_number = 30130");
  await database.pool.query("update location set timezone = 'Pacific/Honolulu' where id = $1", [place.locationId]);
  await database.pool.query(
    "update node set parent_serial_number = case serial_number when 30132 then 30130 end where serial_number in (30131, 30132)",
  );
  vi.advanceTimersByTime(60_000);
  await expect.poll(() => isRefused(30_132)).toBe(false);
  expect([await isRefused(30_131), await connections(30_132)]).toEqual([true, ["in"]]);

  for (const secondsAgo of [60, 0]) await node.data(clock.now() - secondsAgo * 1_000);
  const { rows } = await database.pool.query(
    "select missing_scalar_count as missing, missing_scalar_day::text as day from node_live where serial_number = 30130",
  );
  // Of 10 s it were five, and in Kiritimati it is tomorrow.
  expect(rows).toEqual([{ missing: 2, day: "2026-05-05" }]);
});

test("A-63 a node that is no more is no one from the next minute on", async () => {
  const node = await startNode(30_134);
  await node.birth();
  await database.pool.query("delete from node where serial_number = 30134");
  const strangers = async () =>
    (await database.pool.query("select from quarantine where serial_number = 0 and reason = 'unknown-node'")).rowCount;
  expect(await strangers()).toBe(0);
  vi.advanceTimersByTime(60_000);
  await expect.poll(async () => (await node.data(), strangers())).toBe(1);
});

test("A-63 a day that was dropped meanwhile is made again for what comes of it", async () => {
  const node = await startNode(30_140);
  await node.birth();
  await node.data(clock.now() - 2_000);
  await dropExpiredScalarPartitions(database.pool, clock.now() / 1000 + 86_400);
  await node.data();
  const { rows } = await database.pool.query<{ at: Date }>("select ts as at from scalar where serial_number = 30140");
  expect(rows.map(({ at }) => at.getTime())).toEqual([clock.now()]);
});

test("A-63 a clock that is more than two seconds off is named, whichever way", async () => {
  for (const [serial, aheadMs] of Object.entries({ 30_150: 2_000, 30_151: 2_001, 30_152: -2_000, 30_153: -2_001 })) {
    const { edge, hold } = await startNode(Number(serial));
    await send(edge.birth(birthMetrics(), clock.now() + aheadMs), hold);
    // Of each kind one line in ten seconds.
    clock.advance(10);
  }
  const drifts = worker.logged.filter(({ msg }) => String(msg).startsWith("CLOCK_DRIFT"));
  expect(drifts.map(({ serial, skewMs }) => [serial, skewMs])).toEqual([
    [30_151, 2_001],
    [30_153, -2_001],
  ]);
});
