import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { metricAliases, metricNames, metricTypes } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { compressedUuid } from "@busbar/sparkplug/compressed.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { createEdgeSession, type EdgeMessage } from "@busbar/sparkplug/edge-session.ts";
import { encodePayload } from "@busbar/sparkplug/encode.ts";
import type { MetricInput, PayloadInput } from "@busbar/sparkplug/payload.ts";
import { createConformanceCheck } from "./conformance.ts";
import { scalarNames } from "./scalar-names.ts";
import type { WatchedConnect, WatchedEvent } from "#features/telemetry/node-watch/watched-event.ts";

const serial = 10_234;
const start = Date.UTC(2026, 0, 6, 14, 30);
const edgeTopic = (kind: string, device = "") => `spBv1.0/n58/${kind}/10234${device && `/${device}`}`;

/** Every metric of the guide, with its alias and type. */
function wholeBirth(change: (metric: MetricInput) => MetricInput | undefined = (metric) => metric): MetricInput[] {
  return Object.entries(metricTypes).flatMap(([name, type]) => {
    if (name === metricNames.bdSeq || name === metricNames.rebirth) return [];
    const alias = metricAliases[name as keyof typeof metricAliases];
    const value = name === metricNames.protocol ? 1 : null;
    return change({ name, ...(alias === undefined ? {} : { alias }), datatype: DataType[type], value, timestamp: start }) ?? [];
  });
}
const scalar = (atMs: number, change: Partial<MetricInput> = {}): MetricInput[] =>
  scalarNames.map((name) => ({
    alias: metricAliases[name as keyof typeof metricAliases],
    datatype: DataType[metricTypes[name as keyof typeof metricTypes]],
    value: 1,
    timestamp: atMs,
    ...change,
  }));

/** What one story of a node looks like to who checks it. */
function watch(story: (node: Node) => void, { subNodes = [] as number[] } = {}) {
  const check = createConformanceCheck({ serial, hasScalars: true, scalarIntervalSeconds: 10, subNodes });
  const edge = createEdgeSession({ group: "n58", edge: "10234" });
  let atMs = start;
  let hasConnected = false;
  const note = (event: Partial<WatchedEvent>) => {
    hasConnected ||= event.kind === "connect";
    check.take({ atMs, kind: "message", topic: "", qos: 0, detail: "", payload: null, ...event });
  };
  const node: Node = {
    edge,
    check,
    now: () => atMs,
    wait: (seconds) => void (atMs += 1000 * seconds),
    note,
    send: ({ topic, payload, qos }) => note({ topic, payload, qos }),
    raw: (kind, payload) => note({ topic: edgeTopic(kind), payload: encodePayload({ timestamp: atMs, ...payload }) }),
    connect(change = {}) {
      const will = edge.connect(atMs);
      const connect: WatchedConnect = { isCleanSession: true, keepAliveSeconds: 30, will: { topic: will.topic, qos: 1 }, ...change };
      note({ kind: "connect", detail: JSON.stringify(connect), payload: will.payload });
      for (const topic of [edgeTopic("NCMD"), "spBv1.0/STATE/pq-ingest"]) note({ kind: "subscribe", topic });
    },
    birth: (metrics = wholeBirth()) => node.send(edge.birth(metrics, atMs)),
    data: (metrics) => node.send(edge.data(metrics, atMs)),
    scalars(count) {
      for (let index = 0; index < count; index++) {
        node.data(scalar(atMs));
        node.wait(10);
      }
    },
  };
  story(node);
  const { findings, ...rest } = check.finish(atMs, start);
  const of = (severity: string) => findings.filter((one) => one.severity === severity).map(({ sentence }) => sentence);
  expect(rest.sawConnect).toBe(hasConnected);
  return { wrong: of("wrong"), notes: of("note"), ...rest };
}
interface Node {
  edge: ReturnType<typeof createEdgeSession>;
  check: ReturnType<typeof createConformanceCheck>;
  now(): number;
  wait(seconds: number): void;
  note(event: Partial<WatchedEvent>): void;
  send(message: EdgeMessage): void;
  raw(kind: string, payload: PayloadInput): void;
  connect(change?: Partial<WatchedConnect>): void;
  birth(metrics?: MetricInput[]): void;
  data(metrics: MetricInput[]): void;
  scalars(count: number): void;
}

const born = (then: (node: Node) => void) => (node: Node) => {
  node.connect();
  node.birth();
  then(node);
};
const birthWith = (change: (metric: MetricInput) => MetricInput | undefined) => (node: Node) => {
  node.connect();
  node.birth(wholeBirth(change));
};
const only = (name: string, change: Partial<MetricInput> | undefined) =>
  birthWith((metric) => (metric.name !== name ? metric : change && { ...metric, ...change }));
const file = (metadata: object, bytes = "D") =>
  born((node) =>
    node.data([
      {
        alias: 160,
        datatype: DataType.File,
        value: Buffer.from(bytes),
        timestamp: node.now(),
        metadata: { size: 1, md5: "f623e75af30e62bbd73d6df5b50bb7b5", fileName: "10234_20260106T143000Z_D0900.txt", ...metadata },
      },
    ]),
  );

describe("a node that keeps to the guide", () => {
  test("nothing is found, through a reconnect, history, a rebirth, compression and a sub node", () => {
    const { wrong, notes, scalars, sawConnect } = watch(
      (node) => {
        node.connect();
        node.birth();
        node.send(
          node.edge.deviceBirth(
            "10301",
            wholeBirth((metric) => ({ ...metric, alias: (metric.alias ?? 0) + 1_000 })),
            node.now(),
          ),
        );
        node.scalars(4);
        node.send(node.edge.death(node.now()));
        node.connect();
        node.birth();
        node.send(
          node.edge.deviceBirth(
            "10301",
            wholeBirth((metric) => ({ ...metric, alias: (metric.alias ?? 0) + 1_000 })),
            node.now(),
          ),
        );
        node.data(scalar(start - 3_600_000, { isHistorical: true }));
        node.check.noteRebirthRequest(node.now());
        node.birth();
        node.send(
          node.edge.deviceBirth(
            "10301",
            wholeBirth((metric) => ({ ...metric, alias: (metric.alias ?? 0) + 1_000 })),
            node.now(),
          ),
        );
        const { topic, payload } = node.edge.data(scalar(node.now()), node.now());
        node.note({ topic, payload: encodePayload({ uuid: compressedUuid, body: deflateSync(payload), metrics: [] }) });
        node.wait(10);
        node.scalars(2);
      },
      { subNodes: [10_301] },
    );
    expect({ wrong, notes, scalars, sawConnect }).toEqual({ wrong: [], notes: [], scalars: 7, sawConnect: true });
  });
});

describe("each fault is named", () => {
  const faults: [sentence: string, story: (node: Node) => void][] = [
    ["no last will", (node) => node.connect({ will: null })],
    ["The last will has QoS 0", (node) => node.connect({ will: { topic: "", qos: 0 } })],
    ["the password is not the node's secret", (node) => node.note({ kind: "refused", detail: "credentials" })],
    ["It was about spBv1.0/n58/NCMD/10234.", (node) => node.note({ kind: "refused", detail: "publish topic", topic: edgeTopic("NCMD") })],
    [
      "no command reaches it",
      (node) => node.note({ kind: "connect", detail: JSON.stringify({ isCleanSession: true, keepAliveSeconds: 1, will: null }) }),
    ],
    ["came in group n01; this node's is n58", (node) => node.note({ topic: "spBv1.0/n01/NDATA/10234", payload: Buffer.from("") })],
    ["no sub node of this node", (node) => node.note({ topic: edgeTopic("DDATA", "10999"), payload: Buffer.from("") })],
    [
      "could not be read. Not a Sparkplug payload: a field has the wrong",
      (node) => node.note({ topic: edgeTopic("NDATA"), payload: Buffer.from([255, 254, 1]) }),
    ],
    ["No NBIRTH came", (node) => node.data(scalar(start))],
    ["NBIRTH has no bdSeq", (node) => node.raw("NBIRTH", { seq: 0, metrics: [] })],
    ["NBIRTH has no Node Control/Rebirth", (node) => node.raw("NBIRTH", { seq: 0, metrics: [] })],
    ["NBIRTH has no seq", (node) => node.raw("NBIRTH", { metrics: [] })],
    ["NBIRTH has a metric without a name (alias 1)", only("Scalar/LF", { name: "" })],
    ["NBIRTH has Scalar/I1 twice", only("Scalar/LF", { name: "Scalar/I1" })],
    ["which differ only in their case", only("Scalar/LF", { name: "scalar/i1" })],
    ["NBIRTH gives alias 2 to Scalar/I1, and it is taken", only("Scalar/LF", { alias: 2 })],
    [
      "NBIRTH has Scalar/LF without a timestamp",
      birthWith(({ timestamp, ...metric }) => (metric.name === "Scalar/LF" ? metric : { ...metric, timestamp: timestamp ?? 0 })),
    ],
    ["NBIRTH has Scalar/LF as String; it is Float", only("Scalar/LF", { datatype: DataType.String })],
    ["NBIRTH lacks Scalar/LF", only("Scalar/LF", undefined)],
    ["this guide is of version 1", only("Node Info/Protocol", { value: 2 })],
    [
      "NBIRTH has bdSeq 0, the last will 1",
      (node) => {
        node.connect();
        const { topic, payload } = node.edge.birth(wholeBirth(), node.now());
        node.connect();
        node.note({ topic, payload });
      },
    ],
    [
      "bdSeq moved in a rebirth",
      born((node) => {
        node.edge.connect(node.now());
        node.birth();
      }),
    ],
    [
      "within 15 s",
      born((node) => {
        node.check.noteRebirthRequest(node.now());
        node.wait(15);
      }),
    ],
    [
      "seq jumped (1 was due, 2 came)",
      born((node) => {
        node.edge.nextSeq();
        node.scalars(1);
      }),
    ],
    [
      "NDATA has alias 99, which the birth does not have",
      born((node) => node.data([{ alias: 99, datatype: DataType.Float, value: 1, timestamp: start }])),
    ],
    [
      "NDATA has Config/x, which the birth does not have",
      born((node) => node.data([{ name: "Config/x", datatype: DataType.Float, value: 1, timestamp: start }])),
    ],
    ["NDATA has Scalar/LF without a timestamp", born((node) => node.data([{ alias: 1, datatype: DataType.Float, value: 1 }]))],
    [
      "NDATA has no timestamp of its own",
      born((node) => node.note({ topic: edgeTopic("NDATA"), payload: encodePayload({ seq: 1, metrics: [] }) })),
    ],
    ["NDATA has Scalar/LF from the future", born((node) => node.data(scalar(start + 61_000)))],
    [
      "a value of Scalar/LF that is not of its type",
      born((node) => node.data([{ alias: 1, datatype: DataType.String, value: "1", timestamp: start }])),
    ],
    [
      "Scalar/LF that is no number",
      born((node) => node.data([{ alias: 1, datatype: DataType.Float, value: Number.NaN, timestamp: start }])),
    ],
    ["A scalar lacks Scalar/I1", born((node) => node.data(scalar(start).filter(({ alias }) => alias !== 2)))],
    ["not marked is_historical", born((node) => node.data(scalar(start - 3_600_000)))],
    ["Scalars go back in time", born((node) => [0, 10_000].forEach((ago) => node.data(scalar(start - ago))))],
    [
      "Scalars were skipped: one is due every 10 s",
      born((node) => {
        node.scalars(1);
        node.wait(20);
        node.scalars(1);
      }),
    ],
    ["No scalar came in 30 s", born((node) => node.wait(30))],
    ["Event/Last is no JSON", born((node) => node.data([{ alias: 180, datatype: DataType.String, value: "trip", timestamp: start }]))],
    ["Files/Data is another node's", file({ fileName: "10235_20260106T143000Z_D0900.txt" })],
    ["Files/Data has no name of its kind", file({ fileName: "10234_20260106T143000Z_S0900.txt" })],
    ["do not have the md5 that it declares", file({}, "E")],
    [
      "The node's clock is 60.0 s ahead",
      born((node) => {
        for (let index = 0; index < 20; index++) node.send(node.edge.data([], node.now() + 60_000));
      }),
    ],
    [
      "Messages came faster than 200 a second",
      born((node) => {
        for (let index = 0; index < 201; index++) node.data([]);
      }),
    ],
  ];
  test.each(faults)("%s", (sentence, story) => {
    expect(watch(story).wrong.filter((one) => one.includes(sentence))).toHaveLength(1);
  });

  test("what works and could be better is a note", () => {
    const { notes } = watch((node) => {
      node.connect({ isCleanSession: false });
      node.birth([
        ...wholeBirth((metric) => (metric.name === "Time/Offset ms" ? { ...metric, datatype: DataType.Float } : metric)),
        { name: "Pump/Oil", datatype: DataType.Float, value: 1, timestamp: start },
      ]);
      node.note({
        topic: edgeTopic("NDATA"),
        payload: encodePayload({
          seq: 1,
          timestamp: start,
          metrics: [{ name: "Time/Locked", datatype: DataType.Boolean, value: true, timestamp: start }],
        }),
      });
    });
    expect(notes).toEqual([
      "CONNECT asks for a session that lasts; Sparkplug begins a clean one.",
      "NBIRTH has Time/Offset ms as Float; it is Double.",
      "NBIRTH has metrics that the platform does not know and only keeps: Pump/Oil.",
      "NDATA has Time/Locked by its name; the birth gave it an alias.",
      "NDATA repeats the datatype of Time/Locked; the birth has it.",
    ]);
  });
});
