import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import mqttPacket from "mqtt-packet";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
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
