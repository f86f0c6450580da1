import { connect as connectSocket, type Socket } from "node:net";
import { metricAliases, metricNames, scalarMeasurements, type MetricName } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { createEdgeSession } from "@busbar/sparkplug/edge-session.ts";
import { createNdataTemplate } from "@busbar/sparkplug/ndata-template.ts";
import { groupOf, nodeTopic } from "@busbar/sparkplug/topic.ts";
import { generate } from "mqtt-packet";
import { createFrameReader } from "./frame-reader.ts";
import { createSentLog } from "./sent-log.ts";

/** One node's own MQTT connection, as cheap as it can be: frames are built by patching, acknowledgements read by hand. */
export interface LoadConnection {
  readonly serial: number;
  /** Published and not yet acknowledged. */
  readonly unacked: number;
  /** Resolves when the broker has taken the connection and the birth is on its way. */
  connect(): Promise<void>;
  /** Sends a scalar of that time. `scheduledAt` (monotonic) comes back with its acknowledgement. */
  publish(requestedAtMs: number, scheduledAt: number): void;
  /** What it sent: one line for each message. */
  renderLog(): string;
  end(): void;
}

export interface LoadConnectionOptions {
  host: string;
  port: number;
  serial: number;
  secret: string;
  /** Of its data; with 0 no one acknowledges. */
  qos: 0 | 1;
  onAck: (connection: LoadConnection, scheduledAt: number) => void;
  onLost: (reason: string) => void;
}

/** Fewer unacknowledged messages than this may be on the way. */
const ringSize = 256;
const keepAliveSeconds = 300;
const connackFrame = 0x20;
const pubackFrame = 0x40;
const publishFrame = 0x30;

const integers: readonly string[] = [metricNames.scalarVersion, metricNames.scalarFlag];
const sentMetrics = [...scalarMeasurements, metricNames.scalarVersion, metricNames.scalarFlag, metricNames.power1].map(
  (name: MetricName) => ({
    name,
    alias: metricAliases[name] ?? 0,
    datatype: integers.includes(name) ? DataType.Int32 : DataType.Float,
  }),
);
const meanValues = [60, 41.2, 40.8, 41.9, 478.1, 479.4, 477.6, 1, 1, 17.35];
const values = Float64Array.from(meanValues);

// One for all: a message is patched and copied before the next one.
const template = createNdataTemplate(sentMetrics);

/** What the acknowledgements of one chunk let through goes out with one write: gathered here, of one connection at a time. */
const gathered = Buffer.allocUnsafe(64 * 1024);
let gatheredBytes = 0;
let gathering: LoadConnection | undefined;

function sendGathered(socket: Socket | undefined): void {
  if (gatheredBytes > 0) socket?.write(Buffer.from(gathered.subarray(0, gatheredBytes)));
  gatheredBytes = 0;
}

export function createLoadConnection({ host, port, serial, secret, qos, onAck, onLost }: LoadConnectionOptions): LoadConnection {
  const edge = String(serial);
  const session = createEdgeSession({ group: groupOf(serial), edge });
  const header = publishHeader(nodeTopic("NDATA", groupOf(serial), edge), template.bytes.length, qos);
  const log = createSentLog();
  const logIndexes = new Uint32Array(ringSize);
  const schedules = new Float64Array(ringSize);
  let socket: Socket | undefined;
  let unacked = 0;
  let messageId = 0;
  let lastAtMs = 0;
  let isEnding = false;

  const sayBirth = (to: Socket) => {
    const now = Date.now();
    const metrics = sentMetrics.map(({ name, alias, datatype }, index) => ({
      name,
      alias,
      datatype,
      value: values[index] ?? 0,
      timestamp: now,
    }));
    const { topic, payload } = session.birth(metrics, now);
    to.write(generate({ cmd: "publish", topic, payload: Buffer.from(payload), qos: 0, retain: false, dup: false }));
  };

  const acknowledge = (id: number) => {
    const slot = id % ringSize;
    unacked--;
    log.ack(logIndexes[slot] ?? 0);
    onAck(connection, schedules[slot] ?? 0);
  };

  const connection: LoadConnection = {
    serial,
    get unacked() {
      return unacked;
    },
    connect: () =>
      new Promise((done, fail) => {
        const opened = connectSocket({ host, port, noDelay: true });
        socket = opened;
        const read = createFrameReader((firstByte, bytes, bodyAt) => {
          if (firstByte === pubackFrame) acknowledge(bytes.readUInt16BE(bodyAt));
          else if (firstByte === connackFrame) {
            const code = bytes[bodyAt + 1];
            if (code !== 0) return fail(new Error(`The broker refused node ${serial} with code ${code}`));
            sayBirth(opened);
            done();
          }
        });
        opened.on("data", (chunk: Buffer) => {
          gathering = connection;
          read(chunk);
          gathering = undefined;
          sendGathered(opened);
        });
        const lose = (reason: string) => {
          if (isEnding) return;
          isEnding = true;
          fail(new Error(reason));
          onLost(`node ${serial}: ${reason}`);
        };
        opened.on("error", (error) => lose(error.message));
        opened.on("close", () => lose("the connection was closed"));
        opened.on("connect", () => {
          const { topic, payload, qos, retain } = session.connect(Date.now());
          const will = { topic, payload: Buffer.from(payload), qos, retain };
          const credentials = { clientId: edge, username: edge, password: Buffer.from(secret) };
          opened.write(
            generate({
              cmd: "connect",
              protocolId: "MQTT",
              protocolVersion: 4,
              clean: true,
              keepalive: keepAliveSeconds,
              will,
              ...credentials,
            }),
          );
        });
      }),

    publish(requestedAtMs, scheduledAt) {
      // Scalars of one node differ in their time: it is their key.
      lastAtMs = Math.max(Math.floor(requestedAtMs), lastAtMs + 1);
      messageId = messageId === 65_535 ? 1 : messageId + 1;
      const slot = messageId % ringSize;
      logIndexes[slot] = log.add(lastAtMs);
      schedules[slot] = scheduledAt;
      unacked += qos;
      varyValues();
      template.patch(session.nextSeq(), lastAtMs, lastAtMs, values);
      const length = header.length + 2 * qos + template.bytes.length;
      const isGathered = gathering === connection;
      if (isGathered && gatheredBytes + length > gathered.length) sendGathered(socket);
      const frame = isGathered ? gathered : Buffer.allocUnsafe(length);
      const at = isGathered ? gatheredBytes : 0;
      frame.set(header, at);
      if (qos === 1) frame.writeUInt16BE(messageId, at + header.length);
      frame.set(template.bytes, at + header.length + 2 * qos);
      if (isGathered) gatheredBytes += length;
      else socket?.write(frame);
    },

    renderLog: () => log.render(serial),
    end() {
      isEnding = true;
      socket?.destroy();
    },
  };
  return connection;
}

// Values that repeat would flatter whatever compresses them.
function varyValues(): void {
  for (let index = 0; index < values.length; index++) {
    if (sentMetrics[index]?.datatype === DataType.Float) values[index] = (meanValues[index] ?? 0) * (0.95 + Math.random() / 10);
  }
}

/** All of a PUBLISH before its message id, or its payload. */
function publishHeader(topic: string, payloadLength: number, qos: 0 | 1): Buffer {
  const name = Buffer.from(topic);
  const length: number[] = [];
  for (let left = 2 + name.length + 2 * qos + payloadLength; ; left = Math.floor(left / 0x80)) {
    length.push(left < 0x80 ? left : (left % 0x80) | 0x80);
    if (left < 0x80) break;
  }
  return Buffer.concat([Buffer.of(publishFrame | (qos << 1), ...length, name.length >> 8, name.length & 0xff), name]);
}
