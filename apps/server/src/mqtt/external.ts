import { setTimeout as wait } from "node:timers/promises";
import { connect } from "mqtt";
import type { IClientOptions, MqttClient } from "mqtt";
import { Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { Ingest } from "#features/telemetry/scalars/scalars.ingest.ts";
import type { Clock } from "#lib/clock.ts";
import { createLimitedLog } from "#lib/limited-log.ts";
import type { Log } from "#lib/log.ts";
import { hostStateTopic, saysOffline, stateMessage } from "./host-state.ts";

export interface ExternalBrokerOptions {
  url: string;
  /** Fixed part of the client ids: the broker keeps what comes while we are away for this name. */
  workerName: string;
  submit: Ingest["submit"];
  clock: Clock;
  log: Log;
  registry: Registry;
  /** What to listen to. The default is what the standard's test kit asks for; a sharded worker takes some groups only. */
  filters?: readonly string[];
  firstBackoffMs?: number;
}

export interface ExternalBroker {
  start(): void;
  stop(): Promise<void>;
  publishCommand: (topic: string, payload: Uint8Array) => void;
  /** Why nothing can come in, undefined while connected. */
  problem(): string | undefined;
}

const maxBackoffMs = 30_000;

/**
 * The host's connection to a broker elsewhere. Every attempt is a new client with a new will: a will that were used again would carry
 * the timestamp of an earlier connection (Sparkplug 3.0, chapter 5.4).
 */
export function createExternalBroker(options: ExternalBrokerOptions): ExternalBroker {
  const { url, workerName, submit, clock, log, registry, filters = ["spBv1.0/#"], firstBackoffMs = 500 } = options;
  const limitedLog = createLimitedLog(log, clock);
  const stopping = new AbortController();
  let client: MqttClient | undefined;
  let running: Promise<void> | undefined;
  const gauge: Gauge = new Gauge({
    name: "busbar_mqtt_connections",
    help: "Connections to the external broker",
    registers: [registry],
    collect: () => gauge.set(client?.connected ? 1 : 0),
  });

  const connectOptions = (bornAtMs: number): IClientOptions => {
    const will = stateMessage(false, bornAtMs);
    return {
      clientId: `busbar-ingest-${workerName}`,
      clean: false,
      reconnectPeriod: 0,
      connectTimeout: 10_000,
      resubscribe: false,
      will: { topic: will.topic, payload: Buffer.from(will.payload), qos: will.qos, retain: will.retain },
    };
  };

  // One packet at a time: the acknowledgement follows the callback, and none follows an error.
  const handlePublications = (connected: MqttClient, bornAtMs: number) => {
    connected.handleMessage = (packet, done) => {
      const payload = typeof packet.payload === "string" ? Buffer.from(packet.payload) : packet.payload;
      if (packet.topic === hostStateTopic) {
        if (saysOffline(payload.toString())) publishBirth(connected, bornAtMs);
        return done();
      }
      submit(packet.topic, payload, packet.qos > 0, (error) => (error ? done(error) : done()));
    };
  };

  const publishBirth = (connected: MqttClient, bornAtMs: number) => {
    const { topic, payload, qos, retain } = stateMessage(true, bornAtMs);
    connected.publish(topic, payload, { qos, retain });
  };

  /** Returns when the connection has ended. */
  const runConnection = async (onConnected: () => void): Promise<void> => {
    const bornAtMs = clock.now();
    const connected = connect(url, connectOptions(bornAtMs));
    client = connected;
    const ended = new Promise<"ended">((resolve) => void connected.once("close", () => resolve("ended")));
    const begun = new Promise<"begun">((resolve) => void connected.once("connect", () => resolve("begun")));
    connected.on("error", (error) => limitedLog("warn", "external-broker", { err: error }, "the connection to the MQTT broker failed"));
    handlePublications(connected, bornAtMs);
    if ((await Promise.race([begun, ended])) === "ended" || stopping.signal.aborted) return;
    // Subscribed before the birth: what nodes answer to it must not be missed.
    await connected.subscribeAsync([...filters, hostStateTopic], { qos: 1 });
    publishBirth(connected, bornAtMs);
    onConnected();
    log.info({ url: withoutSecret(url) }, "connected to the MQTT broker");
    await ended;
  };

  const run = async () => {
    let attempt = 0;
    while (!stopping.signal.aborted) {
      try {
        await runConnection(() => (attempt = 0));
      } catch (error) {
        limitedLog("warn", "external-broker", { err: error, url: withoutSecret(url) }, "the MQTT broker cannot be reached");
      }
      client?.end(true);
      client = undefined;
      const backoffMs = Math.min(maxBackoffMs, firstBackoffMs * 2 ** Math.min(attempt++, 10)) * (0.5 + Math.random());
      await wait(backoffMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };

  return {
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      const leaving = client;
      if (leaving?.connected) {
        const { topic, payload, qos, retain } = stateMessage(false, clock.now());
        await leaving.publishAsync(topic, payload, { qos, retain });
        await leaving.endAsync();
      } else leaving?.end(true);
      await running;
    },
    publishCommand(topic, payload) {
      client?.publish(topic, Buffer.from(payload), { qos: 0, retain: false });
    },
    problem: () => (client?.connected ? undefined : "the MQTT broker cannot be reached"),
  };
}

function withoutSecret(url: string): string {
  const parsed = new URL(url);
  return `${parsed.protocol}//${parsed.host}`;
}
