import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { MqttClient } from "mqtt";
import mqttPacket, { type IConnectPacket } from "mqtt-packet";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectNode, createTestIngest, testSecret, type TestIngest } from "#testing/test-ingest.ts";
import { startProxyRelay } from "#testing/proxy-relay.ts";

const connectWith = (password: string, changes: Partial<IConnectPacket> = {}) =>
  mqttPacket.generate({
    cmd: "connect",
    protocolId: "MQTT",
    protocolVersion: 4,
    clean: true,
    keepalive: 60,
    clientId: "20001",
    username: "20001",
    password: Buffer.from(password),
    ...changes,
  });
const wrongConnect = connectWith("wrong");

let stops: (() => unknown)[] = [];
let logged: { address?: string; reason?: string; client?: string }[];
let ingest: TestIngest;
const start = async (options: Parameters<typeof createTestIngest>[0] = {}) => {
  const log = pino({ level: "info" }, { write: (line) => void logged.push(JSON.parse(line) as (typeof logged)[number]) });
  const started = await createTestIngest({ log, ...options });
  stops.push(() => started.stop());
  ingest = started;
  await ingest.addNode(20_001);
};
beforeEach(() => {
  logged = [];
});
afterEach(async () => {
  for (const stop of stops.toReversed()) await stop();
  stops = [];
});

const brokerPort = () => Number(new URL(ingest.mqttUrl).port);
const refusals = async (reason: string) => {
  const metric = (await ingest.registry.getMetricsAsJSON()).find(({ name }) => name === "busbar_mqtt_refused_total");
  return metric?.values.find(({ labels }) => (labels as { reason?: string }).reason === reason)?.value ?? 0;
};
const open = (port = brokerPort(), localAddress = "127.0.0.1"): Socket => {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  socket.resume();
  stops.push(() => socket.destroy());
  return socket;
};
const ended = (socket: Socket) => (socket.closed ? Promise.resolve() : once(socket, "close"));
const relay = async (addressOf: () => string) => {
  const started = await startProxyRelay(brokerPort(), addressOf);
  stops.push(() => started.stop());
  return started.port;
};
const letIn = async (port: number, serial = "20001"): Promise<MqttClient> => {
  const client = await connectNode(`mqtt://127.0.0.1:${port}`, serial);
  stops.push(() => client.end(true));
  return client;
};
const binaryHeader = (source: readonly number[]) =>
  Buffer.from([...Buffer.from("\r\n\r\n\0\r\nQUIT\n"), 0x21, 0x11, 0, 12, ...source, 127, 0, 0, 1, 0xc0, 0, 7, 0x5b]);

describe("A-40 for whom a proxy connects", () => {
  test.each([
    ["version 1", Buffer.from("PROXY TCP4 203.0.113.7 127.0.0.1 49152 1883\r\n")],
    ["version 2", binaryHeader([203, 0, 113, 7])],
  ])("is believed of a trusted one, in %s, also byte by byte", async (_version, header) => {
    await start();
    for (const pieces of [
      [Buffer.concat([header, wrongConnect])],
      Array.from(Buffer.concat([header, wrongConnect]), (byte) => Buffer.of(byte)),
    ]) {
      const socket = open();
      for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
      await ended(socket);
    }
    expect(logged.filter(({ reason }) => reason === "credentials")).toEqual([expect.objectContaining({ address: "203.0.113.7" })]);
    expect(await refusals("credentials")).toBe(2);
  });

  test("need not be forwarded: a node on the proxy's own machine speaks at once", async () => {
    await start();
    expect((await letIn(brokerPort())).connected).toBe(true);
    const socket = open();
    socket.write(wrongConnect);
    await ended(socket);
    expect(logged.find(({ reason }) => reason === "credentials")?.address).toBe("127.0.0.1");
  });

  test("is not believed of anyone else, nor of a client behind the proxy", async () => {
    await start({
      // What is no MQTT either may wait for more of it.
      brokerLimits: { connectTimeoutMs: 300 },
      config: {
        host: "127.0.0.1",
        mqttPort: 0,
        mqttUrl: undefined,
        scalarRetentionDays: 3,
        dataDir: "unused",
        trustedProxies: ["192.0.2.1"],
      },
    });
    const header = Buffer.from("PROXY TCP4 203.0.113.7 127.0.0.1 49152 1883\r\n");
    for (const spoofed of [header, binaryHeader([203, 0, 113, 7])]) {
      const socket = open();
      socket.write(Buffer.concat([spoofed, wrongConnect]));
      await ended(socket);
    }
    expect(await refusals("credentials")).toBe(0);
    await start({ brokerLimits: { connectTimeoutMs: 300 } });
    const behind = open(await relay(() => "198.51.100.1"));
    behind.write(Buffer.concat([header, wrongConnect]));
    await ended(behind);
    expect(logged.filter(({ address }) => address === "203.0.113.7")).toEqual([]);
  });

  test("forwarded wrongly ends the connection and is counted", async () => {
    await start();
    for (const bad of ["PROXY TCP4 evil 127.0.0.1 1 2\r\n", `PROXY ${"x".repeat(200)}`]) {
      const socket = open();
      socket.write(bad);
      await ended(socket);
    }
    expect(await refusals("proxy-header")).toBe(2);
    expect((await letIn(brokerPort())).connected).toBe(true);
  });

  test("forwarded too slowly, or nothing at all, ends the connection", async () => {
    await start({ brokerLimits: { connectTimeoutMs: 300 } });
    const slow = open();
    slow.write("PROXY TCP4 203.0.113.7 ");
    const silent = open();
    const behind = open(await relay(() => "198.51.100.1"));
    await Promise.all([slow, silent, behind].map(ended));
    expect(await refusals("proxy-header")).toBe(2);
  });
});

describe("A-40 a stranger keeps no node out", () => {
  const silences: [string, (socket: Socket) => void][] = [
    ["says nothing", () => undefined],
    ["says one byte", (socket) => void socket.write(Buffer.of(0x10))],
    ["guesses", (socket) => void socket.write(wrongConnect)],
  ];
  test.each(silences)("who holds every place and %s, at the nodes' own address or at another one", async (_what, say) => {
    await start({ brokerLimits: { strangers: 20 } });
    const crowd = await relay(() => "203.0.113.7");
    const site = await relay(() => "198.51.100.1");
    for (let round = 0; round < 3; round++) {
      for (const port of [crowd, site]) for (let index = 0; index < 30; index++) say(open(port));
      expect((await letIn(site)).connected).toBe(true);
      expect((await letIn(crowd)).connected).toBe(true);
    }
  });

  test("and a fleet of 300 comes back all at once, through a proxy, each node from its own address", async () => {
    await start({ brokerLimits: { strangers: 100 } });
    const serials = Array.from({ length: 300 }, (_, index) => 21_000 + index);
    for (const serial of serials) await ingest.addNode(serial);
    let address = 0;
    const nodes = await relay(() => `10.0.${++address >> 8}.${address & 255}`);
    const stranger = await relay(() => "203.0.113.7");
    const flood = setInterval(() => open(stranger), 1_000 / 60);
    stops.push(() => clearInterval(flood));
    const comeBack = async (serial: number): Promise<MqttClient> => {
      for (;;) {
        const client = await letIn(nodes, String(serial)).catch(() => undefined);
        if (client) return client;
      }
    };
    const clients = await Promise.all(serials.map(comeBack));
    for (const client of clients) client.stream.destroy();
    expect((await Promise.all(serials.map(comeBack))).filter(({ connected }) => connected)).toHaveLength(300);
  });
});

test("A-40 nodes that are in do not lose their place to more of them, and one that comes again takes its own", async () => {
  await start({ brokerLimits: { connections: 2 } });
  for (const serial of [20_002, 20_003]) await ingest.addNode(serial);
  const [first, second] = [await letIn(brokerPort()), await letIn(brokerPort(), "20002")];
  await expect(letIn(brokerPort(), "20003")).rejects.toThrow(/Server unavailable/);
  const isReplaced = once(first.stream, "close");
  const again = await letIn(brokerPort());
  await isReplaced;
  expect([second.connected, again.connected]).toEqual([true, true]);
});

test("a node that goes while its secret is looked up takes no place", async () => {
  await start({ brokerLimits: { connections: 1 } });
  await ingest.addNode(20_002);
  const holder = await ingest.database.pool.connect();
  await holder.query("begin; lock table node_credential in access exclusive mode");
  const gone = open();
  gone.write(connectWith(testSecret));
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    and query like '/* find-active-credentials */%'`;
  await expect.poll(() => ingest.rows(waiting)).toHaveLength(1);
  gone.resetAndDestroy();
  // The broker has seen that once it has answered someone who came later.
  const later = open();
  later.write("GET / HTTP/1.1\r\n\r\n");
  await ended(later);
  await holder.query("rollback");
  holder.release();
  expect((await letIn(brokerPort(), "20002")).connected).toBe(true);
});

test("A-63 a node that has said goodbye does not fall silent afterwards, as one does that says nothing", async () => {
  await start();
  await ingest.addNode(20_002);
  const enter = async (serial: string) => {
    const socket = open();
    socket.write(connectWith(testSecret, { clientId: serial, username: serial, keepalive: 1 }));
    await once(socket, "data");
    return socket;
  };
  const polite = await enter("20001");
  polite.write(mqttPacket.generate({ cmd: "disconnect" }));
  await ended(polite);
  await ended(await enter("20002"));
  const late = () => logged.filter(({ reason }) => reason === "keep alive timeout").map(({ client }) => client);
  await expect.poll(() => late().length).toBeGreaterThan(0);
  expect(late()).toEqual(["20002"]);
});
