import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import mqttPacket from "mqtt-packet";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "#lib/clock.ts";
import { createSpokenVersion } from "./spoken-version.ts";
import { createStandingLink, type StandingLinkOptions } from "./standing-link.ts";

/** Takes connections and never says a word. */
const silent = createServer();
beforeAll(async () => {
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
});
afterAll(() => void silent.close());

const linkTo = (broker: Server, options: Partial<StandingLinkOptions> = {}) =>
  createStandingLink({
    url: new URL(`mqtt://127.0.0.1:${(broker.address() as AddressInfo).port}`),
    version: createSpokenVersion(systemClock),
    clientId: "busbar-n05",
    session: "kept",
    subscriptions: [],
    onMessage: () => undefined,
    onUp: () => undefined,
    isFull: () => false,
    whenRoom: () => undefined,
    inTurn: (attempt) => attempt(),
    clock: systemClock,
    limitedLog: () => undefined,
    firstBackoffMs: 10,
    ...options,
  });

const attempted = async () => {
  const link = linkTo(silent);
  const connection = once(silent, "connection");
  link.start();
  const [socket] = (await connection) as [Socket];
  socket.resume().on("error", () => undefined);
  return { link, socket };
};

test.each(["drop", "end"] as const)(
  "an attempt under way goes no further once %s is called: the session may be another worker's",
  async (how) => {
    const { link, socket } = await attempted();
    const closed = once(socket, "close");
    const ended = link[how](60_000);
    await closed;
    await ended;
    expect(link.current()).toBeUndefined();
  },
);

/** Answers each CONNECT with a code; a connection that it lets in ends when the test says so. */
async function startAnswering(codeOf: (count: number) => number) {
  const sockets: Socket[] = [];
  let count = 0;
  const broker = createServer((socket) => {
    const parser = mqttPacket.parser();
    parser.on("packet", (packet) => {
      if (packet.cmd !== "connect") return;
      const code = codeOf(++count);
      socket.write(mqttPacket.generate({ cmd: "connack", returnCode: code, sessionPresent: false }));
      if (code === 0) sockets.push(socket);
      else socket.end();
    });
    socket.on("data", (chunk) => void parser.parse(chunk)).on("error", () => undefined);
  });
  broker.listen(0, "127.0.0.1");
  await once(broker, "listening");
  onTestFinished(() => new Promise((resolve) => void broker.close(() => resolve())));
  return { broker, drop: () => sockets.forEach((socket) => socket.destroy()) };
}

test("A-63 a broker that speaks neither version is one that someone must see to, and is asked again", async () => {
  const { broker } = await startAnswering((count) => (count > 8 ? 0 : 1));
  const logged: unknown[] = [];
  const isUp = Promise.withResolvers<void>();
  const link = linkTo(broker, {
    onUp: () => isUp.resolve(),
    limitedLog: (level) => logged.push([level, link.problem()]),
    firstBackoffMs: 1,
  });
  onTestFinished(() => link.end(0));
  link.start();
  await isUp.promise;
  const address = `mqtt://127.0.0.1:${(broker.address() as AddressInfo).port}`;
  const problem = { sentence: `the MQTT broker ${address} speaks neither MQTT 5 nor 3.1.1`, isRefusal: true };
  expect(logged.length).toBeGreaterThan(1);
  expect(logged).toEqual(logged.map(() => ["error", problem]));
});

test("A-63 a link waits twice as long after each failure, and after one that was up as long as at first", async () => {
  const min = vi.spyOn(Math, "min");
  onTestFinished(() => min.mockRestore());
  const { broker, drop } = await startAnswering((count) => (count > 3 ? 0 : 3));
  let up = Promise.withResolvers<void>();
  const link = linkTo(broker, { onUp: () => up.resolve(), firstBackoffMs: 2 });
  onTestFinished(() => link.end(0));
  link.start();
  await up.promise;
  up = Promise.withResolvers();
  drop();
  await up.promise;
  // Each is at most five seconds.
  expect(min.mock.calls.filter(([most]) => most === 5_000).map(([, waitMs]) => waitMs)).toEqual([2, 4, 8, 2]);
});

test("A-63 a link that was up and breaks says why at once, and is up no more", async () => {
  const broker = createServer((socket) => {
    const parser = mqttPacket.parser();
    parser.on("packet", () => socket.end(mqttPacket.generate({ cmd: "connack", returnCode: 0, reasonCode: 0, sessionPresent: false })));
    socket.on("data", (chunk) => void parser.parse(chunk)).on("error", () => undefined);
  });
  broker.listen(0, "127.0.0.1");
  await once(broker, "listening");
  onTestFinished(() => new Promise((resolve) => void broker.close(() => resolve())));
  const seen: unknown[] = [];
  const logged = Promise.withResolvers<unknown>();
  const link = linkTo(broker, {
    onUp: () => seen.push([link.current() !== undefined, link.problem()]),
    limitedLog: (level, _key, more) => logged.resolve([level, more, link.current(), link.problem()]),
    firstBackoffMs: 60_000,
  });
  seen.push(link.problem());
  link.start();
  const { host } = new URL(`mqtt://127.0.0.1:${(broker.address() as AddressInfo).port}`);
  const sentence = `the MQTT broker mqtt://${host} closed the connection`;
  expect(await logged.promise).toEqual(["warn", { reason: sentence }, undefined, { sentence, isRefusal: false }]);
  expect(seen).toEqual([{ sentence: `the MQTT broker mqtt://${host} has not answered yet`, isRefusal: false }, [true, undefined]]);
  await link.end(0);
});
