import { deflateSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compressedUuid } from "@busbar/sparkplug/compressed.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { encodePayload } from "@busbar/sparkplug/encode.ts";
import { inTransaction } from "#db/transaction.ts";
import { birthMetrics, createTestIngest, scalarMetrics, startTestNode, type TestIngest, type TestNode } from "#testing/test-ingest.ts";
import { createQuarantineStore } from "./quarantine.store.ts";

let ingest: TestIngest;
let good: TestNode;
let nextSerial = 30_001;
beforeAll(async () => {
  ingest = await createTestIngest();
  await ingest.addNode(30_000);
  good = await startTestNode(ingest, 30_000);
  await good.birth();
});
afterAll(() => ingest.stop());

const now = Date.now();
const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const float = (changes: object) => ({ alias: 1, datatype: DataType.Float, value: 60, timestamp: now, ...changes });
const nested = () => {
  let bytes = Buffer.alloc(0);
  for (let depth = 0; depth < 1_000; depth++) {
    const inner = Buffer.concat([hex("9201"), lengthOf(bytes), bytes]);
    bytes = Buffer.concat([hex("12"), lengthOf(inner), inner]);
  }
  return bytes;
};
function lengthOf(bytes: Buffer): Buffer {
  const out: number[] = [];
  let rest = bytes.length;
  for (; rest >= 0x80; rest >>= 7) out.push((rest & 0x7f) | 0x80);
  return Buffer.from([...out, rest]);
}

const compressed = (body: Uint8Array, algorithm?: string) =>
  encodePayload({
    uuid: compressedUuid,
    body,
    metrics: algorithm === undefined ? [] : [{ name: "algorithm", datatype: DataType.String, value: algorithm }],
  });

type Sent = (node: TestNode, serial: number) => { payload: Uint8Array; kind?: string; device?: string };
const data = (metrics: object[], seq?: number) => (node: TestNode) => ({
  payload: encodePayload({ timestamp: now, seq: seq ?? node.edge.nextSeq(), metrics }, { omitDatatypes: true }),
});
const birth = (metrics: object[]) => (node: TestNode) => ({ kind: "NBIRTH", payload: node.edge.birth(metrics, now).payload });
const bytes = (payload: Uint8Array) => () => ({ payload });

/** Each node of this test has a sub node. */
const subNodeOf = (serial: number) => serial + 5_000;
const deviceData =
  (deviceOf: (serial: number) => number): Sent =>
  (node, serial) => {
    const device = String(deviceOf(serial));
    return { kind: "DDATA", device, payload: node.edge.deviceData(device, [float({})], now).payload };
  };
const cases: [string, string | undefined, Sent][] = [
  ["a truncated varint", "decode truncated", bytes(hex("08 80"))],
  ["a varint of 11 bytes", "decode varint-too-long", bytes(hex("08 80 80 80 80 80 80 80 80 80 80 01"))],
  ["a length beyond the buffer", "decode length-beyond-buffer", bytes(hex("12 ff ff ff 7f 00"))],
  ["templates nested 1,000 deep", "decode too-deep", bytes(nested())],
  ["100,000 metrics", "decode too-many-metrics", bytes(Buffer.alloc(200_000, hex("12 00")))],
  ["a text of 200 kB", "decode string-too-long", bytes(encodePayload({ metrics: [{ name: "n".repeat(200_000) }] }))],
  ["random bytes", "decode wrong-wire-type", bytes(hex("ff fe fd fc fb fa 01"))],
  ["a bomb of 64 MB in 64 kB", "decode compression-too-large", bytes(compressed(deflateSync(Buffer.alloc(64 * 1024 * 1024))))],
  ["a body that is no gzip", "decode compression-broken", bytes(compressed(Buffer.from("no gzip"), "GZIP"))],
  ["an unknown compression", "decode compression-algorithm", bytes(compressed(deflateSync(""), "LZ4"))],
  ["a compression in a compression", "decode compressed-twice", bytes(compressed(deflateSync(compressed(deflateSync("")))))],
  ["a lone surrogate", "decode invalid-utf8", bytes(hex("12 05 0a 03 ed a0 80"))],
  ["an alias that was never born", "alias-never-born", data([float({ alias: 999 })])],
  ["a duplicate alias", "duplicate-alias", birth([float({ name: "a" }), float({ name: "b" })])],
  ["a datatype 99", "unsupported-datatype", birth([{ name: "x", alias: 5, datatype: 99, isNull: true }])],
  ["a birth without datatypes", "metric-without-datatype", birth([{ name: "x", alias: 5, isNull: true }])],
  ["an empty name", "metric-without-name", data([{ name: "", datatype: DataType.Float, value: 1 }])],
  ["NaN", "not-finite", data([float({ value: Number.NaN })])],
  ["infinity", "not-finite", data([float({ value: -Infinity })])],
  ["text for a Float", "value-outside-type", data([float({ datatype: DataType.String, value: "60" })])],
  ["a flag beyond 16 bits", "out-of-range", data([float({ alias: 9, datatype: DataType.Int32, value: 100_000 })])],
  ["a seq above 255", "bad-seq", data([float({})], 256)],
  ["a time in the year 9999", "timestamp-in-future", data([float({ timestamp: Date.UTC(9999, 0) })])],
  ["a negative time", "timestamp-in-future", data([float({ timestamp: -1 })])],
  ["a device without a birth", "device-without-birth", deviceData(subNodeOf)],
  ["a device that is not the node's own", "foreign-device", deviceData(() => 39_999)],
  ["a death without bdSeq", "death-without-bdseq", () => ({ kind: "NDEATH", payload: encodePayload({ timestamp: now, metrics: [] }) })],
  [
    "a birth without bdSeq",
    "birth-without-bdseq",
    () => ({ kind: "NBIRTH", payload: encodePayload({ timestamp: now, seq: 0, metrics: [] }) }),
  ],
  [
    "names of Object.prototype",
    undefined,
    birth([
      float({ name: "__proto__", alias: 500 }),
      float({ name: "constructor", alias: 501 }),
      float({ name: "hasOwnProperty", alias: 502 }),
    ]),
  ],
  ["NUL, direction and control characters", undefined, birth([float({ name: "a\u0000\u202E\u001B[2J", alias: 500 })])],
  ["an integer beyond 2^53", undefined, birth([{ name: "x", alias: 500, datatype: DataType.UInt64, value: 2n ** 63n, timestamp: now }])],
  ["null values", undefined, data([float({ isNull: true })])],
];

test.each(cases)("R14 %s: quarantined with its reason, acknowledged, and no one else is touched", async (_what, reason, make) => {
  const serial = nextSerial++;
  await ingest.addNode(serial);
  await ingest.addNode(subNodeOf(serial), undefined, { type: "subNode", parent_serial_number: serial });
  const node = await startTestNode(ingest, serial);
  await node.birth();
  const { payload, kind = "NDATA", device } = make(node, serial);
  const topic = `spBv1.0/n${String(serial % 64).padStart(2, "0")}/${kind}/${serial}${device === undefined ? "" : `/${device}`}`;
  await node.send({ topic, payload, qos: 1, retain: false });
  const found = await ingest.rows<{ reason: string }>("select reason from quarantine where serial_number = $1", [serial]);
  // One message may have several faults; a harmless one has none.
  expect(found.map((row) => row.reason).filter((one) => one === reason || reason === undefined)).toEqual(
    reason === undefined ? [] : [reason],
  );

  // The sender goes on after a birth, and another node never noticed.
  await node.birth(birthMetrics());
  await node.data(scalarMetrics(now - serial, 60));
  await good.data(scalarMetrics(now - serial, 60));
  expect(await ingest.rows("select serial_number from scalar where ts = $1 order by 1", [new Date(now - serial)])).toEqual([
    { serial_number: 30_000 },
    { serial_number: serial },
  ]);
});

test("one row per sender and reason, with a count and a sample of at most 4 KiB", async () => {
  const serial = nextSerial++;
  await ingest.addNode(serial);
  const node = await startTestNode(ingest, serial);
  const topic = `spBv1.0/n${String(serial % 64).padStart(2, "0")}/NDATA/${serial}`;
  for (let count = 0; count < 5; count++) await node.send({ topic, payload: Buffer.alloc(10_000), qos: 1, retain: false });
  expect(await ingest.rows("select count::int, length(sample), topic from quarantine where serial_number = $1", [serial])).toEqual([
    { count: 5, length: 4_096, topic },
  ]);
});

test("A-63 a row counts all, from the first to the newest, and shows the newest; each sender and reason has its own", async () => {
  const store = createQuarantineStore();
  const atMs = Date.UTC(2026, 4, 5);
  const message = (serial: number, reason: string, second: number) => ({
    serial,
    reason,
    topic: `topic ${second}`,
    bytes: Uint8Array.of(second),
    receivedAtMs: atMs + second * 1000,
  });
  const write = (messages: ReturnType<typeof message>[]) => inTransaction(ingest.database.pool, (client) => store.write(client, messages));
  const rows = async () =>
    (
      await ingest.rows<object>(
        `select serial_number, reason, count::int4, extract(second from first_at)::int4 as first, extract(second from last_at)::int4 as last, topic,
           get_byte(sample, 0) as sample from quarantine where reason like 'case %' order by 1, 2`,
      )
    ).map((row) => Object.values(row));
  await write([
    message(2, "case b", 5),
    message(1, "case a", 4),
    message(1, "case a", 7),
    message(1, "case a", 6),
    message(1, "case b", 3),
  ]);
  const others = [
    [1, "case b", 1, 3, 3, "topic 3", 3],
    [2, "case b", 1, 5, 5, "topic 5", 5],
  ];
  expect(await rows()).toEqual([[1, "case a", 3, 4, 7, "topic 4", 4], ...others]);
  await write([message(1, "case a", 9), message(1, "case a", 8)]);
  expect(await rows()).toEqual([[1, "case a", 5, 4, 9, "topic 9", 9], ...others]);
  // What came before is written afterwards: two batches may meet.
  await write([message(1, "case a", 2)]);
  expect(await rows()).toEqual([[1, "case a", 6, 4, 9, "topic 2", 2], ...others]);
});

test("what the database refuses is quarantined alone, however large the batch", async () => {
  const serial = nextSerial++;
  await ingest.addNode(serial);
  const node = await startTestNode(ingest, serial);
  await node.birth();
  await ingest.rows("delete from node where serial_number = $1", [serial]);
  // Once a minute the broker ends connections without a credential, perhaps before it acknowledges this birth.
  void node.birth().catch(() => undefined);
  await Promise.all(Array.from({ length: 20 }, (_, index) => good.data(scalarMetrics(now - 500_000 - index, 1))));
  await expect
    .poll(() => ingest.rows("select reason from quarantine where serial_number = $1", [serial]))
    .toEqual([{ reason: "refused-by-database" }]);
  expect(await ingest.rows("select count(*)::int from scalar where ts <= $1", [new Date(now - 500_000)])).toEqual([{ count: 20 }]);
});

test("R14 hundreds of damaged payloads are acknowledged, and no one else is touched", async () => {
  const serial = nextSerial++;
  await ingest.addNode(serial);
  const node = await startTestNode(ingest, serial);
  await node.birth();
  const sound = Buffer.from(node.edge.data(scalarMetrics(now - 900_000, 1), now).payload);
  const damages = fc.sample(fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }), {
    numRuns: 400,
    seed: 14,
  });
  const topic = `spBv1.0/n${String(serial % 64).padStart(2, "0")}/NDATA/${serial}`;
  const sent = damages.map((changes) => {
    const payload = Buffer.from(sound);
    for (const [at, byte] of changes) payload[at] = byte;
    return node.send({ topic, payload, qos: 1, retain: false });
  });
  await Promise.all([...sent, good.data(scalarMetrics(now - 900_000, 60))]);
  expect(await ingest.rows("select line_frequency from scalar where serial_number = 30000 and ts = $1", [new Date(now - 900_000)])).toEqual(
    [{ line_frequency: 60 }],
  );
  expect(await ingest.rows("select 1 from quarantine where serial_number = $1 and reason like 'decode%' limit 1", [serial])).toHaveLength(
    1,
  );
});
