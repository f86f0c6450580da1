import { SparkplugDecodeError } from "@busbar/sparkplug/decode-error.ts";
import { readBdSeq, type MetricTable } from "@busbar/sparkplug/metric-table.ts";
import type { Payload } from "@busbar/sparkplug/payload.ts";
import { groupOf, parseTopic, type EdgeTopic } from "@busbar/sparkplug/topic.ts";
import { createClockSkew, warnSkewMs } from "#features/telemetry/scalars/clock-skew.ts";
import { decodeNodePayload } from "#lib/decode-node-payload.ts";
import { createConnectionRules } from "./connection-rules.ts";
import { checkBirth } from "./birth-rules.ts";
import { createDataRules, type DataRules } from "./data-rules.ts";
import { createFindingList, type Finding } from "./finding-list.ts";
import type { WatchedEvent } from "#features/telemetry/node-watch/watched-event.ts";

export interface ConformanceOptions {
  serial: number;
  /** Relays have files and a configuration, no scalars. */
  hasScalars: boolean;
  scalarIntervalSeconds: number;
  subNodes: readonly number[];
}

export interface ConformanceCheck {
  take(event: WatchedEvent): void;
  /** The node has been asked for its birth. */
  noteRebirthRequest(atMs: number): void;
  readonly births: number;
  readonly messages: number;
  /** Whether the last birth has this metric. */
  hasMetric(name: string): boolean;
  /** What was found, when the watch is over. */
  finish(nowMs: number, watchedFromMs: number): { findings: Finding[]; scalars: number; sawConnect: boolean };
}

export const answerMs = 15_000;
const mostPerSecond = 200;

/** Compares what a node sends with docs/node-protocol.md. It asks nothing and stores nothing. */
export function createConformanceCheck(options: ConformanceOptions): ConformanceCheck {
  const { serial, hasScalars, scalarIntervalSeconds, subNodes } = options;
  const findings = createFindingList();
  const connection = createConnectionRules(serial, findings);
  const skew = createClockSkew();
  const tables = new Map<string | undefined, MetricTable>();
  const rules = new Map<string | undefined, DataRules>();
  const recent: number[] = [];
  let births = 0;
  let messages = 0;
  let bdSeq: number | undefined;
  let isNewConnection = false;
  let lastSeq: number | undefined;
  let askedAtMs: number | undefined;
  let clockOffMs: number | undefined;

  const rulesOf = (device: string | undefined): DataRules => {
    let known = rules.get(device);
    if (!known) {
      const what = device === undefined ? "NDATA" : `DDATA ${device}`;
      known = createDataRules({ findings, serial: device === undefined ? serial : Number(device), what, scalarIntervalSeconds });
      rules.set(device, known);
    }
    return known;
  };

  const checkRate = (atMs: number) => {
    recent.push(atMs);
    while ((recent[0] ?? atMs) < atMs - 1_000) recent.shift();
    if (recent.length > mostPerSecond)
      findings.wrong("Limits", `Messages came faster than ${mostPerSecond} a second: the node is slowed down.`, atMs);
  };

  const checkSeq = (kind: string, { seq }: Payload, atMs: number) => {
    if (kind === "NDEATH") {
      if (seq !== undefined) findings.note("Birth", "NDEATH has a seq; it has none.", atMs);
      return;
    }
    if (seq === undefined || seq > 255) {
      findings.wrong("Data", `${kind} has ${seq === undefined ? "no seq" : `seq ${seq}`}; it counts from 0 to 255.`, atMs);
      return;
    }
    const expected = kind === "NBIRTH" || lastSeq === undefined ? seq : (lastSeq + 1) & 255;
    if (seq !== expected)
      findings.wrong("Data", `seq jumped (${expected} was due, ${seq} came): messages are missing, doubled or out of order.`, atMs);
    lastSeq = seq;
  };

  const checkBdSeq = (payload: Payload, atMs: number) => {
    const born = readBdSeq(payload.metrics);
    const before = bdSeq;
    bdSeq = born;
    if (born === undefined) return;
    if (born < 0 || born > 255) findings.wrong("Birth", `bdSeq is ${born}; it counts from 0 to 255.`, atMs);
    if (connection.willBdSeq !== undefined && connection.willBdSeq !== born) {
      findings.wrong("Birth", `NBIRTH has bdSeq ${born}, the last will ${connection.willBdSeq}: the death will be ignored.`, atMs);
    }
    if (isNewConnection && before === born)
      findings.wrong("Birth", "bdSeq did not move with a new connection: an old death ends the new session.", atMs);
    if (!isNewConnection && before !== undefined && before !== born)
      findings.wrong("Birth", "bdSeq moved in a rebirth; it belongs to the connection.", atMs);
    isNewConnection = false;
  };

  const takeBirth = ({ kind, device }: EdgeTopic, payload: Payload, atMs: number) => {
    if (device === undefined) {
      births++;
      askedAtMs = undefined;
      checkBdSeq(payload, atMs);
      tables.clear();
    } else if (!tables.has(undefined) && births > 0) findings.wrong("Birth", `${kind} ${device} came before NBIRTH.`, atMs);
    const others = [...tables].filter(([owner]) => owner !== device);
    const takenAliases = new Set(others.flatMap(([, table]) => [...table.byAlias.keys()]));
    const what = device === undefined ? kind : `${kind} ${device}`;
    const table = checkBirth(payload, { findings, what, atMs, isDevice: device !== undefined, hasScalars, takenAliases });
    tables.set(device, table);
  };

  const takeDeath = (payload: Payload, atMs: number) => {
    const died = readBdSeq(payload.metrics);
    if (died === undefined) findings.wrong("Birth", "NDEATH has no bdSeq: it is ignored.", atMs);
    else if (bdSeq !== undefined && died !== bdSeq)
      findings.note("Birth", `NDEATH has bdSeq ${died}, the birth ${bdSeq}: it is ignored.`, atMs);
  };

  const takeMessage = ({ topic, payload: bytes, atMs, qos }: WatchedEvent) => {
    const parsed = parseTopic(topic);
    if (parsed === undefined || parsed.kind === "STATE" || parsed.kind === "NCMD" || parsed.kind === "DCMD") return;
    messages++;
    checkRate(atMs);
    if (parsed.group !== groupOf(serial)) {
      findings.wrong("Topics", `${parsed.kind} came in group ${parsed.group}; this node's is ${groupOf(serial)}.`, atMs);
      return;
    }
    if (parsed.device !== undefined && !subNodes.includes(Number(parsed.device))) {
      findings.wrong("Topics", `${parsed.kind} came for device ${parsed.device}, which is no sub node of this node.`, atMs);
      return;
    }
    let payload: Payload;
    try {
      payload = decodeNodePayload(bytes ?? new Uint8Array());
    } catch (error) {
      if (!(error instanceof SparkplugDecodeError)) throw error;
      findings.wrong("Data", `${parsed.kind} could not be read. ${error.message}.`, atMs);
      return;
    }
    checkSeq(parsed.kind, payload, atMs);
    if (parsed.kind === "NDEATH") {
      if (qos !== 1) findings.wrong("Connection", "NDEATH was sent with QoS 0; it has QoS 1.", atMs);
      return takeDeath(payload, atMs);
    }
    if (payload.timestamp !== undefined) {
      skew.add(payload.timestamp - atMs);
      clockOffMs = skew.medianMs;
    }
    if (parsed.kind === "NBIRTH" || parsed.kind === "DBIRTH") takeBirth(parsed, payload, atMs);
    else if (parsed.kind !== "DDEATH") rulesOf(parsed.device).take(payload, atMs, tables.get(parsed.device));
  };

  return {
    take(event) {
      if (event.kind === "message") takeMessage(event);
      else if (event.kind === "dropped")
        findings.note("Limits", "More came than a check keeps: what followed was not checked.", event.atMs);
      else {
        if (event.kind === "connect") {
          isNewConnection = true;
          lastSeq = undefined;
          // What an earlier connection was born with says nothing of this one.
          tables.clear();
        }
        connection.take(event);
      }
    },
    noteRebirthRequest(atMs) {
      askedAtMs = atMs;
    },
    get births() {
      return births;
    },
    get messages() {
      return messages;
    },
    hasMetric: (name) => tables.get(undefined)?.byName.has(name) === true,
    finish(nowMs, watchedFromMs) {
      connection.finish(nowMs);
      if (askedAtMs !== undefined && nowMs - askedAtMs >= answerMs) {
        findings.wrong("Commands", "The node was asked for its birth (Node Control/Rebirth) and did not send it within 15 s.", askedAtMs);
      }
      if (messages > 0 && births === 0) findings.wrong("Birth", "No NBIRTH came: what the node sends cannot be read.", nowMs);
      if (hasScalars && births > 0) rulesOf(undefined).finish(nowMs, watchedFromMs);
      for (const device of subNodes.map(String)) {
        if (births > 0 && !tables.has(device)) findings.note("Birth", `Sub node ${device} was not born: no DBIRTH came for it.`, nowMs);
      }
      if (clockOffMs !== undefined && Math.abs(clockOffMs) > warnSkewMs) {
        const direction = clockOffMs > 0 ? "ahead" : "behind";
        findings.wrong("Time", `The node's clock is ${(Math.abs(clockOffMs) / 1000).toFixed(1)} s ${direction}; 2 s are allowed.`, nowMs);
      }
      const scalars = [...rules.values()].reduce((sum, one) => sum + one.scalars, 0);
      return { findings: findings.all(), scalars, sawConnect: connection.wasSeen };
    },
  };
}
