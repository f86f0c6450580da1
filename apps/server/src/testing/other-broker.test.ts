import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connectAsync } from "mqtt";
import mqttPacket, { type Packet } from "mqtt-packet";
import { expect, test, vi } from "vitest";
import { startOtherBroker } from "./other-broker.ts";

/** A session that acknowledges nothing, and the message ids that came for it. */
async function listen(url: string): Promise<{ socket: Socket; ids: number[] }> {
  const ids: number[] = [];
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const parser = mqttPacket.parser();
  const subscribed = Promise.withResolvers<void>();
  parser.on("packet", (packet: Packet) => {
    if (packet.cmd === "publish") ids.push(packet.messageId!);
    else if (packet.cmd === "suback") subscribed.resolve();
  });
  socket.on("data", (chunk: Buffer) => parser.parse(chunk));
  await once(socket, "connect");
  socket.write(
    mqttPacket.generate({ cmd: "connect", clientId: "kept", clean: false, keepalive: 60, protocolId: "MQTT", protocolVersion: 4 }),
  );
  socket.write(mqttPacket.generate({ cmd: "subscribe", messageId: 1, subscriptions: [{ topic: "a/#", qos: 1 }] }));
  await subscribed.promise;
  return { socket, ids };
}

test("what is kept for a session and what comes anew have different ids: no acknowledgement stands for another message", async () => {
  // From where the library counts.
  const random = vi.spyOn(Math, "random").mockReturnValue(0.5);
  const broker = await startOtherBroker();
  const publisher = await connectAsync(broker.url, { reconnectPeriod: 0 }, false);
  const publish = async () => {
    for (let count = 0; count < 3; count++) await publisher.publishAsync("a/b", "", { qos: 1 });
  };
  const before = await listen(broker.url);
  await publish();
  await expect.poll(() => before.ids).toHaveLength(3);
  before.socket.destroy();
  const after = await listen(broker.url);
  await expect.poll(() => after.ids).toEqual(before.ids);
  await publish();
  await expect.poll(() => after.ids).toHaveLength(6);
  expect(new Set(after.ids).size).toBe(6);
  after.socket.destroy();
  await publisher.endAsync();
  await broker.stop();
  random.mockRestore();
});
