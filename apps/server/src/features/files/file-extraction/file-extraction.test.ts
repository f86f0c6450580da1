import { gzipSync } from "node:zlib";
import type { DashboardNode } from "@busbar/contract/telemetry/node-dashboard.ts";
import { dataPointKeys } from "@busbar/contract/files/data-point-keys.ts";
import { parseDataFileName } from "@busbar/contract/files/data-file-name.ts";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createDataFilesStore } from "#features/files/data-files/data-files.store.ts";
import { createFolderFileStore, type FileStore } from "#lib/file-store.ts";
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
import { sampleZip } from "#testing/sample-zip.ts";
import { storeFile } from "#testing/store-file.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace } from "#testing/test-world.ts";
import { createExtractionNotices } from "#features/alarms/fleet-notices/extraction-notices.ts";
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
    notifyFailures: createExtractionNotices(server.context.fleetNotices),
  });
});
afterAll(() => server.stop());

const diskError = () => Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });

async function newNode(columns: Record<string, unknown> = {}): Promise<number> {
  await addNode(server.database.pool, ++serial, undefined, columns);
  return serial;
}

const store = (name: string, content: string | Uint8Array, isGzip = true) =>
  storeFile(server, name, content, { receivedAtMs: Date.now(), isPacked: !isGzip });
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

test("a value too small for the database's columns is zero, and holds no one up", async () => {
  const [own, other] = [await newNode(), await newNode()];
  const at = lastQuarter();
  await store(nameOf(own, at, "D"), dataPoint(own, at, { voltageAvg: "1e-60", currentAvg: "-4.9e-324", npHp: "1e-200" }));
  expect(await reasonOf(nameOf(other, at, "D"), dataPoint(other, at))).toBeNull();
  expect((await sensorData(own))[0]).toMatchObject({ voltage_avg: 0, data: { voltageAvg: 0, currentAvg: 0, npHp: 0 } });
});

test("files that are sent again while they are extracted hold no one up", async () => {
  const { pool } = server.database;
  const at = lastQuarter();
  const [first, second] = [await newNode(), await newNode()];
  const sent = [first, second].map((own) => ({ name: nameOf(own, at, "D"), bytes: gzipSync(dataPoint(own, at)) }));
  // The second one came before the first: extraction reads them in that order.
  for (const { name, bytes } of sent.toReversed()) await store(name, bytes, false);
  const sendAgain = async (client: PoolClient, { name, bytes }: (typeof sent)[number]) => {
    const [hash] = await fileStore.putAll([bytes]);
    const row = { parsed: parseDataFileName(name)!, hash: hash!, md5: md5Of(bytes), storedBytes: bytes.length };
    await createDataFilesStore(pool).store(client, [{ ...row, isGzip: true, receivedAtMs: Date.now(), source: "node" }]);
  };
  let running: Promise<unknown> | undefined;
  await inTransaction(pool, async (client) => {
    await sendAgain(client, sent[0]!);
    running = extraction.run(signal);
    const waiting = "select from pg_stat_activity where datname = current_database() and query like '/* finish-extraction */%'";
    await expect.poll(async () => (await pool.query(`${waiting} and wait_event_type = 'Lock'`)).rowCount).toBe(1);
    await sendAgain(client, sent[1]!);
  });
  await running;
  for (const { name } of sent) expect(await stateOf(name)).toEqual({ processed: true, reason: null });
});

test("a file whose bytes the disk does not give for now waits; the others are extracted, and the service says what was wrong", async () => {
  const [own, other] = [await newNode(), await newNode()];
  const at = lastQuarter();
  const [bad, fine] = [nameOf(own, at, "D"), nameOf(other, at, "D")];
  await store(bad, dataPoint(own, at));
  await store(fine, dataPoint(other, at));
  const { rows } = await server.database.pool.query<{ hash: Buffer }>("select content_hash as hash from data_file where file_name = $1", [
    bad,
  ]);
  let isSick = true;
  const sickStore: FileStore = {
    ...fileStore,
    read: (hash) => (isSick && hash.equals(rows[0]!.hash) ? Promise.reject(diskError()) : fileStore.read(hash)),
  };
  const { pool } = server.database;
  const task = createFileExtraction({ pool, store: createFileExtractionStore(pool), fileStore: sickStore, clock: server.clock });
  // It is not the file's fault: the service fails as long as the disk does, and the file is tried every minute.
  for (let minute = 0; minute < 3; minute++) {
    expect(await task.run(signal)).toMatchObject({ hasFailed: true, logEntry: expect.stringMatching(`^1 set aside: file ${bad} .*EIO`) });
    expect([await stateOf(bad), await stateOf(fine)]).toEqual([
      { processed: null, reason: null },
      { processed: true, reason: null },
    ]);
    server.clock.advance(61);
  }
  isSick = false;
  expect(await task.run(signal)).toBe(1);
  expect(await stateOf(bad)).toEqual({ processed: true, reason: null });
});

test("A-62 other bytes under the name of a file that waits are tried at once", async () => {
  const own = await newNode();
  const name = nameOf(own, lastQuarter(), "D");
  await store(name, dataPoint(own, lastQuarter()));
  const { pool } = server.database;
  const sickStore: FileStore = { ...fileStore, read: () => Promise.reject(new Error("unreadable")) };
  const task = createFileExtraction({ pool, store: createFileExtractionStore(pool), fileStore: sickStore, clock: server.clock });
  expect(await task.run(signal)).toMatchObject({ logEntry: expect.stringContaining(`1 set aside: file ${name} `) });
  expect(await extraction.run(signal)).toMatchObject({ processedCount: 0 });
  await store(name, dataPoint(own, lastQuarter(), { voltageAvg: "461" }));
  expect(await extraction.run(signal)).toMatchObject({ processedCount: 1 });
  expect(await stateOf(name)).toEqual({ processed: true, reason: null });
  server.clock.advance(61);
  // What the old bytes left is gone.
  expect(await extraction.run(signal)).toBe(0);
});

test("a file that the database refuses waits alone", async () => {
  const nodes = [await newNode(), await newNode(), await newNode()];
  const at = lastQuarter();
  for (const node of nodes) await store(nameOf(node, at, "D"), dataPoint(node, at));
  const { pool } = server.database;
  const refused = nodes[1]!;
  await pool.query(`alter table sensor_data add constraint refused check (serial_number <> ${refused}) not valid`);
  try {
    expect(await extraction.run(signal)).toMatchObject({ processedCount: 2, logEntry: expect.stringMatching(/^1 set aside: .*refused/) });
  } finally {
    await pool.query("alter table sensor_data drop constraint refused");
  }
  const states = await Promise.all(nodes.map((node) => stateOf(nameOf(node, at, "D"))));
  expect(states.map((state) => state!.processed)).toEqual([true, null, true]);
  server.clock.advance(61);
  await extraction.run(signal);
  expect((await stateOf(nameOf(refused, at, "D")))!.processed).toBe(true);
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
      const given = await reasonOf(nameOf(own, at, "D"), make(own));
      const isRight = typeof reason === "string" ? given === reason : reason.test(given ?? "");
      expect({ given, isRight }).toEqual({ given, isRight: true });
      expect(await sensorData(own)).toEqual([]);
    });
  }

  test("in the future by more than a minute; a minute is let pass", async () => {
    const own = await newNode();
    const next = lastQuarter(-1, server.clock.now());
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
    ["without its heads", "S", (own) => oneSecondFile(own, at).replace("\nt,lf,", "\nt,"), "Truncated: 0 of 900 rows"],
    ["cut within a row", "S", (own) => oneSecondFile(own, at).slice(0, -30), "Truncated: 899 of 900 rows"],
    ["a row too many", "S", (own) => text([...oneSecondLines(own, at), `${at + 900},,,,,,,,,,,`]), `Duplicate key ${at + 900}`],
    ["a column without numbers", "S", (own) => change(own, 3, `${at + 3},60,NaN,1,1,1,1,1,1,1,1,1`), "Not a number: i1=NaN"],
    ["a second twice", "S", (own) => change(own, 3, `${at + 2},60,1,1,1,1,1,1,1,1,1,1`), `Bad timestamp ${at + 2}`],
    ["a cell too few", "S", (own) => change(own, 3, `${at + 3},60,1,1`), "Truncated: 3 of 900 rows"],
    ["another node's", "S", () => oneSecondFile(99_997, at), "Serial number in file (99997) does not match sender ("],
    ["a row of another time", "H", (own) => harmonicsFile(own, at).replace(`${at},V1,2,`, `${at + 1},V1,2,`), `Bad timestamp ${at + 1}`],
    ["an order twice", "H", (own) => harmonicsFile(own, at).replace(`${at},V1,2,`, `${at},V1,1,`), "Duplicate key V1 1"],
    ["an order beyond 50", "H", (own) => harmonicsFile(own, at).replace(`${at},V1,2,`, `${at},V1,51,`), "Not a number: h=51"],
    ["cut", "H", (own) => harmonicsFile(own, at).slice(0, 300), "Truncated: "],
  ];
  test("numbers are taken in every spelling", async () => {
    const own = await newNode();
    const row = `${at + 3},60,-1,1.50,1e2,1E+2,1e-2,,0,-0.5,1,1`;
    expect(await reasonOf(nameOf(own, at, "S"), change(own, 3, row))).toBeNull();
  });
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
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
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
    // The node sends them again, as it does for what it is asked for.
    expect(await reasonOf(gone, dataPoint(own, lastQuarter(2)))).toBeNull();
  });

  test("external files of a clock that is ahead or was never set", async () => {
    const own = await newNode({ type: "Recorder" });
    const later = lastQuarter(-4, server.clock.now());
    expect(await reasonOf(nameOf(own, later, "X", "csv"), "a,b")).toMatch(/^Timestamp in the future by \d{4} s$/);
    expect(await reasonOf(nameOf(own, 900, "X", "csv"), "a,b")).toBe("Bad timestamp 900");
    // One that is a little ahead is read, and the dashboard's time waits for it.
    expect(await reasonOf(nameOf(own, Math.floor(server.clock.now() / 1000) + 30, "X", "csv"), "a,b")).toBeNull();
    const { rows } = await server.database.pool.query("select last_external_file_at as at from node_live where serial_number = $1", [own]);
    expect(rows).toEqual([{ at: null }]);
    expect(await reasonOf(nameOf(own, lastQuarter(), "X", "csv"), "a,b")).toBeNull();
  });

  test("external zips stay packed: a bomb in them never goes off", async () => {
    const own = await newNode({ type: "Recorder" });
    const bomb = await sampleZip(Buffer.alloc(100 * 1024 * 1024));
    expect(await reasonOf(nameOf(own, lastQuarter(), "X", "zip"), bomb)).toBeNull();
  });

  test("an external zip that is cut off fails and says so", async () => {
    const own = await newNode({ type: "Recorder" });
    const zip = await sampleZip(Buffer.from("a,b"));
    expect(await reasonOf(nameOf(own, lastQuarter(), "X", "zip"), zip.subarray(0, -1))).toMatch(/^No zip archive, or it is cut off/);
  });
});

test("A-63 each column of sensor data is the value of its name, of a file that came again too", async () => {
  const own = await newNode();
  const at = lastQuarter();
  for (const first of [100, 1_000]) {
    const values = Object.fromEntries(dataPointKeys.map((key, index) => [key, String(first + index)]));
    expect(await reasonOf(nameOf(own, at, "D"), dataPoint(own, at, values))).toBeNull();
    const { rows } = await server.database.pool.query<Record<string, number>>("select * from sensor_data where serial_number = $1", [own]);
    const { serial_number: _serial, ts: _ts, interval_seconds: _interval, data: _data, ...columns } = rows[0]!;
    const keyOf = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    expect(columns).toEqual(Object.fromEntries(Object.keys(columns).map((column) => [column, Number(values[keyOf(column)])])));
  }
});

test("other bytes under the same name are extracted again and take the old ones' place", async () => {
  const own = await newNode();
  const at = lastQuarter();
  const name = nameOf(own, at, "D");
  await reasonOf(name, dataPoint(own, at, { voltageAvg: "NaN" }));
  for (const voltage of [461, 462]) {
    expect(await reasonOf(name, dataPoint(own, at, { voltageAvg: String(voltage) }))).toBeNull();
    expect((await sensorData(own)).map((row) => [row.data["voltageAvg"], row.voltage_avg])).toEqual([[voltage, voltage]]);
  }
});

test("more than three failed files of a node in a day are reported inside, once a node and day", async () => {
  const { pool } = server.database;
  await pool.query("insert into system_config (key, value) values ('Notices_internalRecipients', '[\"desk@busbar.example\"]')");
  await pool.query("delete from notification");
  // Nothing but 13:00 in Denver, so that all of it is one day there.
  server.clock.advance((Date.parse("2027-05-03T19:00:00Z") - server.clock.now()) / 1000);
  await addNode(pool, ++serial, await addPlace(pool, "America/Denver"));
  const own = serial;
  const other = await newNode();
  const subjects = async () =>
    (
      await pool.query<{ subject: string; to: string[]; body: string }>(
        `select subject, recipients_to as "to", body from notification where kind = 'FILE_EXTRACTION_FAILED' order by id`,
      )
    ).rows;
  let quarter = 0;
  const fail = async (node: number, count: number) => {
    for (let index = 0; index < count; index++)
      await store(nameOf(node, Date.parse("2027-05-01T00:00:00Z") / 1000 + 900 * quarter++, "D"), "");
    await extraction.run(signal);
  };
  await fail(own, 3);
  await fail(other, 3);
  expect(await subjects()).toEqual([]);
  await fail(own, 1);
  await fail(own, 12);
  expect(await subjects()).toEqual([
    {
      subject: `[Development] File extraction failed: Feed Pump 1, North Works (${own})`,
      to: ["desk@busbar.example"],
      body: expect.stringMatching(new RegExp(`^4 files of node ${own} could not be read today[^]*${own}_\\d{8}T\\d{6}Z_D0900.txt {2}\\S`)),
    },
  ]);
  // The next day in Denver begins at 06:00 UTC.
  server.clock.advance(10 * 3_600);
  await fail(own, 4);
  expect(await subjects()).toHaveLength(1);
  server.clock.advance(3_600 + 60);
  await fail(own, 3);
  expect(await subjects()).toHaveLength(1);
  await fail(own, 1);
  await fail(other, 4);
  expect((await subjects()).map(({ subject }) => subject).slice(1)).toEqual([
    `[Development] File extraction failed: Feed Pump 1, North Works (${own})`,
    `[Development] File extraction failed: no location (${other})`,
  ]);
  // Not of what is muted.
  server.clock.advance(86_400);
  await pool.query(
    "insert into mute (serial_number, reason, username, from_at, until_at) values ($1, '', '', to_timestamp($2), to_timestamp($2 + 60))",
    [own, server.clock.now() / 1000],
  );
  await fail(own, 4);
  expect(await subjects()).toHaveLength(3);
});

test("files of more than fifty nodes in a day are reported for fifty", async () => {
  const { pool } = server.database;
  await pool.query("delete from notification; delete from notice_told; delete from data_file");
  const at = Date.parse("2027-05-01T00:00:00Z") / 1000;
  const nodes: number[] = [];
  for (let count = 0; count < 53; count++) nodes.push(await newNode());
  await pool.query(
    `insert into data_file (serial_number, ts, kind, file_name, interval_seconds, content_hash, md5, stored_bytes, is_gzip, received_at, source, processed,
       failed_reason, extracted_at)
     select s, to_timestamp($2) + n * interval '15 minutes', 'D', s || '-' || n, 900, '', '', 1, true, now(), 'node', false, 'Empty file', to_timestamp($3)
     from unnest($1::int4[]) s cross join generate_series(1, 3) n`,
    [nodes, at, server.clock.now() / 1000],
  );
  for (const node of nodes) await store(nameOf(node, at, "D"), "");
  await extraction.run(signal);
  const { rows } = await pool.query<{ body: string }>("select body from notification where kind = 'FILE_EXTRACTION_FAILED' order by id");
  expect(rows).toHaveLength(50);
  expect(rows[48]?.body).toContain("More of this node are not reported today.");
  expect(rows[49]?.body).toContain("Files of 50 nodes failed in a day: no more nodes are reported until tomorrow.");
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

test("of more files than are read at once those are read that came first", async () => {
  const own = await newNode();
  const files = createFileExtractionStore(server.database.pool);
  await extraction.run(signal);
  const names = [2, 0, 3, 1].map((hours) => [hours, nameOf(own, lastQuarter() - 900 * hours, "D")] as const);
  for (const [hours, name] of names) await storeFile(server, name, "x", { receivedAtMs: Date.now() - hours * 3_600_000 });
  const found = await files.findPending(2, null);
  expect(new Set(found.map(({ fileName }) => fileName))).toEqual(new Set([names[0]![1], names[2]![1]]));
  await extraction.run(signal);
});
