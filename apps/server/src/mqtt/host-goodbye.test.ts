import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import mqttPacket, { type Packet } from "mqtt-packet";
import { Registry } from "prom-client";
import { expect, onTestFinished, test } from "vitest";
import { systemClock, type Clock } from "#lib/clock.ts";
import { silentLog } from "#lib/log.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { createExternalBroker } from "./external.ts";

/** The host at a broker that is a socket. */
async function beginHost(clock: Clock) {
  const stated: unknown[] = [];
  const isGone = Promise.withResolvers<void>();
  const isStated = Promise.withResolvers<void>();
  /** Sends each state to who subscribes to it before it acknowledges it. */
  const server = createServer((socket) => {
    const answer = (packet: Packet) => void socket.write(mqttPacket.generate(packet));
    const parser = mqttPacket.parser();
    parser.on("packet", (packet) => {
      if (packet.cmd === "connect") answer({ cmd: "connack", returnCode: 0, sessionPresent: false });
      else if (packet.cmd === "subscribe")
        answer({ cmd: "suback", messageId: packet.messageId!, granted: packet.subscriptions.map(({ qos }) => qos) });
      else if (packet.cmd === "publish") {
        stated.push((JSON.parse(String(packet.payload)) as { online: boolean }).online);
        const { topic, payload } = packet;
        answer({ cmd: "publish", topic, payload, qos: 0, retain: false, dup: false });
        answer({ cmd: "puback", messageId: packet.messageId! });
        isStated.resolve();
      } else if (packet.cmd === "disconnect") isGone.resolve();
    });
    socket.on("data", (chunk) => void parser.parse(chunk)).on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  let time = 1_790_000_000_000;
  const external = createExternalBroker({
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    worker: "one",
    ingest: { submit: () => undefined, isFull: () => false, whenRoom: () => undefined },
    noteUp: () => undefined,
    noteGap: () => undefined,
    nextStateTime: () => Promise.resolve(++time),
    clock,
    log: silentLog,
    registry: new Registry(),
  });
  const host = { name: "host", epoch: 1, isLost: false };
  external.begin(host);
  return { external, host, stated, isStated: isStated.promise, isGone: isGone.promise };
}

test("A-63 the host that goes says so once, and does not contradict what it hears of itself", async () => {
  const { external, host, stated, isStated, isGone } = await beginHost(systemClock);
  external.noteAllListening(true);
  await isStated;
  await external.handOver(host, true);
  await isGone;
  expect(stated).toEqual([true, false]);
});

test("A-63 nodes wait for groups that no one may listen to, and not for ever", async () => {
  const clock = createManualClock();
  const { external, host, stated, isStated } = await beginHost(clock);
  await expect.poll(() => external.isListening(host)).toBe(true);
  clock.advance(15);
  external.noteAllListening(false);
  for (let turn = 0; turn < 20; turn++) await turnOfLoop();
  expect(stated).toEqual([]);
  clock.advance(0.001);
  external.noteAllListening(false);
  await isStated;
  expect(stated).toEqual([true]);
  external.drop(host);
});
