import { randomBytes } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { getNodeFiles, type DashboardFile, type FileContents } from "@busbar/contract/files/node-files.ts";
import type { SensorDataRecord } from "@busbar/contract/telemetry/sensor-data.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createFileExtractionStore } from "#features/files/file-extraction/file-extraction.store.ts";
import { createFileExtraction } from "#features/files/file-extraction/file-extraction.task.ts";
import { createFolderFileStore } from "#lib/file-store.ts";
import { StorageFailure } from "#lib/storage-failure.ts";
import { dataPoint, nameOf } from "#testing/sample-files.ts";
import { storeFile } from "#testing/store-file.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace } from "#testing/test-world.ts";
import type { FileRow } from "./node-files.read-model.ts";
import { createNodeFiles, type NodeFilesDependencies } from "./node-files.service.ts";

const serial = 32_001;
const first = 1_790_000_100 - (1_790_000_100 % 900);
let server: TestApp;
let token: string;

beforeAll(async () => {
  server = await createTestApp();
  server.clock.advance(first + 86_400 * 3 - server.clock.now() / 1000);
  token = await server.login(await server.addAdministrator("reader"));
  await addNode(server.database.pool, serial, await addPlace(server.database.pool));
  for (let index = 0; index < 20; index++) {
    const at = first + index * 900;
    await store(nameOf(serial, at, "D"), index === 19 ? "#VDF=9\n" : dataPoint(serial, at, { voltageAvg: String(index) }));
    await store(nameOf(serial, at, "S"), "x");
  }
  const { pool } = server.database;
  const fileStore = createFolderFileStore(`${server.dataDir}/files`);
  await createFileExtraction({ pool, store: createFileExtractionStore(pool), fileStore, clock: server.clock }).run(
    new AbortController().signal,
  );
});
afterAll(() => server.stop());

const store = (name: string, content: string | Uint8Array) => storeFile(server, name, content);

const get = (path: string) => server.call({ method: "GET", url: `/api${path}`, token });
const list = async (query: string) => (await get(`/node-dashboard/${serial}/files?${query}`)).json["data"] as DashboardFile[];
const times = (files: DashboardFile[]) => files.map(({ timestamp }) => (timestamp - first) / 900);

describe("FIL-01 the files of a node", () => {
  test("A-13 limit counts files, and those of one time as the last come along, as the contract says; no file is left out or twice", async () => {
    expect(getNodeFiles.summary).toContain("and all of the same time as the last of them");
    // Two files of each time.
    expect(times(await list("limit=3"))).toEqual([19, 19, 18, 18]);
    expect(times(await list("limit=4"))).toEqual([19, 19, 18, 18]);
    const names: string[] = [];
    for (let edge = ""; ;) {
      const page = await list(`limit=3${edge}`);
      if (page.length === 0) break;
      names.push(...page.map(({ fileName }) => fileName));
      edge = `&before=${page.at(-1)!.timestamp}`;
    }
    expect([names.length, new Set(names).size]).toEqual([40, 40]);
  });

  test("need a session, a serial number, times and limits that are some", async () => {
    const path = `/api/node-dashboard/${serial}/files`;
    expect((await server.call({ method: "GET", url: path })).status).toBe(401);
    for (const [query, field] of [
      ["before=-1", "before"],
      ["after=1e3", "after"],
      ["limit=0", "limit"],
      ["limit=501", "limit"],
      ["limit=x", "limit"],
      ["kinds=Q", "kinds"],
      ["before=1&after=2", "before"],
      ["before=1&before=2", "before: is one time in epoch seconds"],
    ]) {
      const { status, json } = await get(`/node-dashboard/${serial}/files?${query}`);
      expect([query, status, json["errorMessage"]]).toEqual([query, 400, expect.stringMatching(`^${field}`)]);
    }
    expect((await get("/node-dashboard/1/files")).status).toBe(400);
    expect((await get("/node-dashboard/39999/files")).json["errorMessage"]).toBe("Node 39999 was not found");
  });

  test("newest first: of all, before a time, after a time, both ends exclusive", async () => {
    expect(times(await list("kinds=D&limit=3"))).toEqual([19, 18, 17]);
    expect(times(await list(`kinds=D&limit=3&before=${first + 900 * 17}`))).toEqual([16, 15, 14]);
    expect(times(await list(`kinds=D&limit=3&after=${first + 900 * 4}`))).toEqual([7, 6, 5]);
    expect(times(await list(`kinds=D&after=${first + 900 * 18}`))).toEqual([19]);
    expect(times(await list(`kinds=D&before=${first}`))).toEqual([]);
    expect(await list("limit=500")).toHaveLength(40);
  });

  test("files of one time are never torn apart by a page", async () => {
    const page = await list("limit=3");
    expect(page.map(({ kind, timestamp }) => `${kind}${(timestamp - first) / 900}`)).toEqual(["D19", "S19", "D18", "S18"]);
  });

  test("the first second of all times comes after -1", async () => {
    const own = serial + 1;
    await addNode(server.database.pool, own);
    await store(nameOf(own, 0, "D"), "x");
    const { json } = await get(`/node-dashboard/${own}/files?after=-1`);
    expect((json["data"] as DashboardFile[]).map(({ fileName }) => fileName)).toEqual([`${own}_19700101T000000Z_D0900.txt`]);
  });

  test("each with its state: extracted, failed with its reason, place and size", async () => {
    const [failed, extracted] = await list("kinds=D&limit=2");
    expect(failed).toMatchObject({ processed: false, failedReason: "Unknown format version 9", location: "Feed Pump 1", interval: 900 });
    expect(extracted).toMatchObject({ processed: true, failedReason: null, fileContents: null, serialNumber: String(serial) });
  });
});

test("FIL-02 whose files they are: where the node is, where it is meant to go while it is nowhere, and its first and last file", async () => {
  const { pool } = server.database;
  const meant = { unassigned_customer: "Willow Paper", unassigned_facility: "Dock", unassigned_location: "Press" };
  const summary = async (own: number) => (await get(`/node-dashboard/${own}/files/summary`)).json["data"];
  await addNode(pool, serial + 2, await addPlace(pool, "Asia/Kolkata"), meant);
  await addNode(pool, serial + 3, undefined, meant);
  const place = { customer: "Alder Pumping", facility: "North Works", location: "Feed Pump 1", timezone: "Asia/Kolkata" };
  expect(await summary(serial + 2)).toMatchObject({ ...place, earliestTimestamp: null, latestTimestamp: null });
  const nowhere = { customer: "Willow Paper", facility: "Dock", location: "Press", locationId: null, timezone: null };
  expect(await summary(serial + 3)).toMatchObject({ serialNumber: String(serial + 3), type: "Node", isConnected: false, ...nowhere });
  expect(await summary(serial)).toMatchObject({ earliestTimestamp: first, latestTimestamp: first + 900 * 19, dataInterval: 900 });
});

describe("FIL-06 the contents of a file", () => {
  const contents = async (name: string) => (await get(`/node-dashboard/files/${name}`)).json["data"] as FileContents;

  test("its text, whole when it is short", async () => {
    const name = nameOf(serial, first, "D");
    const text = dataPoint(serial, first, { voltageAvg: "0" });
    expect(await contents(name)).toMatchObject({
      fileName: name,
      fileContents: text,
      contentsLength: text.length,
      isTruncated: false,
      timezone: "America/Chicago",
    });
  });

  test("the first 1 MB of a long one, and all of it as an attachment that no browser shows", async () => {
    const name = nameOf(serial, first, "E", "txt", 2);
    const text = `${"é".repeat(700_000)}\n`;
    await store(name, text);
    const { fileContents, contentsLength, isTruncated } = await contents(name);
    expect([Buffer.byteLength(fileContents!), contentsLength, isTruncated]).toEqual([1_048_576, 1_400_001, true]);
    const raw = await get(`/node-dashboard/files/${name}/raw`);
    expect(raw.text).toBe(text);
    expect(raw.headers).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${name}"`,
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    });
  });

  test("what is not UTF-8 is read as Latin-1, its bytes beside it", async () => {
    const name = nameOf(serial, first, "E", "eve", 3);
    await store(name, Buffer.from([0x41, 0xe9]));
    expect(await contents(name)).toMatchObject({ fileContents: "Aé", sourceFileContents: "41e9" });
  });

  test.each([
    [2_097_152, 2_097_152],
    [2_097_153, null],
  ])("a one-second file of %d bytes has a length of %j: as much as it may be, or more", async (bytes, contentsLength) => {
    const name = nameOf(serial, first - 900 * (bytes % 2), "S");
    await store(name, Buffer.alloc(bytes, 0x41));
    expect((await contents(name)).contentsLength).toBe(contentsLength);
  });

  test("a gzip bomb is read as far as a file may go, in little memory", async () => {
    const name = nameOf(serial, first, "E", "txt", 4);
    await store(name, Buffer.alloc(200 * 1024 * 1024, 0x41));
    expect(await contents(name)).toMatchObject({ contentsLength: null, isTruncated: true });
    expect((await get(`/node-dashboard/files/${name}/raw`)).text.length).toBe(20 * 1024 * 1024);
  });

  test("a packed file that is cut comes as far as it goes", async () => {
    const name = nameOf(serial, first, "E", "txt", 5);
    const text = randomBytes(200_000).toString("hex");
    await storeFile(server, name, gzipSync(text).subarray(0, -20_000), { isPacked: true });
    const raw = await get(`/node-dashboard/files/${name}/raw`);
    expect(raw.text.length).toBeGreaterThan(200_000);
    expect(text.startsWith(raw.text)).toBe(true);
    expect((await contents(name)).contentsLength).toBeNull();
  });

  test.each(["..%2f..%2fetc%2fpasswd", "%252e%252e", "....//", "C:%5Cx", "a%00b", `${nameOf(serial, first, "D")}.gz`, "constructor"])(
    "the name %s is none",
    async (name) => {
      const { status } = await get(`/node-dashboard/files/${name}`);
      expect([400, 404]).toContain(status);
    },
  );

  test("a file that is not there is 404 and named", async () => {
    const name = nameOf(39_999, first, "D");
    const { status, json } = await get(`/node-dashboard/files/${name}`);
    expect([status, json["errorMessage"]]).toEqual([404, `File ${name} was not found`]);
  });
});

test("bytes that are gone are no empty download", async () => {
  const name = nameOf(serial, first - 900, "X", "csv");
  await store(name, "a,b,gone");
  const raw = () => get(`/node-dashboard/files/${name}/raw`);
  expect((await raw()).status).toBe(200);
  const { rows } = await server.database.pool.query<{ hash: Buffer }>("select content_hash as hash from data_file where file_name = $1", [
    name,
  ]);
  await createFolderFileStore(`${server.dataDir}/files`).removeIdle(rows[0]!.hash, Infinity);
  const answer = await raw();
  expect([answer.status, answer.json["errorMessage"]]).toEqual([404, `The stored bytes of file ${name} are gone`]);
  await server.database.pool.query("delete from data_file where file_name = $1", [name]);
});

test("extracting again is requested by a call, and said in the activities", async () => {
  const name = nameOf(serial, first, "D");
  const again = await server.call({ method: "POST", url: `/api/node-dashboard/files/${name}/extraction`, token });
  expect([again.status, again.json]).toEqual([200, { data: { fileName: name } }]);
  expect((await list(`kinds=D&before=${first + 1}`))[0]!.processed).toBeNull();
  // What the file held before is not shown as what it holds.
  const waiting = await get(`/node-dashboard/${serial}/sensordata/current?offset=${first}`);
  const { timestamp, processed, sensorData } = waiting.json["data"] as SensorDataRecord;
  expect([timestamp, processed, sensorData]).toEqual([first, null, {}]);
  const { rows: kept } = await server.database.pool.query("select from sensor_data where serial_number = $1 and ts = to_timestamp($2)", [
    serial,
    first,
  ]);
  expect(kept).toHaveLength(1);
  const { rows } = await server.database.pool.query("select action, object from activity where action = 'EXTRACT_FILE'");
  expect(rows).toEqual([{ action: "EXTRACT_FILE", object: name }]);
  const missing = await server.call({ method: "POST", url: `/api/node-dashboard/files/${nameOf(39_999, first, "D")}/extraction`, token });
  expect(missing.status).toBe(404);
  // A name that differs in what does not distinguish files is still another name.
  for (const other of [name.replace("_D0900", "_D0600"), name.replace(".txt", ".csv")]) {
    const answer = await server.call({ method: "POST", url: `/api/node-dashboard/files/${other}/extraction`, token });
    expect([answer.status, answer.json["errorMessage"]]).toEqual([404, `File ${other} was not found`]);
  }
  await server.database.pool.query("update data_file set processed = true where file_name = $1", [name]);
});

describe("SEN-01 SEN-04 sensor data", () => {
  const record = async (type: string, index: number) => {
    const { status, json } = await get(`/node-dashboard/${serial}/sensordata/${type}?offset=${first + index * 900}`);
    return status === 200 ? (json["data"] as SensorDataRecord) : { status, message: json["errorMessage"] };
  };
  const indexOf = (value: Awaited<ReturnType<typeof record>>) => ("timestamp" in value ? (value.timestamp - first) / 900 : value);

  test("current is the record at a time or the last before it; previous and next are its neighbours", async () => {
    expect(indexOf(await record("current", 5))).toBe(5);
    expect(indexOf(await record("current", 5.5))).toBe(5);
    expect(indexOf(await record("previous", 5))).toBe(4);
    expect(indexOf(await record("next", 5))).toBe(6);
    expect(indexOf(await record("previous", 0))).toEqual({ status: 404, message: `Earlier sensor data of node ${serial} was not found` });
    expect(indexOf(await record("next", 19))).toMatchObject({ status: 404 });
    expect(indexOf(await record("current", -1))).toMatchObject({ status: 404 });
  });

  test("with its own fields, its values and where its neighbours are", async () => {
    expect(await record("current", 5)).toMatchObject({
      serialNumber: String(serial),
      sourceFile: nameOf(serial, first + 4_500, "D"),
      processed: true,
      dataAnalysisServiceProcessed: null,
      failedReason: null,
      location: "Feed Pump 1",
      previousTimestamp: first + 3_600,
      nextTimestamp: first + 5_400,
      sensorData: { voltageAvg: 5, npVoltage: 460, harmonicI1_005: 1.482, fieldCurrentAvg: null },
    });
    expect(await record("current", 19)).toMatchObject({
      processed: false,
      failedReason: "Unknown format version 9",
      sensorData: {},
      nextTimestamp: null,
    });
  });

  test("the offset is one of three words, the time a number", async () => {
    expect((await get(`/node-dashboard/${serial}/sensordata/later?offset=1`)).json["errorMessage"]).toBe(
      "type: The offset is current, previous or next",
    );
    expect((await get(`/node-dashboard/${serial}/sensordata/next`)).json["errorMessage"]).toBe("offset: is one time in epoch seconds");
    expect((await get(`/node-dashboard/${serial}/sensordata/next?offset=x`)).status).toBe(400);
    expect((await get("/node-dashboard/39999/sensordata/next?offset=1")).json["errorMessage"]).toBe("Node 39999 was not found");
  });
});

test("A-63 bytes that the store does not give at the moment are not gone", async () => {
  const open = () => Promise.reject(Object.assign(new Error("EIO: i/o error, open"), { code: "EIO" }));
  const files = createNodeFiles({ fileStore: { open } } as unknown as NodeFilesDependencies);
  await expect(files.streamWhole({ kind: "D", isGzip: true } as FileRow)).rejects.toThrow("EIO");
});

test("A-63 what the store gives no more is no end of a file, and a failing store no short one", async () => {
  const failing = (error: Error) => {
    async function* bytes() {
      yield Buffer.from("begun");
      throw error;
    }
    return createNodeFiles({ fileStore: { open: async () => Readable.from(bytes()) } } as unknown as NodeFilesDependencies);
  };
  const row = { kind: "D", isGzip: false } as FileRow;
  const broken = Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
  await expect((await failing(broken).streamWhole(row)).toArray()).rejects.toThrow("EIO");
  expect(await failing(broken).readHead(row)).toEqual({ head: Buffer.from("begun"), length: null });
  await expect(failing(new StorageFailure("away")).readHead(row)).rejects.toThrow(StorageFailure);
});

test("A-63 who goes away while a file is sent leaves nothing open", async () => {
  for (const isGzip of [false, true]) {
    const source = new PassThrough();
    const files = createNodeFiles({ fileStore: { open: () => Promise.resolve(source) } } as unknown as NodeFilesDependencies);
    const sent = await files.streamWhole({ kind: "D", isGzip } as FileRow);
    sent.destroy();
    await expect.poll(() => source.destroyed).toBe(true);
  }
});
