import { randomUUID } from "node:crypto";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { metricAliases } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { createEdgeSession, type EdgeSession } from "@busbar/sparkplug/edge-session.ts";
import { groupOf } from "@busbar/sparkplug/topic.ts";
import { createPool } from "#db/pool.ts";
import { startDatabaseRelay, type DatabaseRelay } from "#testing/database-relay.ts";
import { startOtherBroker, type OtherBroker } from "#testing/other-broker.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { birthMetrics, createTestIngest, scalarMetrics, type TestIngest } from "#testing/test-ingest.ts";
import { addNode } from "#testing/test-world.ts";
import { createNodeGroupsStore, groupCount, lostGroups } from "./node-groups.store.ts";

let broker: OtherBroker;
let database: TestDatabase;
let relay: DatabaseRelay;
const running: TestIngest[] = [];
beforeAll(async () => {
  broker = await startOtherBroker();
  database = await createTestDatabase();
  relay = await startDatabaseRelay(database.url);
});
afterAll(async () => {
  for (const worker of running.toReversed()) await worker.stop();
  await relay.stop();
  await database.stop();
  await broker.stop();
});

const config = () => ({
  host: "127.0.0.1",
  mqttPort: 0,
  mqttUrl: broker.url,
  scalarRetentionDays: 3,
  dataDir: "unused",
  trustedProxies: [],
});
async function startWorker(url = database.url): Promise<TestIngest> {
  const pool = createPool(url, { max: 5, pipeline: true, statementTimeoutMs: 10_000 });
  const ingest = await createTestIngest({ config: config(), pool }, database);
  const worker: TestIngest = {
    ...ingest,
    async stop() {
      running.splice(running.indexOf(worker), 1);
      await ingest.stop();
      await pool.end();
    },
  };
  running.push(worker);
  return worker;
}

/** Groups that are listened to, by worker, the largest share first. */
async function shares(): Promise<number[]> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int4 as count from node_group where name <> 'host' and is_listening and expires_at > now() group by worker order by 1 desc`,
  );
  return rows.map(({ count }) => count);
}

interface Sender {
  serial: number;
  edge: EdgeSession;
}

/** Nodes of every group that send until `stop`, which returns what the broker has acknowledged. */
async function startSending(client: MqttClient) {
  const now = Date.now();
  const acknowledged: string[] = [];
  const publish = ({ topic, payload }: { topic: string; payload: Uint8Array }) =>
    client.publishAsync(topic, Buffer.from(payload), { qos: 1 });
  const senders = await Promise.all(
    Array.from({ length: groupCount }, async (_, index): Promise<Sender> => {
      const serial = 40_000 + index;
      await addNode(database.pool, serial);
      const edge = createEdgeSession({ group: groupOf(serial), edge: String(serial) });
      edge.connect(now);
      await publish(edge.birth(birthMetrics(), now));
      return { serial, edge };
    }),
  );
  // This broker sends what is new before what it has kept: data that came before its birth would be quarantined.
  await expect.poll(async () => (await database.pool.query("select from node_birth")).rowCount).toBe(groupCount);
  let atMs = now;
  let published = 0;
  const timer = setInterval(() => {
    atMs += 7;
    for (const { serial, edge } of senders) {
      const key = `${serial} ${atMs}`;
      published++;
      void publish(edge.data(scalarMetrics(atMs, 1), Date.now())).then(() => acknowledged.push(key));
    }
  }, 250);
  return {
    async stop() {
      clearInterval(timer);
      await expect.poll(() => acknowledged.length).toBe(published);
      return acknowledged;
    },
  };
}

async function storedScalars(): Promise<string[]> {
  const { rows } = await database.pool.query<{ key: string }>(
    "select serial_number || ' ' || round(extract(epoch from ts) * 1000) as key from scalar",
  );
  return rows.map(({ key }) => key);
}

test("two workers share the groups evenly; one that is cut off from the database lets go, and nothing is lost or comes twice", async () => {
  const first = await startWorker(relay.url);
  await expect.poll(shares).toEqual([groupCount]);
  const client = await connectAsync(broker.url, { reconnectPeriod: 0 }, false);
  const sending = await startSending(client);
  const second = await startWorker();
  await expect.poll(shares).toEqual([groupCount / 2, groupCount / 2]);

  relay.cut();
  await expect.poll(() => first.context.problem()).toContain("database");
  await expect.poll(shares).toEqual([groupCount]);
  await expect.poll(() => second.context.problem()).toBeUndefined();
  relay.heal();
  await expect.poll(shares).toEqual([groupCount / 2, groupCount / 2]);
  await expect.poll(() => first.context.problem()).toBeUndefined();
  await first.stop();
  await expect.poll(shares).toEqual([groupCount]);

  const acknowledged = await sending.stop();
  expect(acknowledged.length).toBeGreaterThan(groupCount);
  const missing = async () => {
    const stored = new Set(await storedScalars());
    return acknowledged.filter((key) => !stored.has(key));
  };
  await expect.poll(missing).toEqual([]);
  expect(await storedScalars()).toHaveLength(acknowledged.length);
  await client.endAsync();
  await second.stop();
});

test("a node whose row someone holds delays no other one; afterwards it is stored in its order", async () => {
  const worker = await startWorker();
  await expect.poll(shares).toEqual([groupCount]);
  const client = await connectAsync(broker.url, { reconnectPeriod: 0 }, false);
  const now = Date.now();
  const nodes = [50_002, 50_004].map((serial) => ({ serial, edge: createEdgeSession({ group: groupOf(serial), edge: String(serial) }) }));
  const send = async (message: { topic: string; payload: Uint8Array }) =>
    void (await client.publishAsync(message.topic, Buffer.from(message.payload), { qos: 1 }));
  for (const { serial, edge } of nodes) {
    await addNode(database.pool, serial);
    edge.connect(now);
    await send(edge.birth(birthMetrics(), now));
  }
  const frequencies = async (serial: number) => {
    const { rows } = await database.pool.query<{ f: number }>(
      "select line_frequency as f from scalar where serial_number = $1 order by ts",
      [serial],
    );
    return rows.map(({ f }) => f);
  };
  await expect.poll(async () => (await database.pool.query("select from node_birth where serial_number > 50000")).rowCount).toBe(2);

  const holder = await database.pool.connect();
  await holder.query("begin");
  await holder.query("select from node_live where serial_number = 50002 for update");
  for (let step = 1; step <= 3; step++) {
    for (const { edge } of nodes) await send(edge.data(scalarMetrics(now + step * 1_000, step), now + step));
  }
  await expect.poll(() => frequencies(50_004)).toEqual([1, 2, 3]);
  expect(await frequencies(50_002)).toEqual([]);
  expect(worker.context.problem()).toBeUndefined();
  await holder.query("rollback");
  holder.release();
  await expect.poll(() => frequencies(50_002)).toEqual([1, 2, 3]);
  await client.endAsync();
  await worker.stop();
});

test("power that one worker has summed up goes on at the next, cut off or in order: no second is missing", async () => {
  const first = await startWorker(relay.url);
  await expect.poll(shares).toEqual([groupCount]);
  const serial = 50_010;
  await addNode(database.pool, serial);
  const client = await connectAsync(broker.url, { reconnectPeriod: 0 }, false);
  const edge = createEdgeSession({ group: groupOf(serial), edge: String(serial) });
  edge.connect(Date.now());
  const send = async ({ topic, payload }: { topic: string; payload: Uint8Array }) =>
    void (await client.publishAsync(topic, Buffer.from(payload), { qos: 1 }));
  const quarter = Math.floor((Date.now() - 1_800_000) / 900_000) * 900_000;
  const sendPower = async (second: number) => {
    const timestamp = quarter + second * 1_000;
    const power = { alias: metricAliases["Meter/P1"]!, datatype: DataType.Float, value: 10, timestamp };
    await send(edge.data([...scalarMetrics(timestamp, 1), power], Date.now()));
  };
  const stored = async () => (await database.pool.query("select from scalar where serial_number = $1", [serial])).rowCount;
  await send(edge.birth(birthMetrics(), Date.now()));
  for (const second of [0, 10, 20]) await sendPower(second);
  await expect.poll(stored).toBe(3);

  relay.cut();
  await expect.poll(() => first.context.problem()).toContain("database");
  const second = await startWorker();
  await expect.poll(shares).toEqual([groupCount]);
  for (const at of [30, 40]) await sendPower(at);
  await expect.poll(stored).toBe(5);
  await second.stop();
  relay.heal();
  await expect.poll(shares).toEqual([groupCount]);
  await sendPower(50);
  await send(edge.death(Date.now()));
  await expect
    .poll(async () => {
      const { rows } = await database.pool.query(
        "select kw_seconds, covered_seconds from node_demand_block where serial_number = $1 and block_at = to_timestamp($2 / 1000.0)",
        [serial, quarter],
      );
      return rows;
    })
    .toEqual([{ kw_seconds: 500, covered_seconds: 50 }]);
  await client.endAsync();
  await first.stop();
});

test("what a worker has begun is not committed once another one has taken the group over", async () => {
  const store = createNodeGroupsStore(database.pool);
  const [one, other] = ["9b6d7c2e-0000-4000-8000-000000000001", "9b6d7c2e-0000-4000-8000-000000000002"];
  const expire = () => database.pool.query("update node_group set expires_at = now() - interval '1 s'");
  await expire();
  const held = await store.take(one, groupCount);
  expect(held).toHaveLength(groupCount + 1);
  const hold = held.find(({ name }) => name === "n05")!;
  const connection = await database.pool.connect();

  await connection.query("begin");
  await store.hold(connection, [hold]);
  await expire();
  // Not yet committed: the others can be taken, this one cannot.
  expect((await store.take(other, groupCount)).map(({ name }) => name)).not.toContain("n05");
  await connection.query("commit");
  expect((await store.take(other, groupCount)).map(({ name }) => name)).toEqual(["n05"]);

  await connection.query("begin");
  const refused = await store.hold(connection, [hold]).catch((error: unknown) => error);
  expect(lostGroups(refused)).toEqual(["n05"]);
  await connection.query("rollback");
  connection.release();
});

test("A-63 a worker that gives groups back takes none from who has them by now", async () => {
  const own = await createTestDatabase();
  onTestFinished(() => own.stop());
  const store = createNodeGroupsStore(own.pool);
  const [before, now] = [randomUUID(), randomUUID()];
  const names = (await store.take(now, 2)).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(0);
  const workers = async () =>
    (await own.pool.query<{ worker: string | null }>("select worker from node_group where name = any ($1)", [names])).rows.map(
      ({ worker }) => worker,
    );
  await store.release(before, names);
  expect(await workers()).toEqual(names.map(() => now));
  await store.release(now, names);
  expect(await workers()).toEqual(names.map(() => null));
});
