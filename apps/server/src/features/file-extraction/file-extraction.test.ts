import { gzipSync } from "node:zlib";
import { parseDataFileName } from "@busbar/contract/data-file-name.ts";
import type { DashboardNode } from "@busbar/contract/node-dashboard.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDataFilesStore } from "#features/data-files/data-files.store.ts";
import { createFolderFileStore } from "#lib/file-store.ts";
import type { FileStore } from "#lib/file-store.ts";
import type { Task } from "#services/service.ts";
import {
  dataPoint,
  dataPointLines,
  harmonicsFile,
  lastQuarter,
  md5Of,
  nameOf,
  oneSecondFile,
  oneSecondLines,
  sealed,
} from "#testing/sample-files.ts";
import { createTestApp } from "#testing/test-app.ts";
import type { TestApp } from "#testing/test-app.ts";
import { addNode, addPlace } from "#testing/test-world.ts";
import { createFileExtractionStore } from "./file-extraction.store.ts";
import { createFileExtraction } from "./file-extraction.task.ts";

const signal = new AbortController().signal;
let server: TestApp;
let fileStore: FileStore;
let extraction: Task;
let serial = 31_000;
beforeAll(async () => {
  server = await createTestApp();
  fileStore = createFolderFileStore(`${server.dataDir}/files`);
  extraction = createFileExtraction({
    pool: server.database.pool,
    store: createFileExtractionStore(server.database.pool),
    fileStore,
    clock: server.clock,
  });
});
afterAll(() => server.stop());

async function newNode(columns: Record<string, unknown> = {}): Promise<number> {
  await addNode(server.database.pool, ++serial, undefined, columns);
  return serial;
}

/** Stores a file as ingest does. */
async function store(name: string, content: string | Uint8Array, isGzip = true): Promise<void> {
  const bytes = isGzip ? gzipSync(content) : Buffer.from(content as Uint8Array);
  const [hash] = await fileStore.putAll([bytes]);
  const parsed = parseDataFileName(name)!;
  await createDataFilesStore(server.database.pool).store(server.database.pool, [
    { name, parsed, hash: hash!, md5: md5Of(bytes), storedBytes: bytes.length, isGzip: true, receivedAtMs: Date.now(), source: "node" },
  ]);
}
const stateOf = async (name: string) =>
  (
    await server.database.pool.query<{ processed: boolean | null; reason: string | null }>(
      "select processed, failed_reason as reason from data_file where file_name = $1",
      [name],
    )
  ).rows[0];
const sensorData = async (own: number) =>
  (
    await server.database.pool.query<{ data: Record<string, unknown>; voltage_avg: number }>(
      "select data, voltage_avg from sensor_data where serial_number = $1",
      [own],
    )
  ).rows;

/** Stores and extracts; the reason, or null when it was extracted. */
async function reasonOf(name: string, content: string | Uint8Array, isGzip = true): Promise<string | null> {
  await store(name, content, isGzip);
  await extraction.run(signal);
  const state = await stateOf(name);
  expect(state!.processed).toBe(state!.reason === null);
  return state!.reason;
}

test("a data point becomes sensor data: numbers, words, empty cells as null; the dashboard shows its time", async () => {
  const own = await newNode();
  const at = lastQuarter();
  expect(await reasonOf(nameOf(own, at, "D"), dataPoint(own, at))).toBeNull();
  const [row] = await sensorData(own);
  expect(row!.data).toMatchObject({ voltageAvg: 480.21, harmonicI1_005: 1.482, fw: "4.7.2", fieldCurrentAvg: null, interval: 900 });
  expect(Object.keys(row!.data)).not.toContain("serialNumber");
  expect(row!.voltage_avg).toBeCloseTo(480.21, 2);
  expect(await reasonOf(nameOf(own, at, "S"), oneSecondFile(own, at))).toBeNull();
  expect(await reasonOf(nameOf(own, at, "H"), harmonicsFile(own, at))).toBeNull();
  await server.context.fleet.runTick();
  const entry = JSON.parse(`{${server.context.fleet.snapshot.entries.get(String(own))!.liveJson}}`) as DashboardNode;
  expect([entry.lastDatafileTimestamp, entry.lastOneSecondFileTimestamp]).toEqual([at, at]);
});

describe("each reason of a data point", () => {
  const at = lastQuarter(2);
  const line = (own: number, key: string, value: string) => dataPoint(own, at, { [key]: value });
  const cases: [string, (own: number) => string, string | RegExp][] = [
    ["nothing in it", () => "", "Empty file"],
    ["another version", (own) => dataPoint(own, at).replace("#VDF=2", "#VDF=3"), "Unknown format version 3"],
    ["no version", (own) => dataPoint(own, at).slice("#VDF=2\n".length), "Unknown format version (none)"],
    ["another node's", (own) => line(own, "serialNumber", "99998"), /^Serial number in file \(99998\) does not match sender \(\d{5}\)$/],
    ["one digit changed", (own) => dataPoint(own, at).replace("480.21", "480.22"), "Checksum mismatch"],
    ["cut in the middle", (own) => dataPoint(own, at).slice(0, 2_000), /^Truncated: \d+ of 269 rows$/],
    ["cut before its checksum", (own) => dataPoint(own, at).replace(/#MD5=.*\n/, ""), "Truncated: 268 of 269 rows"],
    ["the time of another interval", (own) => line(own, "timestamp", String(at - 900)), `Bad timestamp ${at - 900}`],
    ["no time", (own) => line(own, "timestamp", "soon"), "Bad timestamp soon"],
    ["another interval", (own) => line(own, "interval", "300"), "Interval 300 does not match node interval 900"],
    ["a key twice", (own) => sealed([...dataPointLines(own, at), "voltageAvg=1"]), "Duplicate key voltageAvg"],
    ["NaN", (own) => line(own, "voltage2Avg", "NaN"), "Not a number: voltage2Avg=NaN"],
    ["hexadecimal", (own) => line(own, "voltage2Avg", "0x10"), "Not a number: voltage2Avg=0x10"],
    ["a decimal comma", (own) => line(own, "voltage2Avg", "1,5"), "Not a number: voltage2Avg=1,5"],
    ["infinite", (own) => line(own, "voltage2Avg", "1e999"), "Not a number: voltage2Avg=1e999"],
    ["a key lacking", (own) => sealed(dataPointLines(own, at).filter((one) => !one.startsWith("powerKwAvg="))), "Missing key powerKwAvg"],
    ["a NUL", (own) => `${dataPoint(own, at).slice(0, 100)}\0`, "NUL byte at 100"],
  ];
  for (const [what, make, reason] of cases) {
    test(`${what}: ${String(reason)}`, async () => {
      const own = await newNode();
      const told = await reasonOf(nameOf(own, at, "D"), make(own));
      const isRight = typeof reason === "string" ? told === reason : reason.test(told ?? "");
      expect({ told, isRight }).toEqual({ told, isRight: true });
      expect(await sensorData(own)).toEqual([]);
    });
  }

  test("in the future by more than a minute; a minute is let pass", async () => {
    const own = await newNode();
    const next = lastQuarter(-1);
    const ahead = Math.round(next + 900 - server.clock.now() / 1000);
    expect(await reasonOf(nameOf(own, next, "D"), dataPoint(own, next))).toMatch(/^Timestamp in the future by \d+ s$/);
    expect(ahead).toBeGreaterThan(60);
  });

  test("Node is decommissioned, and a node that is gone", async () => {
    const own = await newNode({ current_deployment_status: "Decommissioned" });
    expect(await reasonOf(nameOf(own, at, "D"), dataPoint(own, at))).toBe("Node is decommissioned");
    const name = nameOf(39_999, at, "D");
    expect(await reasonOf(name, dataPoint(39_999, at))).toBe("Unknown node 39999");
  });

  test("names of the object's prototype do no harm", async () => {
    const own = await newNode();
    expect(await reasonOf(nameOf(own, at, "D"), sealed([...dataPointLines(own, at), "__proto__=1"]))).toBe("Not a number: __proto__=1");
    expect(await reasonOf(nameOf(own, at, "D"), sealed([...dataPointLines(own, at), "constructor=2"]))).toBeNull();
    expect((await sensorData(own))[0]!.data).toHaveProperty("constructor", 2);
  });
});

describe("each reason of a one-second and a harmonics file", () => {
  const at = lastQuarter(3);
  const text = (lines: string[]) => `${lines.join("\n")}\n`;
  const change = (own: number, index: number, row: string) => text(oneSecondLines(own, at).with(7 + index, row));
  const cases: [string, "S" | "H", (own: number) => string, string][] = [
    ["cut after 400 rows", "S", (own) => text(oneSecondLines(own, at).slice(0, 407)), "Truncated: 400 of 900 rows"],
    ["cut within a row", "S", (own) => oneSecondFile(own, at).slice(0, -30), "Truncated: 899 of 900 rows"],
    ["a row too many", "S", (own) => text([...oneSecondLines(own, at), `${at + 900},,,,,,,,,,,`]), `Duplicate key ${at + 900}`],
    ["a column without numbers", "S", (own) => change(own, 3, `${at + 3},60,NaN,1,1,1,1,1,1,1,1,1`), "Not a number: i1=NaN"],
    ["a second twice", "S", (own) => change(own, 3, `${at + 2},60,1,1,1,1,1,1,1,1,1,1`), `Bad timestamp ${at + 2}`],
    ["a cell too few", "S", (own) => change(own, 3, `${at + 3},60,1,1`), "Truncated: 3 of 900 rows"],
    ["another node's", "S", () => oneSecondFile(99_997, at), "Serial number in file (99997) does not match sender ("],
    ["an order twice", "H", (own) => harmonicsFile(own, at).replace(`${at},V1,2,`, `${at},V1,1,`), "Duplicate key V1 1"],
    ["an order beyond 50", "H", (own) => harmonicsFile(own, at).replace(`${at},V1,2,`, `${at},V1,51,`), "Not a number: h=51"],
    ["cut", "H", (own) => harmonicsFile(own, at).slice(0, 300), "Truncated: "],
  ];
  for (const [what, kind, make, reason] of cases) {
    test(`${kind} ${what}: ${reason}`, async () => {
      const own = await newNode();
      expect((await reasonOf(nameOf(own, at, kind), make(own)))!.startsWith(reason)).toBe(true);
    });
  }
});

describe("bytes that are not what they say", () => {
  test("a gzip of 300 MB of zeros is refused by its size, in little memory", async () => {
    const own = await newNode();
    const zeros = gzipSync(Buffer.alloc(300 * 1024 * 1024));
    const before = process.memoryUsage().rss;
    expect(await reasonOf(nameOf(own, lastQuarter(), "D"), zeros, false)).toBe(`File too large (${300 * 1024 * 1024} bytes)`);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
  });

  test("a file that is no gzip, a cut gzip, bytes that are not UTF-8", async () => {
    const own = await newNode();
    const [first, second, third] = [1, 2, 3].map((ago) => nameOf(own, lastQuarter(ago), "D")) as [string, string, string];
    expect(await reasonOf(first, Buffer.from("not a gzip"), false)).toBe("Checksum mismatch");
    const whole = gzipSync(dataPoint(own, lastQuarter(2)));
    expect(await reasonOf(second, whole.subarray(0, whole.length - 20), false)).toBe("Checksum mismatch");
    expect(await reasonOf(third, Buffer.from([0x23, 0xff, 0xfe]))).toBe("Not UTF-8 text");
  });

  test("bytes that are gone from the store fail this file and no other", async () => {
    const own = await newNode();
    const [gone, fine] = [nameOf(own, lastQuarter(2), "D"), nameOf(own, lastQuarter(1), "D")];
    await store(gone, dataPoint(own, lastQuarter(2)));
    const { rows } = await server.database.pool.query<{ hash: Buffer }>("select content_hash as hash from data_file where file_name = $1", [
      gone,
    ]);
    await fileStore.removeIdle(rows[0]!.hash, Infinity);
    expect(await reasonOf(fine, dataPoint(own, lastQuarter(1)))).toBeNull();
    expect(await stateOf(gone)).toEqual({ processed: false, reason: "The stored bytes are gone" });
  });

  test("external zips stay packed: a bomb in them never goes off", async () => {
    const own = await newNode({ type: "Recorder" });
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024));
    expect(await reasonOf(nameOf(own, lastQuarter(), "X", "zip"), bomb)).toBeNull();
  });
});

test("other bytes under the same name are extracted anew and take the old ones' place", async () => {
  const own = await newNode();
  const at = lastQuarter();
  const name = nameOf(own, at, "D");
  await reasonOf(name, dataPoint(own, at, { voltageAvg: "NaN" }));
  expect(await reasonOf(name, dataPoint(own, at, { voltageAvg: "461" }))).toBeNull();
  expect((await sensorData(own)).map(({ data }) => data["voltageAvg"])).toEqual([461]);
});

test("DSH-09 data files of today that are missing: between those that came, and since the newest; a late one fills its gap", async () => {
  // Noon of a day in a zone of 23 hours that day.
  const noon = Date.UTC(2026, 2, 8, 17) / 1000;
  const place = await addPlace(server.database.pool, "America/New_York");
  await addNode(server.database.pool, ++serial, place);
  const own = serial;
  let now = noon;
  const clock = { now: () => now * 1000, monotonic: () => now * 1000 };
  const { pool } = server.database;
  const task = createFileExtraction({ pool, store: createFileExtractionStore(pool), fileStore, clock });
  const midnight = Date.UTC(2026, 2, 8, 5) / 1000;
  const send = async (...quarters: number[]) => {
    for (const quarter of quarters) await store(nameOf(own, midnight + quarter * 900, "D"), dataPoint(own, midnight + quarter * 900));
    await task.run(signal);
  };
  const live = async () =>
    (
      await pool.query<{ count: number; day: string; newest: number }>(
        `select missing_datafile_count as count, missing_datafile_day::text as day, extract(epoch from newest_datafile_at)::float8 as newest
         from node_live where serial_number = $1`,
        [own],
      )
    ).rows[0];
  // Its first file ever begins the count.
  await send(10);
  expect(await live()).toEqual({ count: 0, day: "2026-03-08", newest: midnight + 9_000 });
  await send(13, 14);
  expect((await live())!.count).toBe(2);
  await send(11);
  expect((await live())!.count).toBe(1);
  // With a file of the day before, the day begins at midnight.
  await send(-1);
  expect((await live())!.count).toBe(11);
  now += 86_400;
  await send(96);
  // A local day of 23 hours: 92 quarters after midnight the next one begins.
  expect(await live()).toEqual({ count: 4, day: "2026-03-09", newest: midnight + 96 * 900 });
});

test("an event file waits for its own parser", async () => {
  const own = await newNode({ type: "SEL" });
  const name = nameOf(own, lastQuarter(), "E", "cev");
  await store(name, "FID");
  await extraction.run(signal);
  expect(await stateOf(name)).toEqual({ processed: null, reason: null });
});
