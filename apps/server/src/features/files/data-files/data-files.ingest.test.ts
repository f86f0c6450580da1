import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import { metricAliases } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { dataPoint, fileBirthMetrics, fileParts, lastQuarter, md5Of, nameOf, oneSecondFile } from "#testing/sample-files.ts";
import { createTestIngest, startTestNode, type TestIngest, type TestNode } from "#testing/test-ingest.ts";

interface Ack {
  name: string;
  code: number;
  missing: number[];
}

let ingest: TestIngest;
/** Asks soon for what is lacking, and soon gives up: only for files of which one part comes, whenever that is. */
let impatient: TestIngest;
let diskProblem: string | undefined;
let serial = 30_000;
// However long a busy machine takes between two parts.
const patient = { quietMs: 3_600_000, patienceMs: 3_600_000 };
beforeAll(async () => {
  ingest = await createTestIngest({
    fileLimits: { ...patient, filesPerNode: 3 },
    brokerLimits: { messagesPerSecond: 10_000 },
    disk: { problem: () => diskProblem },
  });
  impatient = await createTestIngest({ fileLimits: { quietMs: 100, patienceMs: 500 } });
});
afterAll(async () => {
  await impatient.stop();
  await ingest.stop();
});

/** A born node that remembers the commands about its files. */
async function bornNode(at = ingest): Promise<{
  node: TestNode;
  serial: number;
  acks: Ack[];
  requests: unknown[];
  ackOf: (name: string, code?: number) => Promise<Ack>;
}> {
  const own = ++serial;
  await at.addNode(own);
  const node = await startTestNode(at, own);
  const acks: Ack[] = [];
  const requests: unknown[] = [];
  node.client.on("message", (_topic, payload) => {
    for (const { alias, value } of decodePayload(Uint8Array.from(payload)).metrics) {
      // The host speaks by the birth's aliases.
      if (alias === metricAliases["Files/Ack"]) acks.push(JSON.parse(value as string) as Ack);
      if (alias === metricAliases["Files/Request"]) requests.push(JSON.parse(value as string));
    }
  });
  await node.client.subscribeAsync(`spBv1.0/n${String(own % 64).padStart(2, "0")}/NCMD/${own}`, { qos: 1 });
  await node.birth(fileBirthMetrics());
  const ackOf = (name: string, code?: number) =>
    vi.waitUntil(() => acks.find((ack) => ack.name === name && (code === undefined || ack.code === code)));
  return { node, serial: own, acks, requests, ackOf };
}

const rowOf = async (name: string, at = ingest) =>
  (
    await at.rows<{ hash: string; md5: string; processed: boolean | null }>(
      "select encode(content_hash, 'hex') as hash, encode(md5, 'hex') as md5, processed from data_file where file_name = $1",
      [name],
    )
  )[0];
const storedText = async (name: string) => {
  const hash = (await rowOf(name))!.hash;
  return gunzipSync(await readFile(join(ingest.dataDir, "files", hash.slice(0, 3), hash))).toString();
};
const reasons = async (own: number) =>
  (await ingest.rows<{ reason: string }>("select reason from quarantine where serial_number = $1 order by reason", [own])).map(
    ({ reason }) => reason,
  );

test("a file in parts is acknowledged with 200 only after its row and its bytes are there", async () => {
  const { node, serial: own, ackOf } = await bornNode();
  const name = nameOf(own, lastQuarter(), "S");
  const text = oneSecondFile(own, lastQuarter());
  const parts = fileParts(name, text, 1_000);
  expect(parts.length).toBeGreaterThan(2);
  for (const part of parts) await node.data([part]);
  expect(await ackOf(name)).toEqual({ name, code: 200, missing: [] });
  expect(await storedText(name)).toBe(text);
});

test("A-63 a birth repeats what the node knew: a part of a file in it is none that comes", async () => {
  const { node, serial: own, acks, ackOf } = await bornNode();
  const [repeated, sent] = [nameOf(own, lastQuarter(2), "D"), nameOf(own, lastQuarter(), "D")];
  const [part] = fileParts(repeated, dataPoint(own, lastQuarter(2)));
  const metrics = fileBirthMetrics();
  await node.birth(metrics.map((metric) => (metric.alias === part!.alias ? { ...metric, ...part, isNull: false } : metric)));
  await node.data(fileParts(sent, dataPoint(own, lastQuarter())));
  await ackOf(sent, 200);
  expect(acks.map(({ name }) => name)).toEqual([sent]);
  expect(await rowOf(repeated)).toBeUndefined();
});

test("parts come in any order and twice; the last one makes the host ask for the holes", async () => {
  const { node, serial: own, ackOf } = await bornNode();
  const name = nameOf(own, lastQuarter(), "S");
  const parts = fileParts(name, oneSecondFile(own, lastQuarter()), 300);
  const last = parts.length - 1;
  expect(last).toBeGreaterThan(5);
  for (const seq of [3, 0, 0, last, 2]) await node.data([parts[seq]!]);
  const expected = parts.map((_, seq) => seq).filter((seq) => ![3, 0, last].includes(seq));
  expect((await ackOf(name, 100)).missing).toEqual(expected);
  for (const seq of expected.toReversed()) await node.data([parts[seq]!]);
  await ackOf(name, 200);
});

test("a file that stays incomplete is requested once more, then given up with 408; nothing of it is stored", async () => {
  const { node, serial: own, ackOf } = await bornNode(impatient);
  const name = nameOf(own, lastQuarter(), "S");
  const parts = fileParts(name, oneSecondFile(own, lastQuarter()), 1_000);
  await node.data([parts[0]!]);
  expect((await ackOf(name, 100)).missing).toEqual(parts.map((_, seq) => seq).slice(1));
  expect((await ackOf(name, 408)).missing.length).toBe(parts.length - 1);
  expect(await rowOf(name, impatient)).toBeUndefined();
});

test("the same part number with other bytes is a sequence error, a wrong digest an MD5 error, and the node may begin again", async () => {
  const { node, serial: own, ackOf } = await bornNode();
  const name = nameOf(own, lastQuarter(), "S");
  const parts = fileParts(name, oneSecondFile(own, lastQuarter()), 1_000);
  await node.data([parts[0]!]);
  await node.data([{ ...parts[0]!, value: Uint8Array.from(parts[0]!.value as Uint8Array, (byte) => byte ^ 1) }]);
  await ackOf(name, 500);
  const wrong = nameOf(own, lastQuarter(), "D");
  await node.data(fileParts(wrong, dataPoint(own, lastQuarter()), 64 * 1024, { md5: "0".repeat(32) }));
  await ackOf(wrong, 502);
  expect(await rowOf(wrong)).toBeUndefined();
  await node.data(fileParts(wrong, dataPoint(own, lastQuarter())));
  await ackOf(wrong, 200);
});

/** What a scraper reads of a counter, by its labels. */
const counts = async (name: string) =>
  Object.fromEntries(
    (await ingest.registry.getSingleMetric(name)!.get()).values.map(({ labels, value }) => [Object.values(labels).join(), value]),
  );

test("the same bytes again change nothing, other bytes replace and wait for extraction", async () => {
  const { node, serial: own, acks, ackOf } = await bornNode();
  const before = [await counts("busbar_files_stored_total"), await counts("busbar_file_acks_total")] as const;
  const name = nameOf(own, lastQuarter(), "D");
  await node.data(fileParts(name, dataPoint(own, lastQuarter())));
  await ackOf(name, 200);
  await ingest.rows("update data_file set processed = true where file_name = $1", [name]);
  await node.data(fileParts(name, dataPoint(own, lastQuarter())));
  await vi.waitUntil(() => acks.length === 2);
  expect((await rowOf(name))!.processed).toBe(true);
  const later = dataPoint(own, lastQuarter(), { voltageAvg: "470" });
  await node.data(fileParts(name, later));
  await vi.waitUntil(() => acks.length === 3);
  expect((await rowOf(name))!.processed).toBeNull();
  expect(await storedText(name)).toBe(later);
  expect(await ingest.rows("select 1 from data_file where serial_number = $1", [own])).toHaveLength(1);
  const oneMore = (name: string) => (before[0][name] ?? 0) + 1;
  expect(await counts("busbar_files_stored_total")).toEqual({
    stored: oneMore("stored"),
    known: oneMore("known"),
    replaced: oneMore("replaced"),
  });
  expect((await counts("busbar_file_acks_total"))["200"]).toBe((before[1]["200"] ?? 0) + 3);
});

describe("what is refused", () => {
  test.each([
    ["../../etc/passwd", "file-name"],
    ["10234_20260106T143000Z_D0900.txt/../x", "file-name"],
    ["a\u0000b", "file-name"],
    ["", "file-name"],
    ["10234_20260231T143000Z_D0900.txt", "file-name"],
    ["10234_20260106T143000Z_D0900.txt", "file-of-other-node"],
  ])("the name %j is quarantined as %s and answered 500", async (name, reason) => {
    const { node, serial: own, ackOf } = await bornNode();
    const [part] = fileParts(nameOf(own, lastQuarter(), "D"), "x");
    await node.data([{ ...part!, metadata: { ...part!.metadata, fileName: name } }]);
    expect((await ackOf(name.slice(0, 64))).code).toBe(500);
    expect(await reasons(own)).toEqual([reason]);
  });

  test("a kind under another kind's metric, sizes beyond the limits, digests that are none, parts that are too large", async () => {
    const { node, serial: own, acks } = await bornNode();
    const name = nameOf(own, lastQuarter(), "D");
    const [part] = fileParts(name, "x");
    const send = (metadata: object, value = part!.value!) => node.data([{ ...part!, value, metadata: { ...part!.metadata, ...metadata } }]);
    await send({ fileName: nameOf(own, lastQuarter(), "S") });
    await send({ size: 256 * 1024 + 1 });
    await send({ md5: "xyz" });
    await send({ size: 100_000 }, new Uint8Array(64 * 1024 + 1));
    await send({ size: 3 }, new Uint8Array(4));
    await vi.waitUntil(() => acks.length === 5);
    expect(acks.map(({ code }) => code)).toEqual([500, 500, 500, 500, 500]);
    expect(await reasons(own)).toEqual(["file-metadata", "file-name", "file-part-size", "file-too-large"]);
  });

  test("a part number that no file can have is refused before anything is counted up to it", async () => {
    const { node, serial: own, acks, ackOf } = await bornNode();
    const name = nameOf(own, lastQuarter(), "S");
    const [part] = fileParts(name, oneSecondFile(own, lastQuarter()), 1_000);
    for (const seq of [10_000, 1_000_000_000, 2 ** 33]) await node.data([{ ...part!, metadata: { ...part!.metadata, seq } }]);
    await vi.waitUntil(() => acks.length === 3);
    expect(acks).toEqual(Array.from({ length: 3 }, () => ({ name, code: 500, missing: [] })));
    expect(await reasons(own)).toEqual(["file-metadata"]);
    await node.data(fileParts(nameOf(own, lastQuarter(), "D"), dataPoint(own, lastQuarter())));
    await ackOf(nameOf(own, lastQuarter(), "D"), 200);
  });

  test("of a file in parts of single bytes no more parts are requested than a file may have", async () => {
    // Asks soon and does not give up: on a busy machine both times could pass at once.
    const asking = await createTestIngest({ fileLimits: { ...patient, quietMs: 100 } });
    try {
      const { node, serial: own, ackOf } = await bornNode(asking);
      const name = nameOf(own, lastQuarter(), "E", "dat");
      const [part] = fileParts(name, "x");
      await node.data([
        { ...part!, value: Uint8Array.of(1), metadata: { ...part!.metadata, size: 20 * 1024 * 1024, isMultiPart: true, seq: 0 } },
      ]);
      expect((await ackOf(name, 100)).missing).toHaveLength(9_999);
    } finally {
      await asking.stop();
    }
  });

  test("a node with too many unfinished files loses the one that waits longest, its other files do not suffer", async () => {
    const { node, serial: own, ackOf } = await bornNode();
    const names = [4, 3, 2, 1].map((ago) => nameOf(own, lastQuarter(ago), "S"));
    for (const [index, name] of names.entries()) {
      await node.data([fileParts(name, oneSecondFile(own, lastQuarter(4 - index)), 1_000)[0]!]);
    }
    await ackOf(names[0]!, 408);
    for (const part of fileParts(names[3]!, oneSecondFile(own, lastQuarter(1)), 1_000)) await node.data([part]);
    await ackOf(names[3]!, 200);
    expect([await rowOf(names[0]!), await rowOf(names[3]!)]).toEqual([undefined, expect.objectContaining({ processed: null })]);
  });
});

test("unfinished files stay within the memory that they may take; the largest gives way", async () => {
  const narrow = await createTestIngest({ fileLimits: { ...patient, bytes: 100_000 } });
  try {
    const [large, small] = [await bornNode(narrow), await bornNode(narrow)];
    // More files, and less in them.
    for (const ago of [4, 3, 2, 1]) {
      const started = nameOf(small.serial, lastQuarter(ago), "S");
      await small.node.data([fileParts(started, oneSecondFile(small.serial, lastQuarter(ago)), 1_000)[0]!]);
    }
    const names = [3, 2, 1].map((ago) => nameOf(large.serial, lastQuarter(ago), "E", "dat"));
    const content = crypto.getRandomValues(new Uint8Array(50_000));
    for (const name of names) for (const part of fileParts(name, content, 20_000).slice(0, 2)) await large.node.data([part]);
    await vi.waitUntil(() => large.acks.some(({ code }) => code === 408));
    expect(large.acks.filter(({ code }) => code === 408)).toHaveLength(1);
    expect(small.acks.filter(({ code }) => code === 408)).toEqual([]);
  } finally {
    await narrow.stop();
  }
});

test("A-41 a node that fills the memory with many small files gives way, not one with a larger file", async () => {
  const narrow = await createTestIngest({ fileLimits: { ...patient, bytes: 100_000, filesPerNode: 4 } });
  try {
    const [greedy, honest] = [await bornNode(narrow), await bornNode(narrow)];
    const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes));
    const name = nameOf(honest.serial, lastQuarter(), "E", "dat");
    await honest.node.data([fileParts(name, random(50_000), 40_000)[0]!]);
    for (const ago of [4, 3, 2, 1]) {
      await greedy.node.data([fileParts(nameOf(greedy.serial, lastQuarter(ago), "E", "dat"), random(40_000), 30_000)[0]!]);
    }
    await vi.waitUntil(() => greedy.acks.filter(({ code }) => code === 408).length === 2);
    expect(honest.acks).toEqual([]);
  } finally {
    await narrow.stop();
  }
});

test("a manifest is answered by a request for what is lacking or differs, and an acknowledgement of what is known", async () => {
  const { node, serial: own, requests, ackOf } = await bornNode();
  const [known, changed, lacking] = [3, 2, 1].map((ago) => nameOf(own, lastQuarter(ago), "D")) as [string, string, string];
  const send = async (name: string, ago: number) => {
    const [part] = fileParts(name, dataPoint(own, lastQuarter(ago)));
    await node.data([part!]);
    await ackOf(name, 200);
    return part!.metadata!.md5!;
  };
  const md5 = await send(known, 3);
  await send(changed, 2);
  const rows = [
    [known, lastQuarter(3) * 1000, 10, md5.toUpperCase()],
    [changed, lastQuarter(2) * 1000, 10, md5Of("else")],
    [lacking, lastQuarter(1) * 1000, 10, md5Of("new")],
    ["../x", 1, 1, "z"],
    // Of another node.
    [nameOf(own + 1, lastQuarter(1), "D"), lastQuarter(1) * 1000, 10, md5Of("new")],
  ];
  const value = { columns: ["name", "ts", "size", "md5"], types: [DataType.String, DataType.Int64, DataType.Int64, DataType.String], rows };
  await node.data([{ alias: metricAliases["Files/Manifest"]!, datatype: DataType.DataSet, value, timestamp: Date.now() }]);
  await vi.waitUntil(() => requests.length === 1);
  expect(requests).toEqual([{ names: [changed, lacking] }]);
});

test("a request that another process wrote reaches the connected node once", async () => {
  const { serial: own, requests } = await bornNode();
  await ingest.rows(
    "insert into file_request (serial_number, request, requested_at) values ($1, $2, now()), ($1, $3, now() - interval '2 hours')",
    [own, JSON.stringify({ kind: "H", from: 1, to: 2 }), JSON.stringify({ kind: "H", from: 3, to: 4 })],
  );
  await vi.waitUntil(() => requests.length > 0);
  expect(requests).toEqual([{ kind: "H", from: 1, to: 2 }]);
  expect(await ingest.rows("select 1 from file_request")).toEqual([]);
});

test("a 20 MB event file is taken in parts of 64 KiB", async () => {
  const { node, serial: own, ackOf } = await bornNode();
  const name = nameOf(own, lastQuarter(), "E", "dat");
  // Random bytes do not get smaller.
  const content = crypto.getRandomValues(new Uint8Array(65_536));
  const whole = Buffer.concat(Array.from({ length: 319 }, (_, index) => Buffer.from(content.map((byte) => byte ^ (index & 255)))));
  for (const part of fileParts(name, whole)) await node.data([part]);
  await ackOf(name, 200);
  const hash = (await rowOf(name))!.hash;
  expect(gunzipSync(await readFile(join(ingest.dataDir, "files", hash.slice(0, 3), hash))).equals(whole)).toBe(true);
});

test("A-23 a name in capitals is acknowledged as it was sent, and stored as the same file in lower case", async () => {
  const { node, serial: own, ackOf } = await bornNode();
  const name = nameOf(own, lastQuarter(), "E", "cfg");
  await node.data(fileParts(name.replace("cfg", "CFG"), "x"));
  await ackOf(name.replace("cfg", "CFG"), 200);
  await node.data(fileParts(name, "x"));
  await ackOf(name, 200);
  expect(await ingest.rows("select file_name from data_file where serial_number = $1", [own])).toEqual([{ file_name: name }]);
});

test("R7 while the disk is almost full no file is acknowledged or stored; then they are taken again", async () => {
  const { node, serial: own, acks, requests, ackOf } = await bornNode();
  const [small, large] = [nameOf(own, lastQuarter(), "D"), nameOf(own, lastQuarter(), "S")];
  const parts = fileParts(large, oneSecondFile(own, lastQuarter()), 1_000);
  diskProblem = "no room";
  try {
    await node.data(fileParts(small, dataPoint(own, lastQuarter())));
    for (const part of parts) await node.data([part]);
    await ingest.rows("insert into file_request (serial_number, request, requested_at) values ($1, $2, now())", [
      own,
      { kind: "H", from: 1, to: 2 },
    ]);
    const lost = async () => (await ingest.registry.getSingleMetric("busbar_file_parts_without_room_total")?.get())?.values[0]?.value;
    await vi.waitUntil(async () => (await lost()) === parts.length + 1);
    expect([acks, requests, await rowOf(small), await reasons(own)]).toEqual([[], [], undefined, []]);
  } finally {
    diskProblem = undefined;
  }
  // The node sends again what was not acknowledged; what was to be asked of it has waited.
  for (const part of parts) await node.data([part]);
  await node.data(fileParts(small, dataPoint(own, lastQuarter())));
  await ackOf(large, 200);
  await ackOf(small, 200);
  await vi.waitUntil(() => requests.length === 1);
});
