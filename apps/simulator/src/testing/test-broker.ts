import { createServer, type AddressInfo } from "node:net";
import { Aedes } from "aedes";
import { sparkplugHostId } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import { encodePayload } from "@busbar/sparkplug/encode.ts";
import { interpretValue } from "@busbar/sparkplug/interpret.ts";
import type { Metric, MetricInput, Payload } from "@busbar/sparkplug/payload.ts";
import { groupOf, nodeTopic, deviceTopic, parseTopic, stateTopic } from "@busbar/sparkplug/topic.ts";

/** One message of a node as a host sees it. */
export interface HeardMessage {
  kind: string;
  serial: number;
  device: number | undefined;
  qos: number;
  payload: Payload;
  /** Metrics by name, with the types of the last birth. */
  metrics: Map<string, Metric>;
}

export interface TestBroker {
  readonly url: string;
  readonly port: number;
  /** Everything heard so far; what cannot be decoded counts in `malformed`. */
  readonly heard: HeardMessage[];
  readonly malformed: string[];
  /** Clients that connected so far. */
  readonly connects: string[];
  setHost(isOnline: boolean, timestamp?: number): Promise<void>;
  command(serial: number, metrics: MetricInput[], device?: number): Promise<void>;
  /** Resolves with what `find` gives as soon as it gives something; looks after every message, and now and then. */
  waitFor<T>(what: string, find: (heard: HeardMessage[]) => T | undefined | false): Promise<T>;
  of(serial: number, ...kinds: string[]): HeardMessage[];
  /** Cuts a client's connection without a word. */
  cut(serial: number): void;
  stop(): Promise<void>;
}

const waitLimitMs = 8_000;

/** A real broker on a free port (or the given one) with a host that listens to everything. */
export async function startTestBroker(port = 0): Promise<TestBroker> {
  const broker = await Aedes.createBroker();
  const server = createServer(broker.handle);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const heard: HeardMessage[] = [];
  const malformed: string[] = [];
  const connects: string[] = [];
  const births = new Map<string, Map<number, Metric>>();
  const watchers = new Set<() => void>();
  const notify = () => {
    for (const watcher of watchers) watcher();
  };

  broker.on("client", (client) => {
    connects.push(client.id);
    notify();
  });
  broker.subscribe(
    "spBv1.0/#",
    (packet, done) => {
      hear(packet.topic, packet.payload as Buffer, packet.qos);
      notify();
      done();
    },
    () => undefined,
  );

  function hear(topic: string, bytes: Buffer, qos: number) {
    const target = parseTopic(topic);
    if (!target || target.kind === "STATE" || target.kind === "NCMD" || target.kind === "DCMD") return;
    let payload: Payload;
    try {
      payload = decodePayload(Uint8Array.from(bytes));
    } catch {
      malformed.push(topic);
      return;
    }
    const source = `${target.edge}/${target.device ?? ""}`;
    if (target.kind === "NBIRTH" || target.kind === "DBIRTH") {
      births.set(source, new Map(payload.metrics.flatMap((metric) => (metric.alias === undefined ? [] : [[metric.alias, metric]]))));
    }
    const metrics = new Map<string, Metric>();
    for (const metric of payload.metrics) {
      const born = metric.alias === undefined ? undefined : births.get(source)?.get(metric.alias);
      const name = metric.name ?? born?.name ?? `alias ${metric.alias}`;
      const datatype = metric.datatype ?? born?.datatype;
      const value = metric.isNull || datatype === undefined ? metric.value : interpretValue(metric.value, datatype);
      metrics.set(name, { ...metric, value: value ?? null });
    }
    const device = target.device === undefined ? undefined : Number(target.device);
    heard.push({ kind: target.kind, serial: Number(target.edge), device, qos, payload, metrics });
  }

  const publish = (topic: string, payload: Uint8Array | string, retain: boolean) =>
    new Promise<void>((resolve, reject) =>
      broker.publish({ cmd: "publish", topic, payload: Buffer.from(payload as Uint8Array), qos: 1, retain, dup: false }, (error) =>
        error ? reject(error) : resolve(),
      ),
    );

  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    port: (server.address() as AddressInfo).port,
    heard,
    malformed,
    connects,
    setHost: (isOnline, timestamp = Date.now()) =>
      publish(stateTopic(sparkplugHostId), JSON.stringify({ online: isOnline, timestamp }), true),
    command(serial, metrics, device) {
      const group = groupOf(serial);
      const topic =
        device === undefined ? nodeTopic("NCMD", group, String(serial)) : deviceTopic("DCMD", group, String(serial), String(device));
      const timestamp = Date.now();
      return publish(topic, encodePayload({ timestamp, metrics: metrics.map((metric) => ({ timestamp, ...metric })) }), false);
    },
    waitFor(what, find) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = find(heard);
          if (found === undefined || found === false) return;
          clearTimeout(limit);
          clearInterval(again);
          watchers.delete(look);
          resolve(found);
        };
        const limit = setTimeout(() => {
          clearInterval(again);
          watchers.delete(look);
          reject(new Error(`Waited in vain for ${what}; heard ${heard.length} messages, last ${heard.at(-1)?.kind ?? "none"}`));
        }, waitLimitMs);
        const again = setInterval(look, 20);
        watchers.add(look);
        look();
      });
    },
    of: (serial, ...kinds) => heard.filter((message) => message.serial === serial && (kinds.length === 0 || kinds.includes(message.kind))),
    cut: (serial) => (broker as unknown as { clients: Record<string, { conn: { destroy(): void } }> }).clients[serial]?.conn.destroy(),
    async stop() {
      await new Promise<void>((resolve) => broker.close(() => resolve()));
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}
