import { join } from "node:path";
import type { Coverage, FileAsk, NodeCoverage } from "@busbar/contract/telemetry/coverage.ts";
import type { Change } from "@busbar/contract/system/changes.ts";
import type { DataFileKind } from "@busbar/contract/files/data-file-name.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createFileExtractionStore } from "#features/files/file-extraction/file-extraction.store.ts";
import { createFileExtraction } from "#features/files/file-extraction/file-extraction.task.ts";
import { createFolderFileStore } from "#lib/file-store.ts";
import { dataPoint, nameOf } from "#testing/sample-files.ts";
import { storeFile } from "#testing/store-file.ts";
import { ensureScalarPartitions } from "#db/scalar-partitions.ts";
import { createCoverageReadModel } from "./coverage.read-model.ts";
import { createCoverageFillStore } from "./coverage-fill.store.ts";
import { createCoverageFill } from "./coverage-fill.task.ts";
import { createDataFilesStore } from "#features/files/data-files/data-files.store.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, setLive, type TestPlace } from "#testing/test-world.ts";

let server: TestApp;
let token: string;
/** Of UTC, two days ago: days before it are over in every zone. */
let day: number;
let now: number;
let serial = 10_100;
const quarter = 900;
const hour = 3_600;

beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("watcher"));
  now = Math.floor(server.clock.now() / 1000);
  day = Math.floor(now / 86_400 - 2) * 86_400;
});
afterAll(() => server.stop());

const dayName = (at: number) => new Date(at * 1000).toISOString().slice(0, 10);
const get = async <T>(path: string): Promise<T> => {
  const { status, json, text } = await server.call({ method: "GET", url: `/api${path}`, token });
  expect([path, status, status === 200 ? "" : text]).toEqual([path, 200, ""]);
  return json["data"] as T;
};
const days = (kind = "D", from = day, to = day) => `kind=${kind}&from=${dayName(from)}&to=${dayName(to)}`;
const fleet = (query = days()) => get<Coverage>(`/coverage?${query}`);
const rowOf = async (node: number, query?: string) => (await fleet(query)).nodes.find(({ serialNumber }) => serialNumber === String(node));
const gaps = async (node: number, query = days()) =>
  (await get<NodeCoverage>(`/nodes/${node}/coverage?${query}`)).spans.map(({ status, fromTimestamp, toTimestamp, count }) => [
    status,
    (fromTimestamp - day) / hour,
    (toTimestamp - day) / hour,
    count,
  ]);
const ask = async (node: number, fromTimestamp: number, toTimestamp: number, kind = "D") => {
  const payload = { kind, fromTimestamp, toTimestamp };
  const { status, json } = await server.call({ method: "POST", url: `/api/nodes/${node}/coverage/requests`, token, payload });
  return { status, ask: json["data"] as FileAsk, message: json["errorMessage"] };
};
const asksOf = async (node: number) => (await get<NodeCoverage>(`/nodes/${node}/coverage?${days()}`)).asks;
const stay = (node: number, startedAt: number) =>
  server.database.pool.query("update node_placement set started_at = to_timestamp($2) where serial_number = $1 and ended_at is null", [
    node,
    startedAt,
  ]);

/** Stores files as ingest does. */
const receive = (node: number, starts: readonly number[], { kind = "D", interval = quarter, after = 20, md5 = "00" } = {}) =>
  inTransaction(server.database.pool, (client) =>
    createDataFilesStore(server.database.pool).store(
      client,
      starts.map((timestamp) => ({
        parsed: { serial: node, timestamp, kind: kind as DataFileKind, interval, extension: "txt" },
        hash: Buffer.from([timestamp & 255]),
        md5: md5.repeat(16),
        storedBytes: 1,
        isGzip: true,
        receivedAtMs: (timestamp + interval + after) * 1000,
        source: "node" as const,
      })),
    ),
  );
const series = (from: number, to: number, step = quarter) => Array.from({ length: (to - from) / step }, (_, index) => from + index * step);
const addPlaced = async (timezone = "UTC", columns = {}, place?: TestPlace) => {
  const at = place ?? (await addPlace(server.database.pool, timezone));
  await addNode(server.database.pool, ++serial, at, columns);
  return serial;
};

test("401 without a session, 400 for what is no kind, no day, the wrong way round or too long, 404 names the node", async () => {
  const call = (url: string, as?: string) => server.call({ method: "GET", url: `/api${url}`, ...(as === undefined ? {} : { token: as }) });
  expect((await call(`/coverage?${days()}`)).status).toBe(401);
  for (const query of [
    "kind=H&from=2026-01-01&to=2026-01-02",
    "kind=D&from=2026-02-30&to=2026-03-01",
    "kind=D&from=2026-01-02&to=2026-01-01",
  ])
    expect((await call(`/coverage?${query}`, token)).status).toBe(400);
  expect((await call("/coverage?kind=D&from=2026-01-01&to=2026-02-01", token)).json).toMatchObject({
    errorMessage: "to: is at most 31 days from the first",
  });
  expect((await call(`/nodes/99999/coverage?${days()}`, token)).json).toMatchObject({ errorMessage: "Node 99999 was not found" });
  for (const from of [-1, 4_102_444_801, 0.5])
    expect(await ask(99_999, from, day)).toMatchObject({
      status: 400,
      message: "fromTimestamp: is a time in epoch seconds, from 1970 to 2100",
    });
});

test("a day is whole, late, backfilled, failed or a part of it is missing, and the gaps say which", async () => {
  const node = await addPlaced();
  await receive(node, series(day - hour, day + 2 * hour));
  // Up to a day after its end what comes is late.
  await receive(node, series(day + 2 * hour, day + 2.5 * hour), { after: 2 * hour });
  await receive(node, series(day + 2.5 * hour, day + 3 * hour), { after: 24 * hour });
  await receive(node, series(day + 3 * hour, day + 3.5 * hour), { after: 24 * hour + 1 });
  await receive(node, series(day + 3.5 * hour, day + 4 * hour), { after: 30 * hour });
  await receive(node, series(day + 5 * hour, day + 24 * hour));
  expect(await rowOf(node)).toMatchObject({ days: "1", missing: 4, location: "Feed Pump 1" });
  expect(await gaps(node)).toEqual([
    ["late", 2, 3, 4],
    ["backfilled", 3, 4, 4],
    ["missing", 4, 5, 4],
  ]);
  // What came in time and comes again with other bytes is not late, and not backfilled.
  await receive(node, series(day, day + hour), { after: 50 * hour, md5: "11" });
  await receive(node, series(day, day + hour), { after: 2 * hour, md5: "22" });
  await receive(node, series(day + 4 * hour, day + 5 * hour), { after: 0 });
  expect((await rowOf(node))?.days).toBe("b");
  expect(await gaps(node)).toEqual([
    ["late", 2, 3, 4],
    ["backfilled", 3, 4, 4],
  ]);
});

test("a file that extraction refuses has failed until its bytes are right", async () => {
  const node = await addPlaced();
  await receive(node, series(day - hour, day + 24 * hour));
  await server.database.pool.query("update data_file set processed = true, extracted_at = now() where processed is null");
  const name = nameOf(node, day, "D");
  const extract = () => {
    const fileStore = createFolderFileStore(join(server.dataDir, "files"));
    const { pool } = server.database;
    return createFileExtraction({ pool, store: createFileExtractionStore(pool), fileStore, clock: server.clock }).run(
      new AbortController().signal,
    );
  };
  await storeFile(server, name, "no data point");
  await extract();
  expect((await rowOf(node))?.days).toBe("f");
  expect(await gaps(node)).toEqual([["failed", 0, 0.25, 1]]);
  await storeFile(server, name, dataPoint(node, day));
  await extract();
  expect(await gaps(node)).toEqual([]);
});

test("what the platform missed is kept apart from what the node left out", async () => {
  const node = await addPlaced();
  await receive(node, [...series(day - hour, day + hour), ...series(day + 3 * hour, day + 24 * hour)]);
  await server.database.pool.query(
    `insert into ingest_presence (started_at, alive_at) values (to_timestamp($1::float8 - 86400), to_timestamp($1::float8 + 3700)),
       (to_timestamp($1::float8 + 9900), to_timestamp($2::float8))`,
    [day, now],
  );
  expect(await gaps(node)).toEqual([["platform", 1, 3, 8]]);
  expect(await rowOf(node)).toMatchObject({ days: "p", missing: 0 });
  await server.database.pool.query("truncate ingest_presence");
  expect(await rowOf(node)).toMatchObject({ days: "1", missing: 8 });
});

test("clocks a day off count for no day: neither ahead nor a year back", async () => {
  const node = await addPlaced();
  await receive(node, [day - 365 * 86_400]);
  await receive(node, series(day - hour, day + 12 * hour));
  await receive(node, series(day + 12 * hour, day + 24 * hour), { after: -86_400 });
  expect(await rowOf(node)).toMatchObject({ days: "5", missing: 48 });
});

test("days are the place's: a node that moved is judged at each place by its clocks, one that is at none by nothing", async () => {
  const { pool } = server.database;
  const first = await addPlace(pool, "Pacific/Kiritimati");
  const second = await addPlace(pool, "Pacific/Pago_Pago");
  const node = await addPlaced("", {}, first);
  await stay(node, day - 5 * 86_400);
  await pool.query("delete from node_assignment where serial_number = $1", [node]);
  await pool.query("update node_placement set ended_at = to_timestamp($2) where serial_number = $1", [node, day + 2 * hour]);
  await receive(node, [day - 86_400]);
  // At +14:00 the day began 14 hours before that of UTC.
  expect(await gaps(node)).toEqual([["missing", -14, 2, 64]]);
  expect(await rowOf(node)).toMatchObject({ days: "M", missing: 64, location: "", place: -1 });
  await pool.query("insert into node_assignment (serial_number, location_id, slot) values ($1, $2, 1)", [node, second.locationId]);
  await stay(node, day + 12 * hour);
  // At -11:00 it begins at 11:00: from the next quarter after the move on it is expected again.
  expect(await gaps(node)).toEqual([
    ["missing", -14, 2, 64],
    ["missing", 12.25, 35, 91],
  ]);
  expect(await rowOf(node)).toMatchObject({ days: "M", missing: 64 + 91, location: "Feed Pump 1" });
});

test("a deployed node that never sent anything is missing all since it was placed; before, and for a relay, nothing is expected", async () => {
  const node = await addPlaced("UTC", {
    current_deployment_status: "Deployed",
    current_deployment_status_updated_at: new Date((day - 86_400) * 1000),
  });
  await stay(node, day + 6 * hour);
  expect(await gaps(node)).toEqual([["missing", 6.25, 24, 71]]);
  expect((await rowOf(node, days("D", day - 86_400, day)))?.days).toBe(".M");
  for (const columns of [{}, { type: "SEL", current_deployment_status: "Deployed" }])
    expect(await rowOf(await addPlaced("UTC", columns))).toBeUndefined();
});

test("several files of a quarter of an hour are whole together, long ones cover several", async () => {
  const short = await addPlaced("UTC", { data_point_interval_seconds: 300 });
  await receive(
    short,
    series(day - hour, day + 24 * hour, 300).filter((at) => at !== day + hour),
    { interval: 300 },
  );
  expect(await gaps(short)).toEqual([["partly", 1, 1.25, null]]);
  await receive(short, [day + hour], { interval: 300 });
  expect(await gaps(short)).toEqual([]);
  const long = await addPlaced("UTC", { data_point_interval_seconds: 3_600 });
  await receive(
    long,
    series(day - hour, day + 24 * hour, hour).filter((at) => at !== day + hour),
    { interval: hour },
  );
  expect(await gaps(long)).toEqual([["missing", 1, 2, 1]]);
});

test("what is missing is asked for again in parts, and what came of it is said", async () => {
  const node = await addPlaced();
  const { pool } = server.database;
  await setLive(pool, node, { is_connected: true });
  await receive(node, [...series(day - hour, day + hour), ...series(day + 18 * hour, day + 24 * hour)]);
  expect(await ask(node, day - hour, day)).toMatchObject({ status: 409, message: `No file of node ${node} is missing in this time` });
  expect(await ask(node, day, day)).toMatchObject({ status: 400 });
  expect(await ask(node, 0, 100)).toMatchObject({
    status: 409,
    message: "Nodes keep their files for 30 days: those of this time are gone",
  });
  const { status, ask: asked } = await ask(node, day, day + 86_400);
  expect([status, asked]).toMatchObject([200, { fileCount: 68, cameCount: 0, outcome: "waiting", askedBy: "watcher" }]);
  expect(await ask(node, day, day + 86_400)).toMatchObject({
    status: 409,
    message: `Node ${node} is asked for files of this time already`,
  });
  expect(await rowOf(node)).toMatchObject({ askedTimestamp: asked.askedTimestamp });

  const [change] = await get<Change[]>(`/changes?action=REQUEST_FILES&object=node/${node}`);
  expect(change?.after).toEqual({ kind: "D", fromTimestamp: day, toTimestamp: day + 86_400, files: 68 });

  // A part of a node's at a time.
  const take = () => {
    const at = server.clock.now();
    return createDataFilesStore(pool).takeRequests({ before: new Date(at - 3_600_000), now: new Date(at) }, 100);
  };
  const [[first], [second], rest] = [await take(), await take(), await take()];
  const names = [first, second].flatMap((taken) => (taken!.request as { names: string[] }).names);
  expect([names.length, names[0], names.at(-1), rest]).toEqual([
    68,
    nameOf(node, day + hour, "D"),
    nameOf(node, day + 17.75 * hour, "D"),
    [],
  ]);
  expect((await asksOf(node))[0]).toMatchObject({ outcome: "asked" });

  await receive(node, series(day + hour, day + 2 * hour), { after: 6 * hour });
  expect(await gaps(node)).toEqual([
    ["backfilled", 1, 2, 4],
    ["missing", 2, 18, 64],
  ]);
  // A file takes a node a moment: more may come for longer, the more it was asked for.
  server.clock.advance(900 + 68);
  expect((await asksOf(node))[0]).toMatchObject({ cameCount: 4, outcome: "asked" });
  server.clock.advance(68 + 10);
  expect((await asksOf(node))[0]).toMatchObject({ cameCount: 4, outcome: "some" });
  expect(await rowOf(node)).not.toHaveProperty("askedTimestamp");
  await receive(node, series(day + 2 * hour, day + 18 * hour), { after: 30 * hour });
  expect((await asksOf(node))[0]).toMatchObject({ cameCount: 68, outcome: "whole" });
});

test("a node that does not connect is not asked, and that is said after an hour", async () => {
  const node = await addPlaced();
  await receive(node, [...series(day - hour, day + hour), ...series(day + 2 * hour, day + 24 * hour)]);
  expect((await ask(node, day, day + 86_400)).ask).toMatchObject({ fileCount: 4, outcome: "waiting" });
  server.clock.advance(3_700);
  token = await server.login("watcher");
  expect((await asksOf(node))[0]).toMatchObject({ outcome: "notConnected" });
  expect((await ask(node, day, day + 86_400)).status).toBe(200);
});

test("more callers at once than there are connections: one asks the node, all others hear that it is asked", async () => {
  const node = await addPlaced();
  await receive(node, [...series(day - hour, day + hour), ...series(day + 2 * hour, day + 24 * hour)]);
  const callers = server.database.pool.options.max * 4;
  const answers = await Promise.all(Array.from({ length: callers }, () => ask(node, day, day + 86_400)));
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect(statuses).toEqual([200, ...Array.from({ length: callers - 1 }, () => 409)]);
});

test("at most 5,000 files are asked for at once", async () => {
  const node = await addPlaced("UTC", { data_point_interval_seconds: 1 });
  await receive(node, series(day - 10, day + 100, 1), { interval: 1 });
  expect(await ask(node, day, day + 2 * hour)).toMatchObject({
    status: 409,
    message: `Node ${node} lacks 7,100 data files in this time, more than the 5,000 it can be asked for at once: please ask for a shorter time`,
  });
  expect(await ask(node, day, day + 5_101)).toMatchObject({ status: 409 });
  expect(await ask(node, day, day + 5_100)).toMatchObject({ status: 200, ask: { fileCount: 5_000, cameCount: 0 } });
});

test("an open ask is found behind ten newer ones", async () => {
  const node = await addPlaced();
  await receive(node, series(day - hour, day));
  for (const at of series(day, day + 11 * quarter)) expect((await ask(node, at, at + quarter)).status).toBe(200);
  expect((await ask(node, day, day + quarter)).status).toBe(409);
  expect((await ask(node, day + 11 * quarter, day + 12 * quarter)).status).toBe(200);
});

test("what came before coverage was kept is put in from what is stored, with the same outcome", async () => {
  const { pool } = server.database;
  const node = await addPlaced("UTC", { data_point_interval_seconds: 300, scalar_interval_seconds: 60 });
  await receive(
    node,
    series(day - hour, day + 20 * hour, 300).filter((at) => at !== day + hour),
    { interval: 300 },
  );
  await receive(node, series(day + 20 * hour, day + 21 * hour, 300), { interval: 300, after: 3 * hour });
  await receive(node, series(day + 21 * hour, day + 22 * hour, 300), { interval: 300, after: 30 * hour });
  await pool.query("update data_file set processed = false where serial_number = $1 and ts = to_timestamp($2)", [node, day + 5 * hour]);
  await ensureScalarPartitions(pool, day, day + 86_400);
  await pool.query(
    `insert into scalar (serial_number, ts) select $1, to_timestamp(t) from generate_series($2::int8, $2::int8 + 86340, 60) t
     where t not between $2::int8 + 3600 and $2::int8 + 7199`,
    [node, day],
  );
  await pool.query("delete from coverage where serial_number = $1", [node]);
  await pool.query("insert into coverage_fill (serial_number) values ($1)", [node]);
  await createCoverageFill(pool, createCoverageFillStore(pool), server.clock).run(new AbortController().signal);
  expect(await gaps(node)).toEqual([
    ["partly", 1, 1.25, null],
    ["failed", 5, 5.25, 3],
    ["late", 20, 21, 12],
    ["backfilled", 21, 22, 12],
    ["missing", 22, 24, 24],
  ]);
  // A file that was refused is asked for again, one that is there is not.
  expect((await ask(node, day + 5 * hour, day + 5 * hour + quarter)).ask).toMatchObject({ fileCount: 1, cameCount: 0 });
  expect(await gaps(node, days("scalars"))).toEqual([["missing", 1, 2, null]]);
});

test("files that are known are those of the node and kind at whole intervals that were not refused; questions overlap where times do", async () => {
  const { pool } = server.database;
  const readModel = createCoverageReadModel(pool);
  const [own, other] = [(serial += 10), serial + 1];
  for (const each of [own, other]) await addNode(pool, each);
  const first = Math.floor(day / quarter);
  const file = (of: number, place: number, kind: string, processed: boolean | null, shift = 0) =>
    pool.query(
      `insert into data_file (serial_number, ts, kind, file_name, interval_seconds, content_hash, md5, stored_bytes, is_gzip, received_at, source, processed)
       values ($1, to_timestamp($2), $3, '', 900, '', '', 0, false, now(), 'node', $4)`,
      [of, (first + place) * quarter + shift, kind, processed],
    );
  await file(own, 0, "D", true);
  await file(own, 1, "D", false);
  await file(own, 2, "S", true);
  await file(other, 3, "D", true);
  await file(own, 4, "D", null);
  await file(own, 5, "D", true, 60);
  await file(own, 6, "D", true);
  await file(own, 9, "D", true);
  const intervals = {
    serial: own,
    kind: "D",
    step: quarter,
    runs: [
      [first, first + 6],
      [first + 8, first + 10],
    ],
  } as const;
  expect(await readModel.countKnownFiles(intervals)).toBe(3);
  expect((await readModel.missingFiles(intervals)).map((at) => at / quarter - first)).toEqual([1, 2, 3, 5, 8]);
  const ask = (of: number, kind: string, from: number, to: number) =>
    pool.query<{ id: number }>(
      `insert into file_ask (serial_number, kind, from_at, to_at, file_count, asked_by, asked_at)
       values ($1, $2, to_timestamp($3), to_timestamp($4), 1, '', to_timestamp($5)) returning id::float8`,
      [of, kind, day + from, day + to, day],
    );
  await ask(own, "D", 0, 100);
  const inside = [await ask(own, "D", 0, 101), await ask(own, "D", 199, 300)].map(({ rows }) => rows[0]!.id);
  await ask(own, "D", 200, 300);
  await ask(own, "S", 100, 200);
  await ask(other, "D", 100, 200);
  const found = await readModel.overlappingAsks(pool, own, "D", day + 100, day + 200);
  expect(found.map(({ id }) => id)).toEqual(inside.toReversed());
  const since = async (moment: number) =>
    (await readModel.asksSince("D", moment, day + 100, day + 200)).filter(({ serial: of }) => of === own).map(({ id }) => id);
  expect([await since(day - 1), await since(day)]).toEqual([inside, []]);
});
