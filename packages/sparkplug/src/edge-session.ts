import { DataType } from "./datatypes.ts";
import { encodePayload } from "./encode.ts";
import type { MetricInput } from "./payload.ts";
import { deviceTopic, nodeTopic } from "./topic.ts";
import { wellKnownMetrics } from "./well-known.ts";

export interface EdgeMessage {
  topic: string;
  payload: Uint8Array;
  /** Sparkplug: 1 for NDEATH, else 0; nothing of a node is ever retained. */
  qos: 0 | 1;
  retain: false;
}

export interface EdgeSessionOptions {
  group: string;
  edge: string;
  /** bdSeq of the last connection, kept in flash; undefined for a node that never connected. */
  lastBdSeq?: number;
}

export interface EdgeSession {
  /** Begins a connection: the next bdSeq, and the last will that belongs into CONNECT. */
  connect(now: number): EdgeMessage;
  /** NBIRTH, also for a rebirth: same bdSeq, seq begins at 0. Adds bdSeq and the rebirth metric. */
  birth(metrics: readonly MetricInput[], now: number): EdgeMessage;
  data(metrics: readonly MetricInput[], now: number): EdgeMessage;
  /** The death that a node sends itself before it disconnects. */
  death(now: number): EdgeMessage;
  deviceBirth(device: string, metrics: readonly MetricInput[], now: number): EdgeMessage;
  deviceData(device: string, metrics: readonly MetricInput[], now: number): EdgeMessage;
  deviceDeath(device: string, now: number): EdgeMessage;
  /** Takes the next seq, for a payload that is encoded elsewhere. */
  nextSeq(): number;
  /** To be kept in flash. */
  readonly bdSeq: number;
}

/** The node's side of Sparkplug 3.0, chapter 6.4: counters and topics; it sends nothing. `now` is epoch milliseconds. */
export function createEdgeSession({ group, edge, lastBdSeq = 255 }: EdgeSessionOptions): EdgeSession {
  let bdSeq = lastBdSeq;
  let seq = 0;

  const nextSeq = () => {
    const taken = seq;
    seq = (seq + 1) & 255;
    return taken;
  };
  const bdSeqMetric = (now: number): MetricInput => ({
    name: wellKnownMetrics.bdSeq,
    datatype: DataType.Int64,
    value: bdSeq,
    timestamp: now,
  });
  const message = (topic: string, payload: Uint8Array, qos: 0 | 1 = 0): EdgeMessage => ({ topic, payload, qos, retain: false });
  const death = (now: number) =>
    message(nodeTopic("NDEATH", group, edge), encodePayload({ timestamp: now, metrics: [bdSeqMetric(now)] }), 1);

  return {
    connect(now) {
      bdSeq = (bdSeq + 1) & 255;
      return death(now);
    },
    birth(metrics, now) {
      seq = 0;
      const rebirth = { name: wellKnownMetrics.rebirth, datatype: DataType.Boolean, value: false, timestamp: now };
      const payload = { timestamp: now, seq: nextSeq(), metrics: [bdSeqMetric(now), rebirth, ...metrics] };
      return message(nodeTopic("NBIRTH", group, edge), encodePayload(payload));
    },
    data: (metrics, now) =>
      message(nodeTopic("NDATA", group, edge), encodePayload({ timestamp: now, seq: nextSeq(), metrics }, { omitDatatypes: true })),
    death,
    deviceBirth: (device, metrics, now) =>
      message(deviceTopic("DBIRTH", group, edge, device), encodePayload({ timestamp: now, seq: nextSeq(), metrics })),
    deviceData: (device, metrics, now) =>
      message(
        deviceTopic("DDATA", group, edge, device),
        encodePayload({ timestamp: now, seq: nextSeq(), metrics }, { omitDatatypes: true }),
      ),
    deviceDeath: (device, now) =>
      message(deviceTopic("DDEATH", group, edge, device), encodePayload({ timestamp: now, seq: nextSeq(), metrics: [] })),
    nextSeq,
    get bdSeq() {
      return bdSeq;
    },
  };
}
