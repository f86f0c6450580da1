import { createServer, type AddressInfo, type Server } from "node:net";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import mqttPacket, { type IConnectPacket, type Packet } from "mqtt-packet";
import { expect, onTestFinished, test, vi } from "vitest";
import { endpointOf, openMqttLink, type MqttLinkOptions, type MqttVersion } from "./mqtt-link.ts";

/** The port of a server that listens until the test is over. */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  return (server.address() as AddressInfo).port;
}

const plain = {
  clientId: "busbar-n05",
  session: "none",
  subscriptions: [],
  onMessage: () => undefined,
  isFull: () => false,
  whenRoom: () => undefined,
} as const;

/** What a broker hears of a link that subscribes to commands, until it is up. */
async function heardOf(version: MqttVersion, options: Partial<MqttLinkOptions>): Promise<Packet[]> {
  const heard: Packet[] = [];
  const ended = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    const answer = (packet: Packet) => socket.write(mqttPacket.generate(packet, { protocolVersion: version }));
    const parser = mqttPacket.parser();
    parser.on("packet", (packet) => {
      heard.push(packet);
      if (packet.cmd === "connect") answer({ cmd: "connack", returnCode: 0, reasonCode: 0, sessionPresent: true });
      if (packet.cmd === "subscribe") answer({ cmd: "suback", messageId: packet.messageId!, granted: [1, 0] });
    });
    socket.on("data", (chunk) => void parser.parse(chunk)).on("error", () => undefined);
    socket.on("close", () => ended.resolve());
  });
  const link = await openMqttLink({
    ...plain,
    url: new URL(`mqtt://us%20er:p%40ss@127.0.0.1:${await listen(server)}`),
    version,
    subscriptions: [
      { filter: "spBv1.0/n05/#", qos: 1 },
      { filter: "spBv1.0/STATE/#", qos: 0 },
    ],
    ...options,
  });
  expect(link.hadSession).toBe(true);
  await link.end(0);
  await ended.promise;
  return heard;
}

const will = { topic: "spBv1.0/STATE/busbar", payload: "{}", qos: 1, retain: true } as const;

test.each([
  { session: "none", version: 4, clean: true },
  { session: "brief", version: 4, clean: true },
  { session: "kept", version: 4, clean: false },
  { session: "none", version: 5, clean: true, expiry: 0 },
  { session: "brief", version: 5, clean: false, expiry: 15, willDelay: 15 },
  { session: "kept", version: 5, clean: false, expiry: 604_800 },
] as const)("a session that is $session lasts with MQTT $version as long as it should", async ({ session, version, clean, ...kept }) => {
  const { expiry, willDelay } = { expiry: undefined, willDelay: undefined, ...kept };
  const [connect] = (await heardOf(version, { session, will })) as [IConnectPacket];
  expect(connect).toMatchObject({ clean, clientId: "busbar-n05", keepalive: 15, protocolVersion: version, username: "us er" });
  expect(String(connect.password)).toBe("p@ss");
  expect(connect.properties).toEqual(
    version === 5 ? { receiveMaximum: 1_000, maximumPacketSize: 1_048_576, sessionExpiryInterval: expiry } : undefined,
  );
  expect({ ...connect.will, payload: String(connect.will?.payload) }).toMatchObject(will);
  expect(connect.will?.properties).toEqual(willDelay === undefined ? undefined : { willDelayInterval: willDelay });
});

test("it subscribes to each filter with its quality of service, and says goodbye", async () => {
  const [, subscribe, goodbye] = await heardOf(4, {});
  expect(subscribe).toMatchObject({
    cmd: "subscribe",
    subscriptions: [
      { topic: "spBv1.0/n05/#", qos: 1 },
      { topic: "spBv1.0/STATE/#", qos: 0 },
    ],
  });
  expect(goodbye).toMatchObject({ cmd: "disconnect" });
});

test.each([
  ["mqtt://broker.example", { isSecure: false, host: "broker.example", port: 1883 }],
  ["mqtts://broker.example", { isSecure: true, host: "broker.example", port: 8883, servername: "broker.example" }],
  ["mqtts://broker.example:8884", { isSecure: true, host: "broker.example", port: 8884, servername: "broker.example" }],
  ["mqtts://192.0.2.7", { isSecure: true, host: "192.0.2.7", port: 8883 }],
  ["mqtts://[2001:db8::7]", { isSecure: true, host: "2001:db8::7", port: 8883 }],
  ["mqtt://[2001:db8::7]:1884", { isSecure: false, host: "2001:db8::7", port: 1884 }],
])("A-63 %s names a port, or has that of its protocol, and a name for its certificate where it is one", (url, expected) => {
  expect(endpointOf(new URL(url))).toEqual(expected);
});

test("A-63 a broker that takes the connection and says nothing is given up after ten seconds", async () => {
  const asked = Promise.withResolvers<void>();
  const port = await listen(createServer((socket) => void socket.on("error", () => undefined).once("data", () => asked.resolve())));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const opened = openMqttLink({ ...plain, url: new URL(`mqtt://127.0.0.1:${port}`), version: 4 });
  await asked.promise;
  vi.advanceTimersByTime(9_999);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(vi.getTimerCount()).toBe(0);
  await expect(opened).rejects.toThrow(`the MQTT broker mqtt://127.0.0.1:${port} did not answer within 10 s`);
});

test("A-63 a link that ends takes nothing more, also when there is room again, and waits for what it has taken", async () => {
  const goodbye = Promise.withResolvers<void>();
  const acknowledged: unknown[] = [];
  const server = createServer((socket) => {
    const parser = mqttPacket.parser();
    parser.on("packet", (packet) => {
      const answer = (one: Packet) => socket.write(mqttPacket.generate(one));
      const publish = (messageId: number) =>
        answer({ cmd: "publish", topic: "spBv1.0/n05/NDATA/10001", payload: "", qos: 1, messageId, dup: false, retain: false });
      if (packet.cmd === "connect") answer({ cmd: "connack", returnCode: 0, sessionPresent: false });
      if (packet.cmd === "subscribe") {
        answer({ cmd: "suback", messageId: packet.messageId!, granted: [1] });
        publish(1);
      }
      if (packet.cmd === "publish") publish(2);
      if (packet.cmd === "puback") acknowledged.push(packet.messageId);
      if (packet.cmd === "disconnect") goodbye.resolve();
    });
    socket.on("data", (chunk) => void parser.parse(chunk)).on("error", () => undefined);
  });
  const taken: (() => void)[] = [];
  const full = Promise.withResolvers<() => void>();
  const link = await openMqttLink({
    ...plain,
    url: new URL(`mqtt://127.0.0.1:${await listen(server)}`),
    version: 4,
    subscriptions: [{ filter: "spBv1.0/n05/#", qos: 1 }],
    onMessage: (_topic, _payload, _qos, done) => void taken.push(done),
    isFull: () => taken.length > 0,
    whenRoom: full.resolve,
  });
  const hasRoom = await full.promise;
  await link.publish({ topic: "spBv1.0/n05/NCMD/10001", payload: "", qos: 0, retain: false });
  const ended = link.end(60_000);
  hasRoom();
  for (let turn = 0; turn < 50; turn++) await turnOfLoop();
  taken[0]!();
  await Promise.all([ended, goodbye.promise]);
  expect([taken.length, acknowledged]).toEqual([1, [1]]);
});
