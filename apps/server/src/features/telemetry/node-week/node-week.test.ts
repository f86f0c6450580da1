import type { NodeWeek } from "@busbar/contract/telemetry/node-week.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureScalarPartitions } from "#db/scalar-partitions.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, setLive } from "#testing/test-world.ts";
import { connectionLane, stepLane } from "./node-week.view.ts";

let server: TestApp;
let token: string;
/** Epoch seconds; the week ends now. */
let now: number;
const minute = 60;
const hour = 3_600;
const week = 7 * 86_400;

beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("watcher"));
  now = Math.floor(server.clock.now() / 1000);
  await ensureScalarPartitions(server.database.pool, now - week - 86_400, now);
});
afterAll(() => server.stop());

const ask = (serial: number | string, as?: string) =>
  server.call({ method: "GET", url: `/api/nodes/${serial}/week`, ...(as === undefined ? {} : { token: as }) });
const read = async (serial: number) => {
  const { status, json, text } = await ask(serial, token);
  expect([status, status === 200 ? "" : text]).toEqual([200, ""]);
  return json["data"] as NodeWeek;
};
const addScalars = (serial: number, from: number, to: number, step: number) =>
  server.database.pool.query(
    "insert into scalar (serial_number, ts) select $1, to_timestamp(t) from generate_series($2::int8, $3::int8, $4::int8) t",
    [serial, from, to, step],
  );
const addFiles = (serial: number, kind: "D" | "S", starts: readonly number[]) =>
  server.database.pool.query(
    `insert into data_file (serial_number, ts, kind, file_name, interval_seconds, content_hash, md5, stored_bytes, is_gzip, received_at, source)
     select $1, to_timestamp(t), $2, $2::text || t, 900, '', '', 1, false, to_timestamp(t), 'node' from unnest($3::float8[]) t`,
    [serial, kind, starts],
  );
const addConnection = (serial: number, changes: readonly (readonly [number, "NODE_BIRTH" | "NODE_DEATH"])[]) =>
  server.database.pool.query(
    `insert into activity (ts, actor_type, actor, action, object, description)
     select to_timestamp(t), 'Node', $1, a, $1, '' from unnest($2::float8[], $3::text[]) u (t, a)`,
    [String(serial), changes.map(([at]) => at), changes.map(([, action]) => action)],
  );
const spans = (gaps: readonly { fromTimestamp: number; toTimestamp: number }[]) =>
  gaps.map(({ fromTimestamp, toTimestamp }) => [fromTimestamp - now, toTimestamp - now]);
const series = (from: number, to: number, step: number) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);

test("401 without a session, 400 for no serial number, 404 names a node that does not exist", async () => {
  expect((await ask(10001)).status).toBe(401);
  expect((await ask("1000x", token)).status).toBe(400);
  expect((await ask(99999, token)).json).toMatchObject({ errorMessage: "Node 99999 was not found" });
});

test("of a node that never connected nothing is known, of a relay and of others' hardware no scalars and files are expected", async () => {
  await addNode(server.database.pool, 10001);
  const none = { knownFromTimestamp: null, gaps: [] };
  expect(await read(10001)).toMatchObject({
    fromTimestamp: now - week,
    toTimestamp: now,
    connected: none,
    scalars: none,
    dataFiles: none,
    oneSecondFiles: none,
    platformAway: [],
  });
  for (const [serial, type] of [
    [10002, "SEL"],
    [10003, "ThirdPartyLogger"],
  ] as const) {
    await addNode(server.database.pool, serial, undefined, { type });
    expect(await read(serial)).toMatchObject({ scalars: null, dataFiles: null, oneSecondFiles: null });
  }
});

describe("gaps between scalars", () => {
  test("are those longer than ten minutes, to the second, across midnights; shorter ones are none", async () => {
    await addNode(server.database.pool, 10011);
    const [a, b, c] = [now - 6 * 86_400, now - 3 * 86_400, now - 86_400];
    await addScalars(10011, a, b, 10);
    await addScalars(10011, b + 9 * minute, c, 10);
    await addScalars(10011, c + 30 * hour - 24 * hour, now, 10);
    const { scalars } = await read(10011);
    expect(scalars?.knownFromTimestamp).toBe(a);
    expect(spans(scalars?.gaps ?? [])).toEqual([[-86_400, -86_400 + 6 * hour]]);
  });

  test("begin with the week and reach to its end where the node was silent before and after", async () => {
    await addNode(server.database.pool, 10012);
    await addScalars(10012, now - week - hour, now - week - minute, 60);
    await addScalars(10012, now - 2 * hour, now - hour, 60);
    const { scalars } = await read(10012);
    expect(scalars?.knownFromTimestamp).toBe(now - week);
    expect(spans(scalars?.gaps ?? [])).toEqual([
      [-week, -2 * hour],
      [-hour, 0],
    ]);
  });

  test("of a node with long intervals are three of them", async () => {
    await addNode(server.database.pool, 10013, undefined, { scalar_interval_seconds: 300 });
    await addScalars(10013, now - 5 * hour, now - 4 * hour, 300);
    await addScalars(10013, now - 4 * hour + 14 * minute, now - 2 * hour, 300);
    await addScalars(10013, now - hour, now, 300);
    const { scalars, scalarGapSeconds } = await read(10013);
    expect(scalarGapSeconds).toBe(900);
    expect(spans(scalars?.gaps ?? [])).toEqual([[-2 * hour - minute, -hour]]);
  });
});

test("missing files are counted by their intervals; the newest may be on its way", async () => {
  await addNode(server.database.pool, 10021);
  const start = now - 10 * 900;
  await addFiles(
    10021,
    "D",
    series(start, now - 2 * 900, 900).filter((at) => at !== start + 900 && at !== start + 4 * 900 && at !== start + 5 * 900),
  );
  await addFiles(10021, "S", series(start, now - 5 * 900, 900));
  const { dataFiles, oneSecondFiles } = await read(10021);
  expect(dataFiles?.gaps).toEqual([
    { fromTimestamp: start + 900, toTimestamp: start + 1_800, count: 1 },
    { fromTimestamp: start + 3_600, toTimestamp: start + 5_400, count: 2 },
  ]);
  expect(oneSecondFiles).toEqual({
    knownFromTimestamp: start,
    gaps: [{ fromTimestamp: now - 4 * 900, toTimestamp: now, count: 4 }],
  });
});

test("A-63 files of one kind from before the week say nothing of the other kind", async () => {
  const whole = { knownFromTimestamp: now - week, gaps: [expect.objectContaining({ fromTimestamp: now - week, toTimestamp: now })] };
  const none = { knownFromTimestamp: null, gaps: [] };
  for (const [serial, kind] of [
    [10022, "D"],
    [10023, "S"],
  ] as const) {
    await addNode(server.database.pool, serial);
    await addFiles(serial, kind, [now - week - 900]);
    const { dataFiles, oneSecondFiles } = await read(serial);
    expect([dataFiles, oneSecondFiles]).toEqual(kind === "D" ? [whole, none] : [none, whole]);
  }
});

describe("connections", () => {
  test("gaps are from a loss to the next birth; a birth again and a loss twice change nothing", async () => {
    await addNode(server.database.pool, 10031);
    await setLive(server.database.pool, 10031, { is_connected: true, connection_changed_at: new Date((now - hour) * 1000) });
    await addConnection(10031, [
      // Of what came before the week the last counts.
      [now - week - 3 * hour, "NODE_DEATH"],
      [now - week - 2 * hour, "NODE_BIRTH"],
      [now - week - hour, "NODE_DEATH"],
      [now - week + hour, "NODE_BIRTH"],
      [now - 5 * hour, "NODE_BIRTH"],
      [now - 3 * hour, "NODE_DEATH"],
      [now - 2 * hour, "NODE_DEATH"],
      [now - hour, "NODE_BIRTH"],
    ]);
    const { connected } = await read(10031);
    expect(connected.knownFromTimestamp).toBe(now - week);
    expect(spans(connected.gaps)).toEqual([
      [-week, -week + hour],
      [-3 * hour, -hour],
    ]);
  });

  test("a node that went without a word is away since its row says so", () => {
    const state = { isConnected: false, connectionChangedAt: now - hour };
    const { gaps } = connectionLane([{ at: now - 2 * hour, isConnected: true }], state, { from: now - week, to: now });
    expect(spans(gaps)).toEqual([[-hour, 0]]);
  });
});

test("times in which the platform was away are named", async () => {
  const { pool } = server.database;
  await pool.query(
    `insert into ingest_presence (started_at, alive_at)
     values (to_timestamp($1::float8 - 7200), to_timestamp($1::float8 - 3600)), (to_timestamp($1::float8 - 1800), to_timestamp($1::float8))`,
    [now],
  );
  await addNode(pool, 10041);
  const { platformAway } = await read(10041);
  expect(platformAway).toHaveLength(1);
  // With what was not stored before it and the nodes' way back.
  expect(platformAway[0]!.fromTimestamp).toBeLessThanOrEqual(now - 3_600);
  expect(platformAway[0]!.toTimestamp).toBeGreaterThanOrEqual(now - 1_800);
});

test.each([
  [
    "before the first",
    { steps: [{ before: null, at: 600 }], last: 10_000 },
    { steps: [{ before: null, at: 601 }], last: 10_000 },
    [0, 601],
  ],
  ["after the last", { steps: [{ before: null, at: 0 }], last: 9_400 }, { steps: [{ before: null, at: 0 }], last: 9_399 }, [9_399, 10_000]],
])("nothing is missing %s while it is not later than what counts as late", (_where, inTime, late, [fromTimestamp, toTimestamp]) => {
  const options = { from: 0, to: 10_000, hadEarlier: true, intervalSeconds: undefined, lateSeconds: 600 };
  expect(stepLane(inTime, options)).toEqual({ knownFromTimestamp: 0, gaps: [] });
  expect(stepLane(late, options).gaps).toEqual([{ fromTimestamp, toTimestamp, count: null }]);
});

test("a file that is late by less than one and a half intervals is not missing yet", () => {
  const options = { from: 0, to: 10_000, hadEarlier: false, intervalSeconds: 900, lateSeconds: 2_250 };
  const lane = (last: number) => stepLane({ steps: [{ before: null, at: 1_000 }], last }, options).gaps;
  expect(lane(7_750)).toEqual([]);
  expect(lane(7_749)).toEqual([{ fromTimestamp: 8_649, toTimestamp: 10_000, count: 2 }]);
});
