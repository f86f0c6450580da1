import { once } from "node:events";
import { connect } from "node:net";
import { groupOf } from "@busbar/sparkplug/topic.ts";
import mqttPacket from "mqtt-packet";
import { Registry } from "prom-client";
import { expect, onTestFinished, test, vi } from "vitest";
import type { NodeCredentials } from "#features/directory/node-credentials/node-credentials.service.ts";
import { systemClock } from "#lib/clock.ts";
import { silentLog } from "#lib/log.ts";
import { connectNode } from "#testing/test-ingest.ts";
import { createBroker } from "./broker.ts";

test("A-63 each second nodes whose credential changed are looked for, each minute all; who may not be here is ended and reported", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const scopes: string[] = [];
  const revoked = new Set<string>();
  const credentials: Pick<NodeCredentials, "verify" | "findRevoked"> = {
    verify: () => Promise.resolve("hash"),
    findRevoked: (connected, scope) => {
      scopes.push(scope);
      return Promise.resolve([...connected.keys()].filter((serial) => revoked.has(serial)));
    },
  };
  const [left, refused] = [vi.fn<(serial: string) => void>(), vi.fn<(clientId: string, reason: string) => void>()];
  const broker = createBroker({
    credentials,
    ingest: { submit: () => undefined, noteDisconnected: left, isFull: () => false, whenRoom: () => undefined },
    clock: systemClock,
    log: silentLog,
    registry: new Registry(),
    isTrustedProxy: () => false,
    noteRefused: refused,
  });
  const { port } = await broker.start({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => broker.stop());
  vi.advanceTimersByTime(60_000);
  expect([scopes.length, scopes.indexOf("all"), scopes.lastIndexOf("all")]).toEqual([60, 59, 59]);

  const [stays, goes] = await Promise.all(["20001", "20002"].map((serial) => connectNode(`mqtt://127.0.0.1:${port}`, serial)));
  onTestFinished(() => void stays!.end(true));
  revoked.add("20002");
  const closed = new Promise<void>((done) => void goes!.once("close", () => done()));
  vi.advanceTimersByTime(1_000);
  await closed;
  await vi.waitFor(() => expect(left.mock.calls).toEqual([["20002"]]));
  expect([refused.mock.calls, stays!.connected]).toEqual([[["20002", "revoked"]], true]);
});

test("A-63 a node that publishes, or waits for its acknowledgement, is not silent; one that says nothing ends with its keep-alive", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  let taken = Promise.withResolvers<() => void>();
  const broker = createBroker({
    credentials: { verify: () => Promise.resolve("hash"), findRevoked: () => Promise.resolve([]) },
    ingest: {
      submit: (_topic, _payload, _isAcknowledged, done) => taken.resolve(done),
      noteDisconnected: () => undefined,
      isFull: () => false,
      whenRoom: () => undefined,
    },
    clock: systemClock,
    log: silentLog,
    registry: new Registry(),
    isTrustedProxy: () => false,
  });
  const { port } = await broker.start({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => broker.stop());
  const enter = async (serial: string) => {
    const socket = connect({ port, host: "127.0.0.1" });
    onTestFinished(() => void socket.destroy());
    const clientId = { clientId: serial, username: serial, password: Buffer.from("secret") };
    socket.write(mqttPacket.generate({ cmd: "connect", protocolId: "MQTT", protocolVersion: 4, clean: true, keepalive: 60, ...clientId }));
    await once(socket, "data");
    socket.resume();
    const ended = once(socket, "close");
    /** Resolves with what acknowledges it. */
    const publish = (qos: 0 | 1) => {
      taken = Promise.withResolvers();
      const topic = `spBv1.0/${groupOf(serial)}/NDATA/${serial}`;
      socket.write(mqttPacket.generate({ cmd: "publish", topic, payload: "", qos, messageId: 7, retain: false, dup: false }));
      return Promise.race([taken.promise, ended.then(() => Promise.reject(new Error(`${serial} has been put out`)))]);
    };
    return { publish, ended, acknowledged: () => once(socket, "data") };
  };
  const [busy, patient, silent] = [await enter("20001"), await enter("20002"), await enter("20003")];
  const settle = await patient.publish(1);
  (await busy.publish(0))();
  vi.advanceTimersByTime(60_000);
  (await busy.publish(0))();
  vi.advanceTimersByTime(31_000);
  await silent.ended;
  (await busy.publish(0))();
  vi.advanceTimersByTime(91_000);
  await busy.ended;

  const acknowledged = patient.acknowledged();
  settle();
  await acknowledged;
  vi.advanceTimersByTime(91_000);
  await expect(patient.ended).resolves.toBeDefined();
});
