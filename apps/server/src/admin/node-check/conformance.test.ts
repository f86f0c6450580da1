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

const bdSeqOf = (value: number): MetricInput => ({ name: metricNames.bdSeq, datatype: DataType.Int64, value, timestamp: start });
const rebirthOf = (change: Partial<MetricInput>): MetricInput => ({
  name: metricNames.rebirth,
  datatype: DataType.Boolean,
  value: false,
  timestamp: start,
  ...change,
});
/** A CONNECT whose last will holds these bytes; the node subscribes to nothing. */
const connectWith = (payload: Uint8Array) => (node: Node) =>
  node.note({
    kind: "connect",
    detail: JSON.stringify({ isCleanSession: true, keepAliveSeconds: 30, will: { topic: "", qos: 1 } } satisfies WatchedConnect),
    payload,
  });
const clockOff = (ms: number) =>
  born((node) => {
    for (let index = 0; index < 20; index++) node.send(node.edge.data([], node.now() + ms));
  });
const twoScalars = (secondsApart: number) =>
  born((node) => {
    node.data(scalar(node.now()));
    node.wait(secondsApart);
    node.data(scalar(node.now()));
  });
const deviceBirth = (node: Node) => node.send(node.edge.deviceBirth("10301", wholeBirth(), node.now()));

test.each<[severity: "wrong" | "note", sentence: string, story: (node: Node) => void]>([
  ["note", "NDEATH has a seq; it has none.", born((node) => node.raw("NDEATH", { seq: 0, metrics: [bdSeqOf(0)] }))],
  ["wrong", "NDEATH was sent with QoS 0; it has QoS 1.", born((node) => node.raw("NDEATH", { metrics: [bdSeqOf(0)] }))],
  ["wrong", "NDEATH has no bdSeq: it is ignored.", born((node) => node.raw("NDEATH", { metrics: [] }))],
  ["note", "NDEATH has bdSeq 7, the birth 0: it is ignored.", born((node) => node.raw("NDEATH", { metrics: [bdSeqOf(7)] }))],
  ["wrong", "bdSeq is 256; it counts from 0 to 255.", (node) => node.raw("NBIRTH", { seq: 0, metrics: [bdSeqOf(256)] })],
  [
    "wrong",
    "bdSeq did not move with a new connection: an old death ends the new session.",
    born((node) => {
      connectWith(node.edge.death(node.now()).payload)(node);
      node.birth();
    }),
  ],
  [
    "wrong",
    "DBIRTH 10301 came before NBIRTH.",
    born((node) => {
      node.connect();
      deviceBirth(node);
    }),
  ],
  ["note", "More came than a check keeps: what followed was not checked.", (node) => node.note({ kind: "dropped" })],
  ["note", "Sub node 10301 was not born: no DBIRTH came for it.", born(() => undefined)],
  ["wrong", "The node's clock is 2.1 s behind; 2 s are allowed.", clockOff(-2_100)],
  ["wrong", "NDATA has seq 256; it counts from 0 to 255.", born((node) => node.raw("NDATA", { seq: 256, metrics: [] }))],
  ["note", "The last will has a seq; NDEATH has none.", connectWith(encodePayload({ seq: 0, metrics: [bdSeqOf(0)] }))],
  ["wrong", "The last will is no Sparkplug payload.", connectWith(Buffer.from([255, 254, 1]))],
  ["wrong", "The last will has no bdSeq: it will be ignored.", connectWith(encodePayload({ metrics: [] }))],
  [
    "note",
    "The node does not subscribe to spBv1.0/STATE/pq-ingest: it cannot know when to keep its data.",
    connectWith(encodePayload({ metrics: [bdSeqOf(0)] })),
  ],
  ["wrong", "The broker refused the node: odd.", (node) => node.note({ kind: "refused", detail: "odd" })],
  [
    "note",
    "NBIRTH has Scalar/LF as UInt32, which libraries encode in two ways; Int64 is safe.",
    only("Scalar/LF", { datatype: DataType.UInt32 }),
  ],
  ["wrong", "NBIRTH has Scalar/LF without a datatype.", only("Scalar/LF", { datatype: DataType.Unknown })],
  ["note", "NBIRTH has seq 5; a birth begins with 0.", (node) => node.raw("NBIRTH", { seq: 5, metrics: [] })],
  [
    "wrong",
    "NBIRTH has Node Control/Rebirth that is not false.",
    (node) => node.raw("NBIRTH", { seq: 0, metrics: [rebirthOf({ value: true })] }),
  ],
  [
    "wrong",
    "NBIRTH gives Node Control/Rebirth an alias; it is always addressed by its name.",
    (node) => node.raw("NBIRTH", { seq: 0, metrics: [rebirthOf({ alias: 5 })] }),
  ],
  ["note", "NBIRTH has no Node Info/Protocol; it is 1.", only(metricNames.protocol, undefined)],
  [
    "note",
    `NBIRTH has no ${metricNames.configRefresh}: the node's configuration cannot be read.`,
    only(metricNames.configRefresh, undefined),
  ],
  ["note", `NBIRTH has no ${metricNames.fileAck}: the node sends no files.`, only(metricNames.fileAck, undefined)],
  ["wrong", "DBIRTH 10301 gives alias 1 to Scalar/LF, and it is taken.", born(deviceBirth)],
  [
    "wrong",
    "NDATA has a metric with neither name nor alias.",
    born((node) => node.data([{ datatype: DataType.Float, value: 1, timestamp: start }])),
  ],
  ["wrong", "NDATA has Scalar/LF from before 2010: it is refused.", born((node) => node.data(scalar(Date.UTC(2010, 0, 1) - 1)))],
  ["note", "Scalars come more often than every 10 s, and no one asked for it.", twoScalars(4.999)],
  ["wrong", "Scalars were skipped: one is due every 10 s.", twoScalars(15.001)],
  ["wrong", "A file of Files/Data lacks size, md5 or a seq in its metadata.", file({ md5: "f6" })],
  ["wrong", "A file of Files/Data is larger than its kind may be.", file({ size: 1e9 })],
  ["wrong", "A file of Files/Data has a part above 64 KiB, or an empty one.", file({}, "")],
  [
    "wrong",
    "The parts of a file of Files/Data do not fit together.",
    (node) => {
      file({ size: 2, isMultiPart: true })(node);
      file({ size: 2, isMultiPart: true }, "E")(node);
    },
  ],
])("A-63 there is a %s point: %s", (severity, sentence, story) => {
  const { wrong, notes } = watch(story, { subNodes: [10_301] });
  expect((severity === "wrong" ? wrong : notes).filter((one) => one === sentence)).toEqual([sentence]);
});

test.each<[what: string, story: (node: Node) => void]>([
  ["a clock that is two seconds off", clockOff(2_000)],
  ["scalars half as far apart as they should be", twoScalars(5)],
  ["scalars one and a half as far apart", twoScalars(15)],
  ["one that does not come for two intervals", born((node) => node.wait(20))],
  ["a scalar of two and a half minutes ago", born((node) => node.data(scalar(start - 150_000)))],
  ["a scalar of a minute ahead", born((node) => node.data(scalar(start + 60_000)))],
  [
    "many scalars that someone asked for",
    born((node) => {
      node.data([{ alias: metricAliases[metricNames.liveLeaseSeconds], datatype: DataType.Int32, value: 10, timestamp: start }]);
      node.data(scalar(start));
      node.wait(1);
      node.data(scalar(node.now()));
    }),
  ],
  [
    "200 messages in a second",
    born((node) => {
      for (let index = 0; index < 199; index++) node.data([]);
    }),
  ],
  [
    "a birth that has not come after 14.999 s",
    born((node) => {
      node.check.noteRebirthRequest(node.now());
      node.wait(14.999);
    }),
  ],
  [
    "subscriptions with wildcards",
    (node) => {
      connectWith(encodePayload({ metrics: [bdSeqOf(0)] }))(node);
      for (const topic of [`${edgeTopic("NCMD")}/#`, "spBv1.0/STATE/+"]) node.note({ kind: "subscribe", topic });
    },
  ],
])("A-63 nothing is wrong with %s", (_what, story) => {
  const { wrong, notes } = watch(story);
  expect({ wrong, notes }).toEqual({ wrong: [], notes: [] });
});
