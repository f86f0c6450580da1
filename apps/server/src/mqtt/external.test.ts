import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createEdgeSession } from "@busbar/sparkplug/edge-session.ts";
import { pino } from "pino";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import { Registry } from "prom-client";
import { createIngestContext } from "#src/ingest-context.ts";
import { systemClock } from "#lib/clock.ts";
import { createNodeCommands } from "#features/telemetry/node-commands/node-commands.service.ts";
import { createDiskGuard } from "#lib/disk-guard.ts";
import { silentLog } from "#lib/log.ts";
import { startOtherBroker, type OtherBroker } from "#testing/other-broker.ts";
import { birthMetrics, createTestIngest, scalarMetrics, type TestIngest } from "#testing/test-ingest.ts";

let broker: OtherBroker;
let ingest: TestIngest;
let logged = "";
const clients: MqttClient[] = [];
const connect = async () => {
  const client = await connectAsync(broker.url, { reconnectPeriod: 0 }, false);
  client.on("error", () => undefined);
  clients.push(client);
  return client;
};
const watchState = async (client: MqttClient) => {
  const states: { online: boolean; timestamp: number }[] = [];
  client.on("message", (topic, message) => topic.startsWith("spBv1.0/STATE/") && states.push(JSON.parse(message.toString())));
  await client.subscribeAsync("spBv1.0/STATE/pq-ingest", { qos: 1 });
  return states;
};

beforeAll(async () => {
  broker = await startOtherBroker();
  ingest = await createTestIngest({
    log: pino({ level: "trace" }, { write: (line) => void (logged += line) }),
    config: { host: "127.0.0.1", mqttPort: 0, mqttUrl: broker.url, scalarRetentionDays: 3, dataDir: "unused", trustedProxies: [] },
  });
});
afterAll(async () => {
  for (const client of clients) client.end(true);
  await ingest.stop();
  await broker.stop();
});

test("the connection is made", async () => {
  await expect.poll(() => ingest.context.problem()).toBeUndefined();
});

test("CFG-06 a command of another process goes out through the external broker", async () => {
  await ingest.addNode(10_400);
  await ingest.rows("update node_live set is_connected = true, changed_xid = pg_current_xact_id() where serial_number = 10400");
  const node = await connect();
  const heard: unknown[] = [];
  node.on("message", (_topic, bytes) => heard.push(decodePayload(bytes).metrics[0]?.value));
  await node.subscribeAsync("spBv1.0/n32/NCMD/10400", { qos: 1 });
  await expect.poll(() => ingest.context.problem()).toBeUndefined();
  const commands = createNodeCommands(ingest.database.pool);
  const metrics = [{ name: "Meter/Live Lease s", datatype: 3, value: 30 }];
  expect(await commands.send({ serialNumber: 10_400, metrics, timeoutMs: 8_000 })).toEqual({ state: "sent" });
  await commands.stop();
  await expect.poll(() => heard).toEqual([30]);
});

test("message-flow-phid: the STATE birth is retained and carries the timestamp of the will", async () => {
  const states = await watchState(await connect());
  await expect.poll(() => broker.wills).not.toHaveLength(0);
  await expect.poll(() => states).toEqual([{ online: true, timestamp: JSON.parse(broker.wills[0]!).timestamp }]);
  expect(JSON.parse(broker.wills[0]!)).toMatchObject({ online: false });
});

test("operational-behavior-host: a STATE that says offline is answered with the birth, same timestamp", async () => {
  const client = await connect();
  const states = await watchState(client);
  await expect.poll(() => states.length).toBe(1);
  const { timestamp } = states[0]!;
  await client.publishAsync("spBv1.0/STATE/pq-ingest", JSON.stringify({ online: false, timestamp: timestamp + 5 }), {
    qos: 1,
    retain: true,
  });
  await expect.poll(() => states.at(-1)).toEqual({ online: true, timestamp });
});

test("a state from the future, left by a host whose clock was off, is outdone: nodes would not believe an earlier one", async () => {
  const client = await connect();
  const states = await watchState(client);
  await expect.poll(() => states.length).toBe(1);
  const future = Date.now() + 3_600_000;
  await client.publishAsync("spBv1.0/STATE/pq-ingest", JSON.stringify({ online: true, timestamp: future }), { qos: 1, retain: true });
  await expect.poll(() => states.at(-1)!.timestamp > future && states.at(-1)).toMatchObject({ online: true });
  expect(states.at(-1)!.timestamp).toBeGreaterThan(future);
  await expect.poll(() => ingest.context.problem()).toBeUndefined();
});

test("nodes of another vendor's broker are stored, asked for their birth, and unknown senders are quarantined", async () => {
  await ingest.addNode(40_001);
  const client = await connect();
  const commands: unknown[] = [];
  client.on("message", (topic, message) => topic.includes("/NCMD/") && commands.push(decodePayload(message).metrics[0]!.name));
  await client.subscribeAsync("spBv1.0/n01/NCMD/40001", { qos: 1 });
  const edge = createEdgeSession({ group: "n01", edge: "40001" });
  edge.connect(Date.now());
  const now = Date.now();
  const named = scalarMetrics(now, 50).map((metric, index) => ({
    ...metric,
    name: birthMetrics().find(({ alias }) => alias === metric.alias)?.name,
    index,
  }));
  const send = (topic: string, payload: Uint8Array) => client.publishAsync(topic, Buffer.from(payload), { qos: 0 });
  const early = edge.data(named, now);
  await send(early.topic, early.payload);
  await expect.poll(() => ingest.rows("select line_frequency from scalar where serial_number = 40001")).toEqual([{ line_frequency: 50 }]);
  await expect.poll(() => commands).toEqual(["Node Control/Rebirth"]);
  await send("spBv1.0/n01/NDATA/40065", early.payload);
  await send("spBv1.0/n02/NDATA/40001", early.payload);
  await send("spBv1.0/n01/NDATA/x", early.payload);
  await expect
    .poll(() => ingest.rows("select reason, count::int from quarantine where serial_number = 0 order by 1"))
    .toEqual([
      { reason: "unknown-node", count: 2 },
      { reason: "wrong-group", count: 1 },
    ]);
  // No session is lost that no one had before.
  expect(logged).toContain("connected to the MQTT broker");
  expect(logged).not.toContain("had not kept the session");
});

test("a broker that went away is found again, with a new will, and what it kept is stored", async () => {
  await ingest.addNode(40_010);
  await broker.stop();
  await expect.poll(() => ingest.context.problem()).toContain("broker");
  await broker.start();
  await expect.poll(() => ingest.context.problem()).toBeUndefined();
  const client = await connect();
  // It kept nothing: nodes learn anew that the platform is there.
  const states = await watchState(client);
  await expect.poll(() => states.at(-1)).toMatchObject({ online: true });
  const edge = createEdgeSession({ group: "n10", edge: "40010" });
  edge.connect(Date.now());
  const now = Date.now();
  for (const { topic, payload } of [edge.birth(birthMetrics(), now), edge.data(scalarMetrics(now, 60), now)]) {
    await client.publishAsync(topic, Buffer.from(payload), { qos: 1 });
  }
  await expect.poll(() => ingest.rows("select line_frequency from scalar where serial_number = 40010")).toEqual([{ line_frequency: 60 }]);
  const times = broker.wills.map((will) => (JSON.parse(will) as { timestamp: number }).timestamp);
  expect(times.length).toBeGreaterThanOrEqual(2);
  expect(times.at(-1)).toBeGreaterThan(times[0]!);
});

test("A-63 a node whose secret is revoked is put out of the external broker by who listens to it", async () => {
  await ingest.addNode(40_030);
  await ingest.rows("update node_live set is_connected = true, changed_xid = pg_current_xact_id() where serial_number = 40030");
  const node = await connectAsync(broker.url, { clientId: "40030", reconnectPeriod: 0 }, false);
  node.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => void node.once("close", () => resolve()));
  await ingest.rows("update node_credential set revoked_at = now() where serial_number = 40030");
  await expect(ended).resolves.toBeUndefined();
});

test("a restarted worker goes on with the aliases of the last birth", async () => {
  await ingest.addNode(40_020);
  const client = await connect();
  const edge = createEdgeSession({ group: "n20", edge: "40020" });
  edge.connect(Date.now());
  const now = Date.now();
  const send = ({ topic, payload }: { topic: string; payload: Uint8Array }) => client.publishAsync(topic, Buffer.from(payload), { qos: 1 });
  const stored = () => ingest.rows<{ line_frequency: number }>("select line_frequency from scalar where serial_number = 40020 order by ts");
  await send(edge.birth(birthMetrics(), now));
  await send(edge.data(scalarMetrics(now - 20_000, 1), now));
  await expect.poll(stored).toHaveLength(1);

  const states = await watchState(client);
  await ingest.context.stop();
  // The last worker says that the platform goes, and does not contradict what it hears of itself.
  await expect.poll(() => states.at(-1)).toMatchObject({ online: false });
  const kept = await watchState(await connect());
  await expect.poll(() => kept).toMatchObject([{ online: false }]);
  // The broker keeps it for the worker's name.
  await send(edge.data(scalarMetrics(now - 10_000, 2), now));
  const restarted = createIngestContext({
    pool: ingest.pool,
    config: { host: "127.0.0.1", mqttPort: 0, mqttUrl: broker.url, scalarRetentionDays: 3, dataDir: "unused", trustedProxies: [] },
    log: silentLog,
    clock: systemClock,
    registry: new Registry(),
    disk: createDiskGuard({ folder: ingest.dataDir, clock: systemClock, log: silentLog }),
  });
  try {
    await restarted.start();
    await expect.poll(stored).toEqual([{ line_frequency: 1 }, { line_frequency: 2 }]);
    await send(edge.data(scalarMetrics(now, 3), now));
    await expect.poll(stored).toHaveLength(3);
    expect(await ingest.rows("select 1 from activity where actor = '40020' and action = 'NODE_REBIRTH_REQUESTED'")).toEqual([]);
  } finally {
    await restarted.stop();
  }
});
