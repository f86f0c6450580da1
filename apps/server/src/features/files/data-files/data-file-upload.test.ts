import { gzipSync } from "node:zlib";
import type { InjectOptions } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dataFileName, parseDataFileName } from "@busbar/contract/files/data-file-name.ts";
import { inTransaction } from "#db/transaction.ts";
import { bytesGone } from "#lib/stored-file.ts";
import { md5Of, nameOf } from "#testing/sample-files.ts";
import { storeFile } from "#testing/store-file.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";
import { createDataFilesStore, type NewDataFile } from "./data-files.store.ts";

const serial = 33_001;
const at = 1_790_000_100;
let server: TestApp;
let token: string;
let key: string;
let foreignKey: string;

beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("uploader"));
  const place = await addPlace(server.database.pool);
  await addNode(server.database.pool, serial, place, { type: "Recorder" });
  await addNode(server.database.pool, 33_002, undefined, { type: "Recorder", current_deployment_status: "Decommissioned" });
  key = await newKey("owner", place.customerId);
  foreignKey = await newKey("stranger", (await addPlace(server.database.pool)).customerId);
});
afterAll(() => server.stop());

/** An API key of a user of this customer. */
async function newKey(username: string, customerId: number): Promise<string> {
  const { rows } = await server.database.pool.query<{ id: number }>(
    "insert into app_user (username, email, customer_id) values ($1, $1 || '@customer.example', $2) returning id",
    [username, customerId],
  );
  const { json } = await server.call({ method: "POST", url: `/api/users/${rows[0]!.id}/apikeys/uploads`, payload: {}, token });
  return (json["data"] as { key: string }).key;
}

interface Upload {
  name: string;
  bytes: Uint8Array | string;
  headers?: Record<string, string>;
  node?: number;
}
const upload = ({ name, bytes, headers = { token }, node = serial }: Upload) =>
  server.call({
    method: "POST",
    url: `/api/nodes/${node}/files/${encodeURIComponent(name)}`,
    payload: Buffer.from(bytes as string),
    headers: { "content-type": "application/octet-stream", ...headers },
  } satisfies InjectOptions);

describe("uploading a file of an external node", () => {
  const name = nameOf(serial, at, "X", "csv");

  test("needs a session or a key with the scope; another customer's key finds no such node", async () => {
    expect((await upload({ name, bytes: "x", headers: {} })).status).toBe(401);
    expect((await upload({ name, bytes: "x", headers: { "x-api-key": "nonsense" } })).status).toBe(401);
    const foreign = await upload({ name, bytes: "x", headers: { "x-api-key": foreignKey } });
    expect([foreign.status, foreign.json["errorMessage"]]).toEqual([404, `Node ${serial} was not found`]);
  });

  test("is answered after it is stored; again it is known, with other bytes it replaces", async () => {
    const headers = { "x-api-key": key };
    expect((await upload({ name, bytes: "a,b\n1,2\n", headers })).json["data"]).toMatchObject({ fileName: name, outcome: "stored" });
    expect((await upload({ name, bytes: "a,b\n1,2\n", headers })).json["data"]).toMatchObject({ outcome: "known" });
    expect((await upload({ name, bytes: "a,b\n1,3\n", headers })).json["data"]).toMatchObject({ outcome: "replaced" });
    const { json } = await server.call({ method: "GET", url: `/api/node-dashboard/files/${name}`, token });
    expect(json["data"]).toMatchObject({ fileContents: "a,b\n1,3\n", processed: null });
    const { rows } = await server.database.pool.query("select actor_type, action, object from activity where object = $1 limit 1", [name]);
    expect(rows).toEqual([{ actor_type: "ApiKey", action: "POST_NODE_FILE", object: name }]);
  });

  test("takes packed bytes as they are, and checks a digest when one is sent", async () => {
    const packed = gzipSync("packed\n");
    const other = nameOf(serial, at + 900, "X", "csv");
    const headers = { token, "content-type": "application/gzip" };
    const wrong = await upload({ name: other, bytes: packed, headers: { ...headers, "x-content-md5": "0".repeat(32) } });
    expect([wrong.status, wrong.json["errorMessage"]]).toEqual([400, "x-content-md5: Checksum mismatch"]);
    expect(
      (await upload({ name: other, bytes: packed, headers: { ...headers, "x-content-md5": md5Of(packed).toUpperCase() } })).status,
    ).toBe(200);
    const { json } = await server.call({ method: "GET", url: `/api/node-dashboard/files/${other}`, token });
    expect(json["data"]).toMatchObject({ fileContents: "packed\n" });
  });

  test("refuses names that are none or another node's, retired nodes, empty files", async () => {
    for (const bad of ["../../etc/passwd", "x", `${name}.exe`, "a\0b"]) expect((await upload({ name: bad, bytes: "x" })).status).toBe(400);
    for (const year of ["0000", "1969", "2100", "9999"])
      expect((await upload({ name: `${serial}_${year}0101T000000Z_X0000.csv`, bytes: "x" })).json["errorMessage"]).toMatch(/^fileName: /);
    expect((await upload({ name: nameOf(33_002, at, "X", "csv"), bytes: "x" })).json["errorMessage"]).toMatch(
      /^fileName: is a file of node 33002/,
    );
    expect((await upload({ name: nameOf(33_002, at, "X", "csv"), bytes: "x", node: 33_002 })).json["errorMessage"]).toBe(
      "serial: Node is decommissioned",
    );
    expect((await upload({ name: nameOf(39_999, at, "X", "csv"), bytes: "x", node: 39_999 })).status).toBe(404);
    expect((await upload({ name, bytes: "" })).json["errorMessage"]).toBe("body: Empty file");
  });

  test("refuses what is larger than its kind may be, at the boundary", async () => {
    const limit = 256 * 1024;
    const data = nameOf(serial, at, "D");
    expect((await upload({ name: data, bytes: Buffer.alloc(limit, 0x41) })).status).toBe(200);
    const large = await upload({ name: data, bytes: Buffer.alloc(limit + 1, 0x41) });
    expect([large.status, large.json["errorMessage"]]).toEqual([413, `File too large (${limit + 1} bytes)`]);
    const huge = await upload({ name, bytes: Buffer.alloc(20 * 1024 * 1024 + 1) });
    expect([huge.status, huge.json["errorMessage"]]).toEqual([413, "The request is larger than 20 MB"]);
  });

  test("other calls still take JSON only", async () => {
    const { status } = await server.call({
      method: "POST",
      url: "/api/sessions/administrator",
      payload: Buffer.from("x"),
      headers: { "content-type": "application/octet-stream" },
    });
    expect(status).toBe(415);
  });

  test("relay events and waveforms are activities of their node", async () => {
    await upload({ name: nameOf(serial, at, "E", "cev"), bytes: "FID", headers: { "x-api-key": key } });
    await upload({ name: nameOf(serial, at, "E", "eve"), bytes: "FID", headers: { "x-api-key": key } });
    const { rows } = await server.database.pool.query("select action, actor from activity where action like 'POST_CUSTOMER%' order by id");
    expect(rows).toEqual([
      { action: "POST_CUSTOMER_GP_WAVEFORM", actor: String(serial) },
      { action: "POST_CUSTOMER_GP_EVENT", actor: String(serial) },
    ]);
  });
});

describe("R7 a disk that is almost full", () => {
  let free = 4;
  let full: TestApp;
  beforeAll(async () => {
    full = await createTestApp({}, { statfs: () => Promise.resolve({ bsize: 1, blocks: 100, bfree: free, bavail: free }) });
    await addNode(full.database.pool, serial, undefined, { type: "Recorder" });
  });
  afterAll(() => full.stop());

  test("takes no upload and says why, errors say it, everything else works, and it takes them again by itself", async () => {
    const fullToken = await full.login(await full.addAdministrator("uploader", ["systemAdministrator"]));
    const send = (name: string) =>
      full.call({
        method: "POST",
        url: `/api/nodes/${serial}/files/${name}`,
        payload: Buffer.from("a,b\n"),
        headers: { token: fullToken, "content-type": "application/octet-stream" },
      });
    const name = nameOf(serial, at, "X", "csv");
    const refused = await send(name);
    const sentence = "The server's disk is almost full: files are not taken until there is room again";
    expect([refused.status, refused.json["errorCode"], refused.json["errorMessage"]]).toEqual([507, "OUT_OF_SPACE", sentence]);
    expect(refused.headers["retry-after"]).toBe("60");
    expect((await full.database.pool.query("select from data_file")).rowCount).toBe(0);
    // What the log says as an error is on /system/errors.
    const line = full
      .logText()
      .split("\n")
      .find((text) => text.includes(sentence));
    expect(JSON.parse(line!)).toMatchObject({ level: 50, freePercent: 4, msg: sentence });
    expect((await full.call({ method: "GET", url: "/api/activities", token: fullToken })).status).toBe(200);
    // What is wrong with a file is reported first: room would not help it.
    expect((await send("nonsense")).status).toBe(400);
    free = 20;
    full.clock.advance(1);
    expect((await send(name)).json["data"]).toMatchObject({ outcome: "stored" });
  });
});

test("requests are taken of nodes that are connected with their parents, the oldest of each, and those too old are forgotten", async () => {
  const { pool } = server.database;
  const store = createDataFilesStore(pool);
  const serials = Array.from({ length: 6 }, (_, index) => 37_001 + index) as [number, number, number, number, number, number];
  const [own, child, orphan, away, other, aside] = serials;
  const add = async (serial: number, isConnected: boolean, columns: Record<string, unknown> = {}) => {
    await addNode(pool, serial, undefined, columns);
    await setLive(pool, serial, { is_connected: isConnected });
  };
  await add(own, true);
  await add(away, false);
  await add(child, true, { type: "subNode", parent_serial_number: own });
  await add(orphan, true, { type: "subNode", parent_serial_number: away });
  await add(other, true);
  await add(aside, true);
  const before = new Date("2021-01-01T00:00:00Z");
  const now = new Date("2021-01-02T00:00:00Z");
  await pool.query("delete from file_request");
  const ask = async (serial: number, name: string, ago = 0) => {
    const { rows } = await pool.query<{ id: number }>(
      "insert into file_ask (serial_number, kind, from_at, to_at, file_count, asked_by, asked_at) values ($1, 'D', $2, $2, 1, '', $2) returning id::float8",
      [serial, now],
    );
    await pool.query("insert into file_request (serial_number, request, requested_at, ask_id) values ($1, $2, $3, $4)", [
      serial,
      { name },
      new Date(before.getTime() - ago),
      rows[0]!.id,
    ]);
    return rows[0]!.id;
  };
  await ask(own, "too old", 1);
  const first = await ask(own, "first");
  await ask(own, "second");
  const ofChild = await ask(child, "of the sub node");
  await ask(orphan, "without its parent");
  await ask(away, "away");
  const third = await ask(other, "third");
  const late = await ask(aside, "beyond the limit");
  await pool.query("update file_ask set sent_at = '2020-01-01' where id = $1", [third]);
  const taken = (await store.takeRequests({ before, now }, 3)).map(({ serial, parentSerial, request }) => [serial, parentSerial, request]);
  expect(new Set(taken)).toEqual(
    new Set([
      [own, null, { name: "first" }],
      [child, own, { name: "of the sub node" }],
      [other, null, { name: "third" }],
    ]),
  );
  const { rows: sent } = await pool.query<{ id: number; at: Date }>(
    "select id::float8, sent_at as at from file_ask where serial_number = any ($1::int4[]) and sent_at is not null order by id",
    [serials],
  );
  expect(sent.map(({ id, at }) => [id, at.getTime() === now.getTime()])).toEqual([
    [first, true],
    [ofChild, true],
    [third, false],
  ]);
  const { rows: left } = await pool.query<{ name: string }>("select request ->> 'name' as name from file_request order by id");
  expect(left.map(({ name }) => name)).toEqual(["second", "without its parent", "away", "beyond the limit"]);
  expect((await store.takeRequests({ before, now }, 1)).map(({ serial }) => serial)).toEqual([own]);
  expect((await store.takeRequests({ before, now }, 9)).map(({ serial }) => serial)).toEqual([aside]);
  expect(late).toBeGreaterThan(third);
});

test("a file is known by node, time, kind and part, and one is read again by its name alone", async () => {
  const { pool } = server.database;
  const store = createDataFilesStore(pool);
  await addNode(pool, 37_011);
  await addNode(pool, 37_012);
  const at = 1_700_000_100;
  const names = [
    dataFileName({ serial: 37_011, timestamp: at, kind: "D", interval: 900, extension: "txt" }),
    dataFileName({ serial: 37_011, timestamp: at, kind: "S", interval: 900, extension: "txt" }),
    dataFileName({ serial: 37_011, timestamp: at + 900, kind: "D", interval: 900, extension: "txt" }),
    dataFileName({ serial: 37_012, timestamp: at, kind: "D", interval: 900, extension: "txt" }),
  ];
  for (const name of names) await storeFile(server, name, name);
  const parsed = (name: string) => parseDataFileName(name)!;
  const known = await store.findKnown([parsed(names[0]!), parsed(dataFileName({ ...parsed(names[3]!), kind: "H" }))]);
  expect(known.map(({ serial, timestamp, kind }) => [serial, timestamp, kind])).toEqual([[37_011, at, "D"]]);
  await pool.query(
    "update data_file set processed = false, failed_reason = 'x', extracted_at = now() where serial_number in (37011, 37012)",
  );
  const waiting = async () =>
    (
      await pool.query<{ name: string }>(
        "select file_name as name from data_file where serial_number in (37011, 37012) and processed is null",
      )
    ).rows.map(({ name }) => name);
  expect([await store.extractAgain(names[1]!, parsed(names[0]!), "", "ann"), await waiting()]).toEqual([false, []]);
  expect([await store.extractAgain(names[0]!, parsed(names[0]!), "", "ann"), await waiting()]).toEqual([true, [names[0]]]);
});

test("other bytes under a known name take the place of all that was known of the file; the same bytes of none", async () => {
  const { pool } = server.database;
  const store = createDataFilesStore(pool);
  await addNode(pool, 37_021);
  const name = (interval: number) =>
    parseDataFileName(dataFileName({ serial: 37_021, timestamp: 1_700_000_100, kind: "D", interval, extension: "txt" }))!;
  const first = {
    parsed: name(900),
    md5: "11".repeat(16),
    isGzip: false,
    hash: Buffer.alloc(32, 1),
    storedBytes: 100,
    receivedAtMs: 1_700_001_000_000,
    source: "node",
  } as const;
  const second = {
    parsed: name(300),
    md5: "22".repeat(16),
    isGzip: true,
    hash: Buffer.alloc(32, 2),
    storedBytes: 50,
    receivedAtMs: 1_700_002_000_000,
    source: "upload",
  } as const;
  const storeAndExtract = async (file: NewDataFile) => {
    const outcomes = await inTransaction(pool, (client) => store.store(client, [file]));
    const { rows } = await pool.query<Record<string, unknown>>(
      `select file_name, interval_seconds, content_hash, encode(md5, 'hex') as md5, stored_bytes, is_gzip, received_at, source, processed, failed_reason,
         extracted_at, data_analysis_processed from data_file where serial_number = 37021`,
    );
    await pool.query(
      "update data_file set processed = false, failed_reason = 'x', extracted_at = now(), data_analysis_processed = true where serial_number = 37021",
    );
    return [outcomes, rows];
  };
  const rowOf = ({ parsed, md5, isGzip, hash, storedBytes, receivedAtMs, source }: NewDataFile) => ({
    file_name: dataFileName(parsed),
    interval_seconds: parsed.interval,
    content_hash: hash,
    md5,
    stored_bytes: storedBytes,
    is_gzip: isGzip,
    received_at: new Date(receivedAtMs),
    source,
    processed: null,
    failed_reason: null,
    extracted_at: null,
    data_analysis_processed: null,
  });
  expect(await storeAndExtract(first)).toEqual([["stored"], [rowOf(first)]]);
  const judged = { processed: false, failed_reason: "x", extracted_at: expect.any(Date), data_analysis_processed: true };
  expect(await storeAndExtract({ ...second, md5: first.md5 })).toEqual([["known"], [{ ...rowOf(first), ...judged }]]);
  expect(await storeAndExtract(second)).toEqual([["replaced"], [rowOf(second)]]);
  // Bytes that had been lost count as others.
  await pool.query("update data_file set failed_reason = $1 where serial_number = 37021", [bytesGone]);
  expect(await storeAndExtract({ ...second, storedBytes: 60 })).toEqual([["replaced"], [{ ...rowOf(second), stored_bytes: 60 }]]);
});
