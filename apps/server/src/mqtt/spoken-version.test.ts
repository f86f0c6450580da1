import { createServer, type AddressInfo, type Socket } from "node:net";
import mqttPacket from "mqtt-packet";
import { afterEach, expect, test } from "vitest";
import type { Clock } from "#lib/clock.ts";
import type { MqttLink, MqttVersion } from "./mqtt-link.ts";
import { createSpokenVersion, type VersionAnswer } from "./spoken-version.ts";
import { createStandingLink } from "./standing-link.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** A broker that answers a CONNECT when `doesAnswer` says so, and otherwise ends the connection, as RabbitMQ before 3.13 does for MQTT 5. */
async function startBroker(doesAnswer: (version: number, count: number) => boolean) {
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    const parser = mqttPacket.parser();
    parser.on("packet", (packet) => {
      if (packet.cmd !== "connect") return;
      const protocolVersion = packet.protocolVersion ?? 4;
      const answer = mqttPacket.generate({ cmd: "connack", returnCode: 0, reasonCode: 0, sessionPresent: false }, { protocolVersion });
      if (doesAnswer(protocolVersion, ++count)) socket.write(answer);
      else socket.destroy();
    });
    socket.on("data", (chunk) => void parser.parse(chunk)).on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const dropAll = () => sockets.forEach((socket) => socket.destroy());
  ends.push(() => {
    dropAll();
    return new Promise((resolve) => void server.close(() => resolve()));
  });
  return { url: new URL(`mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`), dropAll };
}

/** Waits for each time that the link comes up, and gives the version of it. */
function startLink(url: URL, clock: Clock) {
  const version = createSpokenVersion(clock);
  let up = Promise.withResolvers<number>();
  const link = createStandingLink({
    url,
    version,
    clientId: "busbar-n05",
    session: "kept",
    subscriptions: [],
    onMessage: () => undefined,
    onUp: (_link: MqttLink) => up.resolve(version.current),
    isFull: () => false,
    whenRoom: () => undefined,
    inTurn: (attempt) => attempt(),
    clock,
    limitedLog: () => undefined,
    firstBackoffMs: 1,
  });
  link.start();
  ends.push(() => link.end(0));
  return async () => {
    const spoken = await up.promise;
    up = Promise.withResolvers();
    return spoken;
  };
}

const createClock = () => {
  let ms = 0;
  return { now: () => ms, monotonic: () => ms, advance: (by: number) => void (ms += by) };
};

test("a broker that leaves CONNECTs of MQTT 5 unanswered is spoken to in 3.1.1", async () => {
  const { url } = await startBroker((version) => version === 4);
  expect(await startLink(url, createClock())()).toBe(4);
});

test.each([1, 2, 3, 5])("a broker of MQTT 5 that drops its first %i CONNECTs is spoken to in MQTT 5", async (dropped) => {
  const { url } = await startBroker((_version, count) => count > dropped);
  expect(await startLink(url, createClock())()).toBe(5);
});

test("a broker that was away and speaks MQTT 5 since is spoken to in it", async () => {
  let isNewer = false;
  const { url, dropAll } = await startBroker((version) => version === 4 || isNewer);
  const clock = createClock();
  const nextVersion = startLink(url, clock);
  expect(await nextVersion()).toBe(4);
  isNewer = true;
  clock.advance(60_000);
  dropAll();
  expect(await nextVersion()).toBe(5);
});

test("only silences in a row, and of the version that is spoken, make the broker asked; what was learned is not asked again at once", async () => {
  const asked: MqttVersion[] = [];
  const clock = createClock();
  const version = createSpokenVersion(clock);
  const ask = async (which: MqttVersion) => (asked.push(which), which === 4 ? "speaks" : "silent") as VersionAnswer;
  await version.noteSilence(5, ask);
  version.noteAnswer();
  await version.noteSilence(5, ask);
  await version.noteSilence(4, ask);
  version.noteForeign(4);
  expect([asked, version.current]).toEqual([[], 5]);
  await version.noteSilence(5, ask);
  expect([asked.splice(0), version.current]).toEqual([[4, 5], 4]);
  clock.advance(59_999);
  await version.lookAgain(ask);
  expect(asked).toEqual([]);
  clock.advance(1);
  await version.lookAgain(ask);
  await version.lookAgain(ask);
  expect([asked, version.current]).toEqual([[5], 4]);
});
