import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";
import { createFleetSignals } from "./fleet-signals.ts";
import { createNodeSignalsStore } from "./node-signals.store.ts";

const now = 1_790_000_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

const at = (seconds: number) => new Date((now + seconds) * 1_000);

test("a node's signals are what was read of it, each for itself, and end with what they tell of", async () => {
  const { pool } = database;
  const [parent, own, other] = [30_001, 30_002, 30_003];
  const place = await addPlace(pool, "America/Denver");
  const deployed = { current_deployment_status: "Deployed", new_deployment_status: "Deployed" };
  await addNode(pool, parent, await addPlace(pool), deployed);
  await addNode(pool, own, place, {
    type: "subNode",
    parent_serial_number: parent,
    current_deployment_status: "Deployed",
    new_deployment_status: "Unassigned",
    disable_monitoring: true,
    pause_connectivity_notifications: true,
    scalar_interval_seconds: 20,
    data_point_interval_seconds: 600,
  });
  await addNode(pool, other, undefined, { ...deployed, pause_notifications: true });
  await setLive(pool, parent, { is_connected: true, connection_changed_at: at(-1) });
  await setLive(pool, own, {
    is_connected: false,
    connection_changed_at: at(-2),
    disconnect_reason: "no-answer",
    last_scalar_at: at(-3),
    oldest_value_at: at(-4),
    last_meter_at: at(-5),
    clock_skew_ms: 6_000,
    is_sensor_ok: false,
    newest_datafile_at: at(-7),
    last_one_second_file_at: at(-8),
    last_datafile_at: at(-9),
  });
  await pool.query(
    `insert into activity (ts, actor_type, actor, action, description) select to_timestamp($1::float8 - s), 'Node', $2, 'NODE_DEATH', '' from unnest(array[10, 20, 86390]) s`,
    [now, String(own)],
  );
  await pool.query("insert into quarantine values ($1, 'bad-seq', 3, to_timestamp($2), to_timestamp($2), '', '')", [own, now - 11]);
  await pool.query("insert into node_refusal values ($1, 'credentials', 4, to_timestamp($2))", [own, now - 12]);
  await pool.query("insert into alarm (serial_number, kind, raised_at, threshold) values ($1, 'underVoltage', to_timestamp($2), 10)", [
    own,
    now - 13,
  ]);
  await pool.query(
    `insert into data_file (serial_number, ts, kind, file_name, interval_seconds, content_hash, md5, stored_bytes, is_gzip, received_at, source, processed, failed_reason, extracted_at)
     values ($1, to_timestamp($2), 'D', 'x', 900, '', '', 0, false, to_timestamp($2), 'node', false, 'line 3', to_timestamp($2))`,
    [own, now - 14],
  );
  await pool.query("insert into node_config values ($1, to_timestamp($2), $3)", [own, now, { i_noise: "2" }]);
  await pool.query(
    `insert into audit_log (username, serial_number, location_name, timezone, key, old_value, new_value, result) values ('ann', $1, '', 'UTC', 'i_noise', '', '16', 'confirmed')`,
    [own],
  );

  const fleet = createFleetSignals(createNodeSignalsStore(pool));
  const follow = async (seconds: number) => [...(await fleet.follow(now + seconds))].map(({ serial }) => serial).toSorted((a, b) => a - b);
  const signalsOf = (serial: number) => fleet.signalsOf(fleet.nodes.get(serial)!);
  expect(await follow(0)).toEqual([parent, own, other]);
  const first = signalsOf(own);
  expect(first).toEqual({
    type: "subNode",
    timezone: "America/Denver",
    status: "Deployed",
    nextStatus: "Unassigned",
    pauses: { monitoring: true, notices: false, connectivity: true },
    mutedUntil: undefined,
    scalarIntervalSeconds: 20,
    dataIntervalSeconds: 600,
    isConnected: false,
    connectionChangedAt: now - 2,
    endReason: "no-answer",
    drops: [now - 86_390, now - 20, now - 10],
    refusals: [{ reason: "credentials", count: 4, lastAt: now - 12 }],
    parent: { serial: String(parent), isConnected: true },
    lastScalarAt: now - 3,
    oldestValueAt: now - 4,
    lastMeterAt: now - 5,
    clockAheadSeconds: 6,
    isSensorOk: false,
    lastDataFileAt: now - 7,
    lastSecondFileAt: now - 8,
    failedFiles: { serial: own, count: 1, since: now - 14, reason: "line 3" },
    quarantine: [{ reason: "bad-seq", count: 3, lastAt: now - 11 }],
    alarms: [{ serial: own, kind: "underVoltage", raisedAt: now - 13 }],
    configDifferences: [{ key: "i_noise", confirmed: "16", actual: "2" }],
    outage: undefined,
    platform: { awaySince: undefined, wentAt: undefined, backAt: undefined },
  });
  expect(signalsOf(other)).toMatchObject({
    pauses: { monitoring: false, notices: true, connectivity: false },
    timezone: undefined,
    parent: undefined,
    drops: [],
    refusals: [],
    quarantine: [],
    alarms: [],
    failedFiles: undefined,
    configDifferences: [],
  });
  expect(await follow(5)).toEqual([]);

  // What came once more, and what is a day old, changes what is counted.
  await pool.query("update quarantine set count = 5, last_at = to_timestamp($1)", [now + 6]);
  await pool.query("insert into node_refusal values ($1, 'topic', 1, to_timestamp($2))", [own, now + 7]);
  await pool.query(
    "insert into activity (ts, actor_type, actor, action, description) values (to_timestamp($1), 'Node', $2, 'NODE_DEATH', '')",
    [now + 8, String(own)],
  );
  await pool.query("update alarm set cleared_at = now(), changed_xid = pg_current_xact_id()");
  await pool.query("update data_file set processed = true");
  await pool.query("update node_config set config_values = $1, told_at = to_timestamp($2)", [{ i_noise: "16" }, now + 9]);
  expect(await follow(15)).toEqual([own]);
  expect(signalsOf(own)).toEqual({
    ...first,
    drops: [now - 20, now - 10, now + 8],
    refusals: [...first.refusals, { reason: "topic", count: 1, lastAt: now + 7 }],
    quarantine: [{ reason: "bad-seq", count: 5, lastAt: now + 6 }],
    alarms: [],
  });
  // Files and configurations wait for a minute.
  expect(await follow(59)).toEqual([]);
  expect(await follow(60)).toEqual([own]);
  expect(signalsOf(own)).toMatchObject({ failedFiles: undefined, configDifferences: [] });

  await setLive(pool, parent, { is_connected: false, connection_changed_at: at(61) });
  expect(await follow(65)).toEqual([parent, own]);
  expect(signalsOf(own).parent).toEqual({ serial: String(parent), isConnected: false });
  await setLive(pool, parent, { last_scalar_at: at(66) });
  expect(await follow(70)).toEqual([parent]);
  await pool.query("insert into ingest_presence (started_at, alive_at) values ($1, $2)", [at(-3_600), at(-300)]);
  expect(await follow(75)).toEqual([parent, own, other]);
  expect(signalsOf(other).platform.awaySince).toBeDefined();
  await pool.query("delete from node where serial_number = $1", [other]);
  expect(await follow(80)).toEqual([]);
  expect([...fleet.nodes.keys()].toSorted((a, b) => a - b)).toEqual([parent, own]);
});

test("what a transaction changes is followed after its end, however long it ran beside others", async () => {
  const { pool } = database;
  const [slow, quick] = [30_011, 30_012];
  for (const serial of [slow, quick]) await addNode(pool, serial);
  const fleet = createFleetSignals(createNodeSignalsStore(pool));
  const follow = async (seconds: number) => [...(await fleet.follow(now + seconds))].map(({ serial }) => serial);
  const intervalOf = (serial: number) => fleet.nodes.get(serial)!.settings.scalarIntervalSeconds;
  await follow(0);
  const client = await pool.connect();
  await client.query("begin");
  await client.query("update node_live set last_meter_at = now(), changed_xid = pg_current_xact_id() where serial_number = $1", [slow]);
  await client.query("update node set scalar_interval_seconds = 33 where serial_number = $1", [slow]);
  expect(await follow(1)).not.toContain(slow);
  await setLive(pool, quick, { last_meter_at: at(2) });
  await pool.query("update node set scalar_interval_seconds = 44 where serial_number = $1", [quick]);
  expect(await follow(3)).toContain(quick);
  expect([intervalOf(slow), intervalOf(quick)]).toEqual([10, 44]);
  await client.query("commit");
  client.release();
  expect(await follow(5)).toContain(slow);
  expect([intervalOf(slow), fleet.nodes.get(slow)!.live?.lastMeterAt]).toEqual([33, expect.any(Number)]);
});

test("A-63 nodes of a facility are lost together only while they are watched, and another database is read from its beginning", async () => {
  const { pool } = database;
  const place = await addPlace(pool);
  const deployed = { current_deployment_status: "Deployed", new_deployment_status: "Deployed" };
  const lost = [30_021, 30_022, 30_023, 30_024];
  for (const serial of lost) {
    await addNode(pool, serial, await addPlace(pool), deployed);
    await setLive(pool, serial, { is_connected: false, connection_changed_at: at(-60) });
  }
  await pool.query(
    "update location set facility_id = $1 where id in (select location_id from node_assignment where serial_number = any ($2))",
    [place.facilityId, lost],
  );
  const store = createNodeSignalsStore(pool);
  let timeline: string | undefined;
  const asked: number[] = [];
  const fleet = createFleetSignals({
    ...store,
    watermark: async (since) => ({ ...(await store.watermark(since)), ...(timeline === undefined ? {} : { timeline }) }),
    live: (since) => (asked.push(since), store.live(since)),
  });
  const outageOf = (serial: number) => fleet.signalsOf(fleet.nodes.get(serial)!).outage;
  await fleet.follow(now);
  expect(lost.map((serial) => outageOf(serial) !== undefined)).toEqual([true, true, true, true]);
  await pool.query("update node set current_deployment_status = 'Pre-Deployment' where serial_number = 30021");
  const changed = await fleet.follow(now + 1);
  expect([[...changed].some(({ serial }) => serial === 30_021), outageOf(30_021)]).toEqual([true, undefined]);
  timeline = "another";
  await fleet.follow(now + 2);
  expect([asked[0], asked[1]! > 0, asked[2]]).toEqual([0, true, 0]);
  await pool.query("delete from node where serial_number = any ($1)", [lost]);
});
