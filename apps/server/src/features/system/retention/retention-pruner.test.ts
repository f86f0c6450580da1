import { randomUUID } from "node:crypto";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { ActivityPage } from "@busbar/contract/system/feeds.ts";
import type { FileContents } from "@busbar/contract/files/node-files.ts";
import type { SensorDataRecord } from "@busbar/contract/telemetry/sensor-data.ts";
import type { SystemConfigName } from "@busbar/contract/system/system-config.ts";
import type { DataFileKind } from "@busbar/contract/files/data-file-name.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ensureSensorDataPartitions } from "#db/sensor-data-partitions.ts";
import { createActivityTally } from "#features/system/feeds/activity-tally.task.ts";
import { startWalk } from "#services/walk.ts";
import { createFileExtractionStore } from "#features/files/file-extraction/file-extraction.store.ts";
import { createFileExtraction } from "#features/files/file-extraction/file-extraction.task.ts";
import { createFolderFileStore, fileStoreFolders, type FileStore } from "#lib/file-store.ts";
import { createSessionReaper } from "#services/session-reaper.task.ts";
import type { Task, TaskResult } from "#services/service.ts";
import { dataPoint, nameOf } from "#testing/sample-files.ts";
import { storeFile } from "#testing/store-file.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace } from "#testing/test-world.ts";
import { createExpiredFilesStore } from "./expired-files.store.ts";
import { createExpiredFiles } from "./expired-files.ts";
import { createExpiredRowsStore } from "./expired-rows.store.ts";
import { createRetentionPruner } from "./retention-pruner.task.ts";

const daySeconds = 86_400;
const signal = new AbortController().signal;
let server: TestApp;
let token: string;
let fileStore: FileStore;
let pruner: Task;
let serial = 35_000;

beforeAll(async () => {
  server = await createTestApp();
  await server.addAdministrator("keeper", ["systemAdministrator"]);
  fileStore = createFolderFileStore(join(server.dataDir, "files"), { isDurable: false });
  pruner = newPruner();
});
afterAll(() => server.stop());
// Each begins at the real time, with nothing to remove.
beforeEach(async () => {
  server.clock.advance((Date.now() - server.clock.now()) / 1000);
  token = await server.login("keeper");
  await run();
  await server.database.pool.query("truncate directory_change");
});

function newPruner(foldersPerSweep = 1): Task {
  const { pool } = server.database;
  const store = createExpiredFilesStore(pool);
  return createRetentionPruner({
    pool,
    clock: server.clock,
    files: createExpiredFiles({ pool, store, fileStore, clock: server.clock, foldersPerSweep }),
    rows: createExpiredRowsStore(pool),
    readDays: () => server.context.retentionDays(),
  });
}
const newWalk = (until: AbortSignal) =>
  startWalk({ pool: server.database.pool, clock: server.clock, service: "RetentionPruner", signal: until });
const tally = async () => createActivityTally(server.database.pool, server.clock).run(signal);
async function run(task = pruner, until = signal): Promise<TaskResult> {
  const result = await task.run(until);
  return typeof result === "number" ? { processedCount: result, did: "", logEntry: "" } : result;
}
const rows = async <Row extends object>(text: string, values: unknown[] = []) => (await server.database.pool.query<Row>(text, values)).rows;
const now = () => server.clock.now() / 1000;
const daysAgo = (days: number) => now() - days * daySeconds;
/** A quarter of an hour that began so long ago. */
const quarter = (days: number) => Math.floor(daysAgo(days) / 900) * 900;
const get = async (path: string) => server.call({ method: "GET", url: `/api${path}`, token });

async function newNode(): Promise<number> {
  await addNode(server.database.pool, ++serial, await addPlace(server.database.pool));
  return serial;
}

interface OldFile {
  own: number;
  at: number;
  kind?: DataFileKind;
  text?: string;
  /** Epoch seconds. */
  receivedAt?: number;
  isTouched?: boolean;
}

/** A file as it was stored when its interval was over. */
async function store({ own, at, kind = "D", text = `${own} ${at} ${kind}`, receivedAt = at + 900, isTouched = false }: OldFile) {
  const name = nameOf(own, at, kind);
  const hash = await storeFile(server, name, text, { receivedAtMs: receivedAt * 1000 });
  if (!isTouched) await utimes(blobPath(hash), receivedAt, receivedAt);
  return { name, hash };
}
const blobPath = (hash: Buffer) => join(server.dataDir, "files", hash.toString("hex").slice(0, 3), hash.toString("hex"));
const isStored = (hash: Buffer) =>
  fileStore.read(hash).then(
    () => true,
    () => false,
  );
const filesOf = async (own: number) =>
  (await rows<{ name: string }>("select file_name as name from data_file where serial_number = $1 order by ts, kind", [own])).map(
    ({ name }) => name,
  );

describe("partitions", () => {
  const partitionsOf = async (table: string) =>
    (
      await rows<{ name: string }>("select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1", [
        table,
      ])
    ).map(({ name }) => name);
  const day = (days: number) => `scalar_${new Date(daysAgo(days) * 1000).toISOString().slice(0, 10).replaceAll("-", "")}`;

  test("scalars have room two days ahead and go after their days; the setting counts, and what reads them is not kept waiting", async () => {
    await run();
    expect(await partitionsOf("scalar")).toEqual([3, 2, 1, 0, -1, -2].map(day));
    const reader = await server.database.pool.connect();
    try {
      await reader.query("begin");
      await reader.query(`select from ${day(3)}`);
      server.clock.advance(2 * daySeconds);
      expect((await run()).did).toMatch(/^Removed 1 day of scalars\b/);
      expect(await partitionsOf("scalar")).toEqual([5, 3, 2, 1, 0, -1, -2].map(day));
    } finally {
      await reader.query("rollback");
      reader.release();
    }
    expect((await run()).did).toMatch(/^Removed 1 day of scalars\b/);
    await server.database.pool.query("insert into system_config (key, value) values ('Retention_scalarDays', '1')");
    expect((await run()).did).toMatch(/^Removed 2 days of scalars\b/);
    expect(await partitionsOf("scalar")).toEqual([1, 0, -1, -2].map(day));
    await server.database.pool.query("delete from system_config");
    expect((await run()).did).toBe("");
  });

  test("the environment's days of scalars count before the setting", async () => {
    const other = await createTestApp({ SCALAR_RETENTION_DAYS: "7" });
    try {
      expect((await other.context.retentionDays()).scalars).toBe(7);
      expect((await server.context.retentionDays()).scalars).toBe(3);
    } finally {
      await other.stop();
    }
  });

  test("sensor data goes by whole months, once the last of a month is too old", async () => {
    await ensureSensorDataPartitions(server.database.pool, [Date.UTC(2016, 0, 5) / 1000, Date.UTC(2016, 1, 29) / 1000]);
    server.clock.advance((Date.UTC(2016, 0, 31, 23) + 3_650 * daySeconds * 1000 - server.clock.now()) / 1000);
    await run();
    expect(await partitionsOf("sensor_data")).toEqual(["sensor_data_201601", "sensor_data_201602"]);
    server.clock.advance(2 * 3_600);
    await run();
    expect(await partitionsOf("sensor_data")).toEqual(["sensor_data_201602"]);
    await server.database.pool.query("drop table sensor_data_201602");
  });
});

describe("files", () => {
  test("go with their bytes after 90 days; those of a younger interval, that came later, and events stay", async () => {
    const own = await newNode();
    const gone = [
      await store({ own, at: quarter(91) }),
      await store({ own, at: quarter(92), kind: "S" }),
      await store({ own, at: quarter(93), kind: "H" }),
    ];
    const kept = [
      await store({ own, at: quarter(400), receivedAt: daysAgo(10) }),
      await store({ own, at: quarter(94), kind: "E" }),
      await store({ own, at: quarter(89.9) }),
      await store({ own, at: quarter(1) }),
    ];
    // A clock that was far ahead: no time will make this one old but that of its arrival.
    const [future, lateFuture] = [
      await store({ own, at: quarter(-4_000), receivedAt: daysAgo(91) }),
      await store({ own, at: quarter(-4_001), receivedAt: daysAgo(89) }),
    ];
    const { processedCount, did } = await run();
    expect([processedCount, did]).toEqual([4, "Removed 4 files"]);
    const { rows: months } = await server.database.pool.query<{ ended: boolean }>(
      "select distinct month + interval '1 month' <= to_timestamp($1) as ended from coverage",
      [daysAgo(90)],
    );
    expect(months).toEqual([{ ended: false }]);
    expect(await filesOf(own)).toEqual([...kept, lateFuture].map(({ name }) => name));
    for (const { hash } of [...gone, future]) expect(await isStored(hash)).toBe(false);
    for (const { hash } of [...kept, lateFuture]) expect(await isStored(hash)).toBe(true);
    expect((await run()).processedCount).toBe(0);
  });

  test("what was asked for again goes after 90 days, with its requests, however much it is", async () => {
    const own = await newNode();
    await server.database.pool.query(
      `insert into file_ask (serial_number, kind, from_at, to_at, file_count, asked_by, asked_at)
       select $1, 'D', now(), now(), 1, 'keeper', case when n <= 201 then to_timestamp($2) else to_timestamp($3) end
       from generate_series(1, 202) n order by n`,
      [own, daysAgo(91), daysAgo(89)],
    );
    await run();
    expect(await rows("select asked_at from file_ask where serial_number = $1", [own])).toEqual([
      { asked_at: new Date(daysAgo(89) * 1000) },
    ]);
  });

  test("event files go with the events, after five years", async () => {
    const own = await newNode();
    const [gone, kept] = [await store({ own, at: quarter(1_826), kind: "E" }), await store({ own, at: quarter(1_824), kind: "E" })];
    expect((await run()).did).toBe("Removed 1 event file");
    expect([await filesOf(own), await isStored(gone.hash), await isStored(kept.hash)]).toEqual([[kept.name], false, true]);
  });

  test("bytes that another file has too stay until the last of them goes", async () => {
    const [own, other] = [await newNode(), await newNode()];
    const [first, second] = [
      await store({ own, at: quarter(95), text: "shared" }),
      await store({ own: other, at: quarter(80), text: "shared" }),
    ];
    await utimes(blobPath(first.hash), daysAgo(95), daysAgo(95));
    await run();
    expect([await filesOf(own), await filesOf(other), await isStored(second.hash)]).toEqual([[], [second.name], true]);
    server.clock.advance(11 * daySeconds);
    await run();
    expect([await filesOf(other), await isStored(second.hash)]).toEqual([[], false]);
  });

  test("the page of one that is gone says so, and its sensor data can be stepped through all the same", async () => {
    const own = await newNode();
    const times = [200, 120, 91.5, 40, 1].map(quarter);
    const extraction = createFileExtraction({
      pool: server.database.pool,
      store: createFileExtractionStore(server.database.pool),
      fileStore,
      clock: server.clock,
    });
    for (const at of times) await store({ own, at, text: dataPoint(own, at, { voltageAvg: String(at % 500) }) });
    const failed = await store({ own, at: times[3]! + 900, text: "#VDF=9\n" });
    await extraction.run(signal);
    await run();
    expect(await filesOf(own)).toEqual([nameOf(own, times[3]!, "D"), failed.name, nameOf(own, times[4]!, "D")]);
    const gone = nameOf(own, times[2]!, "D");
    for (const path of [`/node-dashboard/files/${gone}`, `/node-dashboard/files/${gone}/raw`]) {
      const { status, json } = await get(path);
      expect([status, json["errorMessage"]]).toEqual([404, `File ${gone} is not there any more: such files are kept for 90 days`]);
    }
    expect((await get(`/node-dashboard/files/${nameOf(own, quarter(2), "D")}`)).json["errorMessage"]).toMatch(/ was not found$/);
    expect(((await get(`/node-dashboard/files/${failed.name}`)).json["data"] as FileContents).fileContents).toBe("#VDF=9\n");
    // From the newest to the oldest and back: no step leaves one out.
    const step = async (offset: string, at: number) => {
      const { status, json } = await get(`/node-dashboard/${own}/sensordata/${offset}?offset=${at}`);
      expect([200, 404]).toContain(status);
      return status === 404 ? undefined : (json["data"] as SensorDataRecord);
    };
    const all = [...times.slice(0, 4), times[3]! + 900, times[4]!];
    const seen: SensorDataRecord[] = [];
    for (let record = await step("current", Math.floor(now())); record; record = await step("previous", record.timestamp))
      seen.unshift(record);
    expect(seen.map(({ timestamp }) => timestamp)).toEqual(all);
    expect(seen.map(({ previousTimestamp }) => previousTimestamp)).toEqual([null, ...all.slice(0, -1)]);
    expect(seen.map(({ nextTimestamp }) => nextTimestamp)).toEqual([...all.slice(1), null]);
    expect(seen.map(({ isSourceFileKept }) => isSourceFileKept)).toEqual([false, false, false, true, true, true]);
    expect(seen.map(({ processed }) => processed)).toEqual([true, true, true, true, false, true]);
    expect(seen.map(({ sourceFile }) => sourceFile)).toEqual(all.map((at) => nameOf(own, at, "D")));
    expect(seen.map(({ sensorData }) => sensorData["voltageAvg"])).toEqual(
      all.map((at) => (at === times[3]! + 900 ? undefined : at % 500)),
    );
    expect((await step("next", times[0]!))?.timestamp).toBe(times[1]);
    expect(await step("next", times[4]!)).toBeUndefined();
  });

  test("the count of missing files of a day is not touched", async () => {
    const own = await newNode();
    await server.database.pool.query(
      "update node_live set missing_datafile_count = 3, missing_datafile_day = $2::date, changed_xid = pg_current_xact_id() where serial_number = $1",
      [own, new Date(server.clock.now())],
    );
    for (const days of [91, 95]) await store({ own, at: quarter(days) });
    await run();
    expect(await rows("select missing_datafile_count as count from node_live where serial_number = $1", [own])).toEqual([{ count: 3 }]);
  });

  test("more than one batch of many nodes goes in one run; one that is asked to stop goes on next time", async () => {
    const first = serial + 1;
    serial += 1_300;
    await server.database.pool.query(
      `insert into data_file (serial_number, ts, kind, file_name, interval_seconds, content_hash, md5, stored_bytes, is_gzip, received_at, source)
       select s, to_timestamp($3), 'D', s::text, 900, sha256(s::text::bytea), '\\x00'::bytea, 1, true, to_timestamp($3), 'node' from generate_series($1::int4, $2::int4) s
       union all select $1, to_timestamp($3 + 900 * n), 'S', n::text, 900, sha256(n::text::bytea), '\\x00', 1, true, to_timestamp($3), 'node' from generate_series(1, 2500) n`,
      [first, serial, daysAgo(200)],
    );
    const left = async () =>
      (
        await rows<{ count: number }>("select count(*)::int as count from data_file where serial_number between $1 and $2", [first, serial])
      )[0]!.count;
    const stopping = new AbortController();
    const forgetful = createExpiredFilesStore(server.database.pool);
    const files = createExpiredFiles({
      pool: server.database.pool,
      store: { ...forgetful, unused: (hashes) => (stopping.abort(), forgetful.unused(hashes)) },
      fileStore,
      clock: server.clock,
    });
    expect(await files.prune(["D", "S"], daysAgo(90), newWalk(stopping.signal), stopping.signal)).toBe(1_000);
    expect(await left()).toBe(2_800);
    expect((await run()).did).toBe("Removed 2,800 files");
    expect(await left()).toBe(0);
  });

  test("an upload of the same bytes at the very moment of their removal finds them stored, fifty times", async () => {
    const [own, other] = [await newNode(), await newNode()];
    for (let round = 0; round < 50; round++) {
      const text = `round ${round % 5}`;
      const old = await store({ own, at: quarter(100 + round), kind: "X", text });
      const name = nameOf(other, quarter(1 + round), "X");
      const [, uploaded] = await Promise.all([
        run(),
        server.call({
          method: "POST",
          url: `/api/nodes/${other}/files/${name}`,
          payload: gzipSync(text),
          headers: { token, "content-type": "application/gzip" },
        }),
      ]);
      expect(uploaded.status).toBe(200);
      expect(await filesOf(own)).toEqual([]);
      const contents = (await get(`/node-dashboard/files/${name}`)).json["data"] as FileContents;
      expect([round, contents.fileContents, await isStored(old.hash)]).toEqual([round, text, true]);
    }
  });

  test("what a crash left is swept up in time: bytes without a row when they are idle, unfinished writes; nothing else", async () => {
    const own = await newNode();
    const kept = await store({ own, at: quarter(5) });
    // What other tests left.
    await run(newPruner(fileStoreFolders));
    const [stray, fresh] = await fileStore.putAll([Buffer.from("stray"), Buffer.from("fresh")]);
    await utimes(blobPath(stray!), daysAgo(2), daysAgo(2));
    const half = join(blobPath(kept.hash), "..", ".half");
    await writeFile(half, "half");
    await utimes(half, daysAgo(2), daysAgo(2));
    expect((await run(newPruner(fileStoreFolders))).did).toBe("Removed 2 stray contents");
    expect([await isStored(stray!), await isStored(fresh!), await isStored(kept.hash)]).toEqual([false, true, true]);
    expect(await readdir(join(half, ".."))).not.toContain(".half");
    // Every folder has its turn.
    const turns = new Set<number>();
    const counting = createExpiredFiles({
      pool: server.database.pool,
      store: createExpiredFilesStore(server.database.pool),
      fileStore: { ...fileStore, tidy: (folder) => (turns.add(folder), Promise.resolve(0)), list: async function* () {} },
      clock: server.clock,
    });
    for (let hour = 0; hour < 24 * 14; hour++) {
      await counting.sweep(newWalk(signal), signal);
      server.clock.advance(3_600);
    }
    expect(turns.size).toBe(fileStoreFolders);
  });
});

describe("events and alarms", () => {
  test("A-63 go of every node, also when there are more nodes than one step looks at", async () => {
    const count = 1_201;
    await server.database.pool.query(
      `insert into node_event (serial_number, ts, kind, body)
       select serial, to_timestamp($1), 'start', '{}' from generate_series(60001, 60000 + $2::int) serial`,
      [daysAgo(1_826), count],
    );
    expect((await run()).did).toBe("Removed 1,201 events");
    expect(await rows("select from node_event where serial_number > 60000")).toEqual([]);
  });

  test("go after five years; the node's count is of those that are kept; open alarms stay", async () => {
    const own = await newNode();
    const { pool } = server.database;
    await pool.query(
      `insert into node_event (serial_number, ts, kind, body) select $1::int4, to_timestamp($2::float8 + n), 'start', '{}'::jsonb from generate_series(1, 2100) n
       union all select $1, to_timestamp($3), 'stop', '{}'`,
      [own, daysAgo(1_826), daysAgo(1_824)],
    );
    await pool.query("update node_live set event_count = 2101, changed_xid = pg_current_xact_id() where serial_number = $1", [own]);
    const alarm = (kind: string, raised: number, cleared: number | null) =>
      pool.query(
        "insert into alarm (serial_number, kind, raised_at, cleared_at, threshold) values ($1, $2, to_timestamp($3), to_timestamp($4), 1)",
        [own, kind, raised, cleared],
      );
    await alarm("old", daysAgo(1_900), daysAgo(1_830));
    await alarm("clearedLate", daysAgo(1_900), daysAgo(1_820));
    await alarm("open", daysAgo(1_900), null);
    await alarm("young", daysAgo(1_800), daysAgo(1_800));
    const before = (await rows<{ xid: string }>("select changed_xid::text as xid from node_live where serial_number = $1", [own]))[0]!.xid;
    expect((await run()).did).toBe("Removed 2,100 events, 1 alarm");
    expect(await rows("select kind from node_event where serial_number = $1", [own])).toEqual([{ kind: "stop" }]);
    expect(await rows("select kind from alarm where serial_number = $1 order by kind", [own])).toEqual([
      { kind: "clearedLate" },
      { kind: "open" },
      { kind: "young" },
    ]);
    const [live] = await rows<{ count: number; xid: string }>(
      "select event_count as count, changed_xid::text as xid from node_live where serial_number = $1",
      [own],
    );
    // The dashboard follows.
    expect([live!.count, live!.xid === before]).toEqual([1, false]);
  });
});

describe("what happened and what was reported", () => {
  test("notifications go after two years, but none that is still to be sent", async () => {
    const add = (id: string, createdAt: number, nextAttemptAt: number | null) =>
      server.database.pool.query(
        "insert into notification (kind, subject, body, created_at, next_attempt_at, message_id) values ('TEST', $1, '', to_timestamp($2), to_timestamp($3), $1)",
        [id, createdAt, nextAttemptAt],
      );
    await add("old", daysAgo(731), null);
    await add("open", daysAgo(731), now());
    await add("young", daysAgo(729), null);
    expect((await run()).did).toBe("Removed 1 notification");
    expect(await rows("select subject from notification order by id")).toEqual([{ subject: "open" }, { subject: "young" }]);
    await server.database.pool.query("delete from notification");
  });

  test("FEE-02 FEE-03 activities go after two years, and every page stays right: of all, of one action, counted or not", async () => {
    const { pool } = server.database;
    await pool.query("truncate activity, activity_tally restart identity");
    await pool.query("update activity_tally_state set settled_block = 0, seen_block = 0, seen_xid = '0'");
    await pool.query(
      `insert into activity (ts, actor_type, actor, action, description)
       select to_timestamp($1::float8 + 3600 * n), 'User', 'kim', case when n % 3 = 0 then 'POST_CUSTOMER_GP_EVENT' else 'LOGIN' end, n::text from generate_series(1, 20000) n`,
      [daysAgo(730) - 3_600 * 10_000 - 1_800],
    );
    await tally();
    await tally();
    const check = async (left: number) => {
      const kept = await rows<{ n: number; action: string }>("select description::int as n, action from activity order by id desc");
      expect(kept).toHaveLength(left);
      for (const action of ["", "LOGIN", "POST_CUSTOMER_GP_EVENT"]) {
        const expected = kept.filter((row) => action === "" || row.action === action).map(({ n }) => n);
        for (const from of [1, 2, 3_000, 4_096, 4_097, 9_000, expected.length - 9, expected.length, expected.length + 1].filter(
          (each) => each > 0,
        )) {
          const page = (await get(`/activities?from=${from}&count=10${action && `&action=${action}`}`)).json["data"] as ActivityPage;
          const numbers = page.activities.map(({ description }) => Number(description));
          expect([action, from, page.total, numbers]).toEqual([action, from, expected.length, expected.slice(from - 1, from + 9)]);
        }
      }
    };
    await check(20_000);
    // In the middle of a block that is counted.
    expect((await run()).did).toBe("Removed 10,000 activities");
    await check(10_000);
    expect(await rows("select from activity_tally where hour < (select min(floor(extract(epoch from ts) / 3600)) from activity)")).toEqual(
      [],
    );
    // Blocks that were not counted before they lost rows.
    await pool.query("update activity_tally_state set settled_block = 3, seen_block = 3");
    await pool.query("delete from activity_tally");
    await pool.query(
      `insert into activity_tally (action, hour, count)
       select coalesce(action, ''), floor(extract(epoch from ts) / 3600), count(*) from activity where id < 3 << 12
       group by grouping sets ((action, 2), (2))`,
    );
    server.clock.advance(3_600 * 5_000);
    token = await server.login("keeper");
    await pool.query("delete from activity where actor = 'keeper'");
    expect((await run()).did).toContain("5,000 activities");
    await check(5_000);
    await tally();
    await tally();
    await check(5_000);
  });

  test("counting and forgetting at the same time leave the right counts", async () => {
    const { pool } = server.database;
    await pool.query("truncate activity, activity_tally restart identity");
    await pool.query("update activity_tally_state set settled_block = 0, seen_block = 0, seen_xid = '0'");
    await pool.query(
      "insert into activity (ts, actor_type, actor, action, description) select to_timestamp($1::float8 + n), 'User', 'kim', 'LOGIN', n::text from generate_series(1, 30000) n",
      [daysAgo(731)],
    );
    await tally();
    await Promise.all([run(), tally()]);
    const kept = (await rows<{ count: number }>("select count(*)::int as count from activity"))[0]!.count;
    expect(((await get("/activities")).json["data"] as ActivityPage).total).toBe(kept);
    await tally();
    await tally();
    expect(((await get("/activities")).json["data"] as ActivityPage).total).toBe(kept);
  });

  test("verdicts that are over go after two years; the last one of a node stays, however old", async () => {
    await addNode(server.database.pool, 46_001);
    for (const [days, kind] of [
      [900, "fine"],
      [800, "away"],
      [750, "fine"],
    ] as const)
      await rows("insert into node_verdict_history values (46001, to_timestamp($1), $2, '', '')", [daysAgo(days), kind]);
    await run();
    expect(await rows("select kind from node_verdict_history")).toEqual([{ kind: "fine" }]);
    await rows("insert into node_verdict_history values (46001, to_timestamp($1), 'late', '', '')", [daysAgo(700)]);
    await run();
    expect(await rows("select kind from node_verdict_history")).toEqual([{ kind: "late" }]);
  });

  test("incidents and mutes that ended go after two years; what goes on stays, however old", async () => {
    await addNode(server.database.pool, 46_002);
    for (const [cause, ended] of [
      ["old", daysAgo(750)],
      ["young", daysAgo(700)],
      ["open", null],
    ] as const)
      await rows(
        `with i as (insert into incident (cause, kind, alarm_kind, began_at, ended_at) values ($1, 'link', '', to_timestamp($2), to_timestamp($3)) returning id),
           n as (insert into incident_note (incident_id, at, note) select id, now(), 'Seen' from i)
         insert into incident_member (incident_id, serial_number, began_at, last_began_at, count) select id, 46002, now(), now(), 1 from i`,
        [cause, daysAgo(800), ended],
      );
    for (const days of [750, 700, -1])
      await rows(
        "insert into mute (serial_number, reason, username, from_at, until_at) values (46002, 'Rewinding', 'kim', to_timestamp($1), to_timestamp($2))",
        [daysAgo(800), daysAgo(days)],
      );
    await run();
    expect(await rows("select cause from incident order by id")).toEqual([{ cause: "young" }, { cause: "open" }]);
    expect(await rows("select count(*)::int as count from mute where serial_number = 46002")).toEqual([{ count: 2 }]);
  });

  test("sessions that ended are kept as long as activities", async () => {
    const id = randomUUID();
    await server.database.pool.query(
      `insert into session (id, user_id, roles, is_administrator, signed_in_at, issued_at, expires_at, last_used_at)
       select $1, id, '{}', true, to_timestamp($2), to_timestamp($2), to_timestamp($2), to_timestamp($2) from app_user limit 1`,
      [id, daysAgo(100)],
    );
    const reaper = createSessionReaper(server.database.pool, server.clock, async () => (await server.context.retentionDays()).activities);
    await reaper.run(signal);
    expect(await rows("select from session where id = $1", [id])).toHaveLength(1);
    await server.database.pool.query("insert into system_config (key, value) values ('Retention_activityDays', '99')");
    await reaper.run(signal);
    expect(await rows("select from session where id = $1", [id])).toHaveLength(0);
    await server.database.pool.query("delete from system_config");
  });

  test("old notes of directory changes go, the newest stays", async () => {
    await server.database.pool.query("truncate directory_change");
    for (const code of ["aa", "bb", "cc"]) await server.database.pool.query("insert into customer (code, name) values ($1, $1)", [code]);
    await run();
    expect(await rows("select from directory_change")).toHaveLength(3);
    // The database notes them by its own clock.
    const ahead = (Date.now() - server.clock.now()) / 1000;
    server.clock.advance(ahead + 6 * daySeconds);
    await run();
    expect(await rows("select from directory_change")).toHaveLength(3);
    server.clock.advance(2 * daySeconds);
    await run();
    expect(await rows("select from directory_change")).toHaveLength(1);
  });

  test("old notes of whose sessions changed go", async () => {
    await server.database.pool.query("truncate session_change");
    await server.database.pool.query("update app_user set first_name = 'Anew'");
    const ahead = (Date.now() - server.clock.now()) / 1000;
    server.clock.advance(ahead + 6 * daySeconds);
    await run();
    expect(await rows("select from session_change")).not.toEqual([]);
    server.clock.advance(2 * daySeconds);
    await run();
    expect(await rows("select from session_change")).toEqual([]);
  });
});

describe("the settings", () => {
  const bounds: [SystemConfigName, number, number][] = [
    ["Retention_scalarDays", 1, 400],
    ["Retention_fileDays", 7, 3_650],
    ["Retention_sensorDataDays", 90, 36_500],
    ["Retention_eventDays", 30, 36_500],
    ["Retention_notificationDays", 90, 36_500],
    ["Retention_activityDays", 90, 36_500],
  ];
  test("SYS-05 take whole days within their bounds, and no others", async () => {
    const set = (name: string, value: number | string) =>
      server.call({ method: "PATCH", url: "/api/system/config", token, payload: { [name]: String(value) } });
    for (const [name, least, most] of bounds) {
      expect([name, (await set(name, least)).status, (await set(name, most)).status]).toEqual([name, 200, 200]);
      for (const [value, why] of [
        [least - 1, `is at least ${least} days`],
        [most + 1, `is at most ${most} days`],
        [`${least}.5`, "is a whole number of days"],
      ] as const) {
        const { status, json } = await set(name, value);
        expect([status, json["errorMessage"]]).toEqual([400, `${name}: ${why}`]);
      }
    }
    expect(await server.context.retentionDays()).toEqual({
      scalars: 400,
      files: 3_650,
      sensorData: 36_500,
      events: 36_500,
      notifications: 36_500,
      activities: 36_500,
    });
    await server.database.pool.query("delete from system_config");
    expect(await server.context.retentionDays()).toEqual({
      scalars: 3,
      files: 90,
      sensorData: 3_650,
      events: 1_825,
      notifications: 730,
      activities: 730,
    });
  });
});

test("a step that fails keeps none of the others from their work, and the service says which", async () => {
  const own = await newNode();
  await store({ own, at: quarter(91) });
  const withRows = (change: Partial<ReturnType<typeof createExpiredRowsStore>>) =>
    createRetentionPruner({
      pool: server.database.pool,
      clock: server.clock,
      files: createExpiredFiles({
        pool: server.database.pool,
        store: createExpiredFilesStore(server.database.pool),
        fileStore,
        clock: server.clock,
        foldersPerSweep: 0,
      }),
      rows: { ...createExpiredRowsStore(server.database.pool), ...change },
      readDays: () => server.context.retentionDays(),
    });
  const failing = withRows({ findAlarms: () => Promise.reject(new Error("no such table")) });
  await expect(failing.run(signal)).rejects.toThrow("alarms: no such table; Removed 1 file");
  expect(await filesOf(own)).toEqual([]);
  // One that is asked to stop begins no other step.
  const stopping = new AbortController();
  const begun: string[] = [];
  const stopped = withRows({
    findAlarms: async () => (stopping.abort(), begun.push("alarms"), []),
    forgetCoverage: async () => void begun.push("coverage"),
  });
  await stopped.run(stopping.signal);
  expect(begun).toEqual(["alarms"]);
});

describe("of rows to forget", () => {
  // Long before all other rows.
  const before = Date.UTC(2001, 1, 1) / 1000;
  const store = () => createExpiredRowsStore(server.database.pool);
  type Finder = Extract<keyof ReturnType<typeof createExpiredRowsStore>, `find${string}`>;
  const addOf = (statement: string) => async (own: number, at: number, isOpen: boolean) =>
    (await rows<{ id: string }>(`${statement} as id`, [own, at, isOpen]))[0]!.id;
  const kinds: Record<string, { find: Finder; add: ReturnType<typeof addOf> }> = {
    alarm: {
      find: "findAlarms",
      add: addOf(
        "insert into alarm (serial_number, kind, raised_at, cleared_at, threshold) values ($1, 'underVoltage', to_timestamp($2 - 9), case when not $3 then to_timestamp($2) end, 1) returning id::text",
      ),
    },
    incident: {
      find: "findIncidents",
      add: addOf(
        "insert into incident (cause, kind, alarm_kind, began_at, ended_at) values ($1::int4 || ' ' || $2::float8, 'link', '', to_timestamp($2 - 9), case when not $3 then to_timestamp($2) end) returning id::text",
      ),
    },
    mute: {
      find: "findMutes",
      add: addOf(
        "insert into mute (serial_number, from_at, until_at, reason, username) values ($1, to_timestamp($2 - 9), case when $3 then now() else to_timestamp($2) end, '', '') returning id::text",
      ),
    },
    notification: {
      find: "findNotifications",
      add: addOf(
        "insert into notification (kind, subject, body, message_id, created_at, next_attempt_at) values ('', '', '', $1::int4 || ' ' || $2::float8, to_timestamp($2), case when $3 then now() end) returning id::text",
      ),
    },
    activity: {
      find: "findActivities",
      add: addOf(
        "insert into activity (ts, actor_type, actor, action, description) values (case when $3 then now() else to_timestamp($2) end, 'Node', $1, '', '') returning id::text",
      ),
    },
    verdict: {
      find: "findVerdicts",
      add: addOf(
        `insert into node_verdict_history (serial_number, began_at, kind, gravity, sentence)
         values ($1, case when $3 then now() else to_timestamp($2) end, 'fine', 'fine', '') returning serial_number || ' ' || extract(epoch from began_at)`,
      ),
    },
  };

  test.each(Object.entries(kinds))(
    "each %s is found whose time is over, but for those set aside, which are asked for",
    async (kind, { find, add }) => {
      const own = await newNode();
      const [first, second] = [await add(own, before - 2, false), await add(own, before - 1, false)];
      await add(own, before, false);
      await add(own, before - 3, true);
      if (kind === "verdict") await add(await newNode(), before - 9, false);
      expect(await store()[find](before, 10_000, null)).toEqual([first, second]);
      const setAside = (service: string, of: string, item: string) =>
        rows("insert into service_set_aside values ($1, $2, $3, '', 1, now(), now(), now())", [service, of, item]);
      await setAside("RetentionPruner", "other", first);
      await setAside("Other", kind, first);
      await setAside("RetentionPruner", kind, second);
      expect(await store()[find](before, 10_000, null)).toEqual([first]);
      expect(await store()[find](before, 10_000, [second])).toEqual([second]);
      await rows("delete from service_set_aside");
    },
  );

  test("a month goes when all of it is over, a question when it is old, and nodes with old events are named", async () => {
    const own = await newNode();
    await rows(
      "insert into coverage (kind, month, serial_number, received) select 'D', m::date, $1, repeat('0', 2976)::bit(2976) from unnest($2::text[]) m",
      [own, ["2000-12-01", "2001-01-01", "2001-02-01"]],
    );
    await store().forgetCoverage(before - 1);
    const months = () => rows("select to_char(month, 'YYYY-MM') as month from coverage where serial_number = $1 order by 1", [own]);
    expect(await months()).toEqual([{ month: "2001-01" }, { month: "2001-02" }]);
    await store().forgetCoverage(before);
    expect(await months()).toEqual([{ month: "2001-02" }]);
    await rows(
      "insert into file_ask (serial_number, kind, from_at, to_at, file_count, asked_by, asked_at) select $1, 'D', now(), now(), n, '', to_timestamp($2 + n) from generate_series(-2, 0) n",
      [own, before],
    );
    expect([await store().forgetFileAsks(before, 1), await store().forgetFileAsks(before, 10)]).toEqual([1, 1]);
    expect(await rows("select file_count as count from file_ask where serial_number = $1", [own])).toEqual([{ count: 0 }]);
    const other = await newNode();
    await rows(
      "insert into node_event (serial_number, ts, kind, body) values ($1, to_timestamp($3 - 1), '', '{}'), ($2, to_timestamp($3), '', '{}')",
      [other, own, before],
    );
    expect(await store().serialsWithOldEvents([own, other], before)).toEqual([other]);
  });
});
