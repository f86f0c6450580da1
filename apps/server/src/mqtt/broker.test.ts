import net from "node:net";
import type { MqttClient } from "mqtt";
import mqttPacket, { type IConnectPacket, type Packet } from "mqtt-packet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEdgeSession, type EdgeMessage } from "@busbar/sparkplug/edge-session.ts";
import { encodePayload } from "@busbar/sparkplug/encode.ts";
import { groupOf } from "@busbar/sparkplug/topic.ts";
import {
  birthMetrics,
  connectNode,
  createTestIngest,
  scalarMetrics,
  startTestNode,
  testSecret,
  type TestIngest,
} from "#testing/test-ingest.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await createTestIngest();
  for (const serial of [20_001, 20_002, 20_003]) await ingest.addNode(serial);
});
afterAll(() => ingest.stop());

const ended = (client: MqttClient) => new Promise<void>((resolve) => client.once("close", () => resolve()));
const payload = () => Buffer.from(encodePayload({ timestamp: Date.now(), seq: 0, metrics: [] }));
const refusals = async (reason: string) => {
  const metric = (await ingest.registry.getMetricsAsJSON()).find(({ name }) => name === "busbar_mqtt_refused_total");
  return metric?.values.find(({ labels }) => (labels as { reason?: string }).reason === reason)?.value ?? 0;
};

/** Raw bytes to the broker; resolves with the return code of CONNACK, or "closed". */
function sendRaw(bytes: Buffer): Promise<number | "closed"> {
  const socket = net.connect(Number(new URL(ingest.mqttUrl).port), "127.0.0.1");
  const parser = mqttPacket.parser();
  socket.on("data", (chunk) => parser.parse(chunk));
  socket.on("error", () => undefined);
  socket.write(bytes);
  return new Promise((resolve) => {
    parser.on("packet", (packet) => {
      resolve(packet.cmd === "connack" ? (packet.returnCode ?? -1) : -1);
      socket.destroy();
    });
    socket.once("close", () => resolve("closed"));
  });
}

const connectPacket = (changes: Partial<IConnectPacket>) =>
  mqttPacket.generate({
    cmd: "connect",
    protocolId: "MQTT",
    protocolVersion: 4,
    clean: true,
    keepalive: 60,
    clientId: "20001",
    username: "20001",
    password: Buffer.from(testSecret),
    ...changes,
  });

describe("who may connect", () => {
  test("a node with its own secret", async () => {
    expect(await sendRaw(connectPacket({}))).toBe(0);
  });

  test.each([
    ["a wrong secret", { password: Buffer.from("wrong") }],
    ["no secret", { username: "20001", password: undefined }],
    ["no one", { username: undefined, password: undefined }],
    ["another's name", { username: "20002" }],
    ["a client id that is a filter", { clientId: "#", username: "#" }],
    ["a client id with a plus", { clientId: "+", username: "+" }],
    ["a client id with a level", { clientId: "a/b", username: "a/b" }],
    ["a name of Object.prototype", { clientId: "__proto__", username: "__proto__" }],
    ["another name of Object.prototype", { clientId: "constructor", username: "constructor" }],
    ["a serial that is no node", { clientId: "29999", username: "29999" }],
    ["a keep-alive that is never due", { keepalive: 0 }],
    ["a will on another's death", { will: { topic: "spBv1.0/n34/NDEATH/20002", payload: payload(), qos: 1, retain: false } }],
    ["a will that is no death", { will: { topic: "spBv1.0/n33/NDATA/20001", payload: payload(), qos: 1, retain: false } }],
    ["a retained will", { will: { topic: "spBv1.0/n33/NDEATH/20001", payload: payload(), qos: 1, retain: true } }],
    ["a will on STATE", { will: { topic: "spBv1.0/STATE/pq-ingest", payload: Buffer.from("{}"), qos: 1, retain: false } }],
  ])("not with %s", async (_what, changes) => {
    expect(await sendRaw(connectPacket(changes as Partial<IConnectPacket>))).toBeGreaterThanOrEqual(2);
  });

  test("not with MQTT 5, whatever its properties are", async () => {
    const userProperties = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`p${index}`, "x"]));
    expect(await sendRaw(connectPacket({ protocolVersion: 5, properties: { userProperties } }))).toBe(1);
  });

  test("not with a CONNECT of 64 KiB, nor with bytes that are no MQTT", async () => {
    expect(await sendRaw(connectPacket({ clientId: "x".repeat(65_535), username: "x" }))).toBe("closed");
    expect(await sendRaw(Buffer.from("GET / HTTP/1.1\r\n\r\n"))).toBe("closed");
  });

  test("a stranger cannot end another's session", async () => {
    const client = await ingest.connect(20_003);
    expect(await sendRaw(connectPacket({ clientId: "20003", username: "20003", password: Buffer.from("wrong") }))).toBeGreaterThanOrEqual(
      2,
    );
    await client.publishAsync("spBv1.0/n35/NDATA/20003", payload(), { qos: 1 });
    expect(client.connected).toBe(true);
  });
});

test("what the broker refuses by itself is counted by its reason, and what merely ends is not", async () => {
  const reasons = ["keep-alive", "version", "too-large", "protocol"];
  const counts = () => Promise.all(reasons.map(refusals));
  const before = await counts();
  await sendRaw(connectPacket({ keepalive: 601 }));
  await sendRaw(connectPacket({ protocolVersion: 5 }));
  await sendRaw(connectPacket({ clientId: "x".repeat(9_000), username: "x" }));
  await sendRaw(Buffer.from("GET / HTTP/1.1\r\n\r\n"));
  await sendRaw(mqttPacket.generate({ cmd: "pingreq" }));
  await (await ingest.connect(20_001)).endAsync();
  const left = await ingest.connect(20_001);
  left.stream.destroy();
  await ended(left);
  await expect.poll(async () => (await counts()).map((count, index) => count - before[index]!)).toEqual([1, 1, 1, 2]);
});

describe("what a node may publish", () => {
  test.each([
    ["data of another node", "spBv1.0/n34/NDATA/20002", {}],
    ["its data in another group", "spBv1.0/n34/NDATA/20001", {}],
    ["a device of another node", "spBv1.0/n34/DDATA/20002/x", {}],
    ["a device with a strange id", "spBv1.0/n33/DDATA/20001/a b", {}],
    ["a command", "spBv1.0/n33/NCMD/20001", {}],
    ["the host's state", "spBv1.0/STATE/pq-ingest", {}],
    ["a system topic", "$SYS/broker/version", {}],
    ["any other topic", "a/b/c", {}],
    ["a retained message", "spBv1.0/n33/NDATA/20001", { retain: true }],
    ["a QoS 2 message", "spBv1.0/n33/NDATA/20001", { qos: 2 as const }],
    ["a message of more than 256 KiB", "spBv1.0/n33/NDATA/20001", { size: 262_145 }],
  ])("not %s", async (_what, topic, { retain = false, qos = 1, size = 0 }: { retain?: boolean; qos?: 0 | 1 | 2; size?: number }) => {
    const client = await ingest.connect(20_001);
    const closed = ended(client);
    client.publish(topic, size > 0 ? Buffer.alloc(size) : payload(), { qos, retain }, () => undefined);
    await closed;
    expect(await ingest.rows("select 1 from scalar")).toEqual([]);
  });

  test.each([10, 20_000])("not %i bytes with QoS 1 and the packet identifier 0", async (size) => {
    const topic = "spBv1.0/n33/NDATA/20001";
    const publish = mqttPacket.generate({
      cmd: "publish",
      topic,
      payload: Buffer.alloc(size),
      qos: 1,
      messageId: 1,
      retain: false,
      dup: false,
    });
    publish.writeUInt16BE(0, publish.indexOf(topic) + topic.length);
    const socket = net.connect(Number(new URL(ingest.mqttUrl).port), "127.0.0.1");
    const parser = mqttPacket.parser();
    const answers: string[] = [];
    parser.on("packet", ({ cmd }) => {
      if (answers.push(cmd) === 1) socket.write(publish);
      else socket.destroy();
    });
    socket.on("data", (chunk) => parser.parse(chunk));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(connectPacket({}));
    await closed;
    expect(answers).toEqual(["connack"]);
  });

  test("a message of almost 256 KiB is read", async () => {
    const client = await ingest.connect(20_001);
    await client.publishAsync("spBv1.0/n33/NDATA/20001", Buffer.alloc(250_000), { qos: 1 });
    expect(
      await ingest.rows("select reason, length(sample) from quarantine where serial_number = 20001 and reason like 'decode%'"),
    ).toEqual([{ reason: "decode invalid-field", length: 4_096 }]);
  });

  test("refusals are counted", async () => {
    expect(await refusals("publish other-node")).toBeGreaterThan(0);
    expect(await refusals("credentials")).toBeGreaterThan(0);
  });
});

test("messages are acknowledged in the order of receipt, in whatever pieces and of whatever length they come", async () => {
  await ingest.addNode(20_005);
  const socket = net.connect(Number(new URL(ingest.mqttUrl).port), "127.0.0.1");
  const parser = mqttPacket.parser();
  const acks: (number | undefined)[] = [];
  const isIn = new Promise<void>((resolve) => {
    parser.on("packet", (packet) => {
      if (packet.cmd === "connack") resolve();
      else acks.push(packet.messageId);
    });
  });
  socket.on("data", (chunk) => parser.parse(chunk));
  socket.write(connectPacket({ clientId: "20005", username: "20005" }));
  await isIn;
  const sizes = [10, 20_000, 10, 10, 70_000, 10, 300];
  const packets = sizes.map((size, index) =>
    mqttPacket.generate({
      cmd: "publish",
      topic: "spBv1.0/n37/NDATA/20005",
      payload: Buffer.alloc(size, 255),
      qos: 1,
      messageId: index + 1,
      retain: false,
      dup: false,
    }),
  );
  const bytes = Buffer.concat(packets);
  for (let at = 0; at < bytes.length; at += 9_999) socket.write(bytes.subarray(at, at + 9_999));
  await expect.poll(() => acks).toEqual([1, 2, 3, 4, 5, 6, 7]);
  socket.destroy();
});

describe("what a node may subscribe", () => {
  test.each([
    "#",
    "+/#",
    "$SYS/#",
    "spBv1.0/#",
    "spBv1.0/+/NCMD/#",
    "spBv1.0/n34/NCMD/20002",
    "spBv1.0/n33/NDATA/20001",
    "$share/a/spBv1.0/n33/NCMD/20001",
  ])("not %s", async (filter) => {
    const client = await ingest.connect(20_001);
    await expect(client.subscribeAsync(filter, { qos: 1 })).rejects.toThrow(/Unspecified error|Subscribe error/);
    expect(client.connected).toBe(true);
  });

  test("its commands and the host's state, which says that the host is there", async () => {
    const client = await ingest.connect(20_001);
    const states: string[] = [];
    client.on("message", (_topic, message) => states.push(message.toString()));
    const granted = await client.subscribeAsync(["spBv1.0/n33/NCMD/20001", "spBv1.0/n33/DCMD/20001/+", "spBv1.0/STATE/pq-ingest"], {
      qos: 1,
    });
    expect(granted.map(({ qos }) => qos)).toEqual([1, 1, 1]);
    await expect.poll(() => states.map((state) => JSON.parse(state))).toEqual([{ online: true, timestamp: expect.any(Number) }]);
  });
});

test("a connection has at most 100 subscriptions, which end with it also when it asks for a session that lasts", async () => {
  await ingest.addNode(20_006);
  const filters = Array.from({ length: 120 }, (_, index) => `spBv1.0/n38/DCMD/20006/d${index}`);
  const subscribed = async (socket: net.Socket) => {
    const parser = mqttPacket.parser();
    const packets: Packet[] = [];
    parser.on("packet", (packet) => packets.push(packet));
    socket.on("data", (chunk) => parser.parse(chunk));
    socket.write(connectPacket({ clientId: "20006", username: "20006", clean: false }));
    await expect.poll(() => packets).toHaveLength(1);
    const subscriptions = filters.map((topic) => ({ topic, qos: 1 as const }));
    // Again what is there already takes no place.
    for (const messageId of [1, 2]) socket.write(mqttPacket.generate({ cmd: "subscribe", messageId, subscriptions }));
    await expect.poll(() => packets).toHaveLength(3);
    socket.destroy();
    return packets;
  };
  for (let round = 0; round < 2; round++) {
    const [connack, ...subacks] = await subscribed(net.connect(Number(new URL(ingest.mqttUrl).port), "127.0.0.1"));
    expect(connack).toMatchObject({ cmd: "connack", returnCode: 0, sessionPresent: false });
    for (const suback of subacks) {
      const { granted } = suback as { granted: number[] };
      expect([granted.filter((code) => code === 1).length, granted.filter((code) => code === 128).length]).toEqual([100, 20]);
    }
  }
});

describe("credentials that end", () => {
  test("a revoked credential ends the connection and opens no other", async () => {
    await ingest.addNode(20_010);
    await ingest.rows("update node_credential set created_at = now() - interval '1 year' where serial_number = 20010");
    const client = await ingest.connect(20_010);
    const closed = ended(client);
    await ingest.rows("update node_credential set revoked_at = now() where serial_number = 20010");
    await closed;
    await expect.poll(() => sendRaw(connectPacket({ clientId: "20010", username: "20010" }))).toBe(4);
  });

  test("a decommissioned node is disconnected", async () => {
    await ingest.addNode(20_011);
    const client = await ingest.connect(20_011);
    const closed = ended(client);
    await ingest.rows("insert into customer (code, name) values ('gone', 'Gone') returning id");
    await ingest.rows(
      "insert into decommissioned_node (serial_number, customer_id, facility_name, site_name) select 20011, id, 'f', 's' from customer where code = 'gone'",
    );
    await closed;
    expect(client.connected).toBe(false);
  });
});

test("a node that sends too fast is slowed down, and nothing of it is lost", async () => {
  const slow = await createTestIngest({ brokerLimits: { messagesPerSecond: 50 } });
  try {
    await slow.addNode(20_020);
    const node = await startTestNode(slow, 20_020);
    await node.birth();
    const beganAt = performance.now();
    const now = Date.now();
    // What has been read at once is handled; the next is read when the node has come back to its rate.
    for (const round of [0, 1]) {
      await Promise.all(Array.from({ length: 120 }, (_, index) => node.data(scalarMetrics(now - (round * 120 + index) * 100, index))));
    }
    expect(performance.now() - beganAt).toBeGreaterThan(1_000);
    expect(await slow.rows("select count(*)::int from scalar")).toEqual([{ count: 240 }]);
  } finally {
    await slow.stop();
  }
});

test("A-63 a node that reconnects has not gone when its old connection ends, only when the new one does", async () => {
  await ingest.addNode(20_004);
  const edge = createEdgeSession({ group: groupOf(20_004), edge: "20004" });
  edge.connect(Date.now());
  const publish = (client: MqttClient, { topic, payload: bytes }: EdgeMessage) =>
    client.publishAsync(topic, Buffer.from(bytes), { qos: 1 });
  // Without a last will only the end of a connection says that the node is gone.
  const before = await ingest.connect(20_004);
  await publish(before, edge.birth(birthMetrics(), Date.now()));
  const isOver = ended(before);
  const after = await ingest.connect(20_004);
  await isOver;
  await publish(after, edge.data(scalarMetrics(Date.now(), 5), Date.now()));
  const state = () => ingest.rows("select is_connected from node_live where serial_number = 20004");
  expect(await state()).toEqual([{ is_connected: true }]);
  expect(await ingest.rows("select count(*)::int from scalar where serial_number = 20004")).toEqual([{ count: 1 }]);
  after.end(true);
  await expect.poll(state).toEqual([{ is_connected: false }]);
});

test("the host's end is announced before the connections end, and all nodes are disconnected", async () => {
  const short = await createTestIngest();
  await short.addNode(20_030);
  const node = await startTestNode(short, 20_030);
  await node.birth();
  const states: boolean[] = [];
  node.client.on("message", (_topic, message) => states.push((JSON.parse(message.toString()) as { online: boolean }).online));
  await node.client.subscribeAsync("spBv1.0/STATE/#", { qos: 1 });
  await expect.poll(() => states).toEqual([true]);
  await short.context.stop();
  await expect.poll(() => states).toEqual([true, false]);
  expect(await short.rows("select is_connected from node_live where serial_number = 20030")).toEqual([{ is_connected: false }]);
  await expect(connectNode(short.mqttUrl, "20030")).rejects.toThrow(/ECONNREFUSED|closed/);
  await short.stop();
});
