import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { decodePayload } from "@busbar/sparkplug/decode.ts";
import type { MetricInput } from "@busbar/sparkplug/payload.ts";
import { metricAliases, metricNames, scalarMeasurements, type MetricName } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { birthMetrics, createTestIngest, scalarMetrics, startTestNode, zoneAtDaytime, type TestIngest } from "#testing/test-ingest.ts";
import { addPlace, setLive } from "#testing/test-world.ts";
import { inTransaction } from "#db/transaction.ts";
import { createConnectivityStore } from "#features/telemetry/connectivity/connectivity.store.ts";
import { localDay } from "#lib/local-day.ts";
import type { IngestEntry } from "./ingest-entry.ts";
import { planBatch } from "./ingest-plan.ts";
import { createLiveState } from "./live-state.ts";
import { createScalarsStore } from "./scalars.store.ts";
import { bareEntry } from "./settled-entry.ts";
import { readTelemetry, type Telemetry } from "./telemetry.ts";

let ingest: TestIngest;
beforeAll(async () => {
  ingest = await createTestIngest();
});
afterAll(() => ingest.stop());

interface Live {
  is_connected: boolean;
  last_scalar_at: Date | null;
  last_scalar_data: string;
  oldest_value_at: Date | null;
  last_meter_at: Date | null;
  missing_scalar_count: number;
  missing_scalar_day: string;
  is_sensor_ok: boolean | null;
  event_count: number;
}
const live = async (serial: number) => {
  const [row] = await ingest.rows<Live>(
    "select *, missing_scalar_day::text as missing_scalar_day from node_live where serial_number = $1",
    [serial],
  );
  return row!;
};
const stored = (serial: number) =>
  ingest.rows<{ ts: Date; line_frequency: number; voltage3: number }>("select * from scalar where serial_number = $1 order by ts", [
    serial,
  ]);
const activities = async (serial: number) =>
  (await ingest.rows<{ action: string }>("select action from activity where actor = $1 order by id", [String(serial)])).map(
    ({ action }) => action,
  );

describe("scalars", () => {
  test("a QoS 1 scalar is in the table when its acknowledgement arrives", async () => {
    await ingest.addNode(10_001);
    const node = await startTestNode(ingest, 10_001);
    await node.birth();
    const atMs = Date.now();
    await node.data(scalarMetrics(atMs, 60.5));
    expect(await stored(10_001)).toMatchObject([{ ts: new Date(atMs), version: 1, flag: 1, line_frequency: 60.5, voltage3: 60.5 }]);
    expect(await live(10_001)).toMatchObject({ is_connected: true, last_scalar_at: new Date(atMs), missing_scalar_count: 0 });
    expect((await live(10_001)).last_scalar_data).toBe(`1,1,${atMs},60.5,60.5,60.5,60.5,60.5,60.5,60.5,,,,,,,,,`);
  });

  test("A-01 scalars of a place whose zone this program does not know are stored, and count by UTC's days", async () => {
    const place = await addPlace(ingest.database.pool, "Mars/Olympus");
    await ingest.addNode(10_011, place);
    const node = await startTestNode(ingest, 10_011);
    await node.birth();
    const atMs = Date.now();
    await node.data(scalarMetrics(atMs, 60));
    expect(await stored(10_011)).toHaveLength(1);
    expect((await live(10_011)).missing_scalar_day).toBe(new Date(atMs).toISOString().slice(0, 10));
  });

  test.each([
    ["node_live", 10_050],
    ["node", 10_060],
  ])("a node whose row in %s is held waits by itself, and loses nothing", async (table, serial) => {
    const others = [serial + 2, serial + 4];
    for (const one of [serial, ...others]) await ingest.addNode(one);
    const nodes = await Promise.all(others.map((one) => startTestNode(ingest, one)));
    for (const node of nodes) await node.birth();
    const slow = await startTestNode(ingest, serial);
    const holder = await ingest.database.pool.connect();
    await holder.query("begin");
    await holder.query(`select from ${table} where serial_number = ${serial} for update`);
    // Its birth changes both rows.
    const waiting = [slow.birth(), slow.data(scalarMetrics(Date.now(), 60))];
    for (let step = 1; step <= 3; step++) {
      for (const node of nodes) await node.data(scalarMetrics(Date.now(), step));
    }
    for (const one of others) expect((await stored(one)).map(({ line_frequency }) => line_frequency)).toEqual([1, 2, 3]);
    expect(await stored(serial)).toEqual([]);
    await holder.query("rollback");
    holder.release();
    await Promise.all(waiting);
    expect(await stored(serial)).toHaveLength(1);
    expect((await live(serial)).is_connected).toBe(true);
  });

  test("the same scalar twice is one row", async () => {
    await ingest.addNode(10_002);
    const node = await startTestNode(ingest, 10_002);
    await node.birth();
    const atMs = Date.now();
    await node.data(scalarMetrics(atMs, 1));
    await node.data(scalarMetrics(atMs, 2));
    expect(await stored(10_002)).toMatchObject([{ line_frequency: 1 }]);
  });

  test("what a node kept and sends again after our restart is one row, and so is what comes with it", async () => {
    for (const serial of [10_048, 10_049]) await ingest.addNode(serial);
    const atMs = Date.now() - 60_000;
    const kept = () => scalarMetrics(atMs, 7, { isHistorical: true });
    const node = await startTestNode(ingest, 10_048);
    await node.birth();
    // No last value says that it is stored.
    await node.data(kept());
    const restarted = await createTestIngest({}, ingest.database);
    // The broker that held its connection is gone.
    expect(await live(10_048)).toMatchObject({ is_connected: false, disconnect_reason: "restart" });
    const [again, other] = [await startTestNode(restarted, 10_048, 1), await startTestNode(restarted, 10_049)];
    await Promise.all([again.birth(), other.birth()]);
    await Promise.all([again.data([...kept(), ...scalarMetrics(atMs + 10_000, 8)]), other.data(scalarMetrics(atMs, 9))]);
    await restarted.stop();
    expect((await stored(10_048)).map((row) => row.line_frequency)).toEqual([7, 8]);
    expect((await stored(10_049)).map((row) => row.line_frequency)).toEqual([9]);
  });

  test("historical and late scalars go to history and leave the last value alone", async () => {
    await ingest.addNode(10_003);
    const node = await startTestNode(ingest, 10_003);
    await node.birth();
    const now = Date.now();
    await node.data(scalarMetrics(now, 3));
    await node.data(scalarMetrics(now - 20_000, 2, { isHistorical: true }));
    await node.data(scalarMetrics(now - 40_000, 1));
    expect((await stored(10_003)).map((row) => row.line_frequency)).toEqual([1, 2, 3]);
    expect(await live(10_003)).toMatchObject({ last_scalar_at: new Date(now), last_scalar_data: expect.stringContaining(",3,3,3,") });
  });

  test("several times in one message are several scalars", async () => {
    await ingest.addNode(10_004);
    const node = await startTestNode(ingest, 10_004);
    await node.birth();
    const now = Date.now();
    await node.data([...scalarMetrics(now - 10_000, 1), ...scalarMetrics(now, 2)]);
    expect((await stored(10_004)).map((row) => row.line_frequency)).toEqual([1, 2]);
  });

  test("powers that come with a scalar are in its text and count as a meter reading", async () => {
    await ingest.addNode(10_005);
    const node = await startTestNode(ingest, 10_005);
    await node.birth();
    const atMs = Date.now();
    await node.data([...scalarMetrics(atMs, 480), { alias: 20, datatype: DataType.Float, value: 12.3456, timestamp: atMs }]);
    expect(await live(10_005)).toMatchObject({
      last_scalar_data: `1,1,${atMs},480,480,480,480,480,480,480,12.346,,,,,,,,`,
      last_meter_at: new Date(atMs),
    });
  });

  test("times in the future, before 2010 and before the kept days are refused, the node is seen all the same", async () => {
    await ingest.addNode(10_006);
    const node = await startTestNode(ingest, 10_006);
    await node.birth();
    const now = Date.now();
    for (const atMs of [now + 3_600_000, Date.UTC(2009, 5), now - 10 * 86_400_000, Date.UTC(9999, 11), 2 ** 63]) {
      await node.data(scalarMetrics(atMs, 1));
    }
    expect(await stored(10_006)).toEqual([]);
    expect(await ingest.rows("select reason, count::int from quarantine where serial_number = 10006 order by reason")).toEqual([
      { reason: "older-than-retention", count: 1 },
      { reason: "timestamp-in-future", count: 3 },
      { reason: "timestamp-too-old", count: 1 },
    ]);
    expect(await live(10_006)).toMatchObject({ last_seen_at: expect.any(Date), last_scalar_at: null });
  });
});

describe("A-24 report by exception", () => {
  const one = (name: MetricName, value: number | null, timestamp: number): MetricInput => ({
    alias: metricAliases[name],
    datatype: DataType.Float,
    timestamp,
    ...(value === null ? { isNull: true } : { value }),
  });

  test("a message with what changed leaves every other value with its own time, also after a restart", async () => {
    await ingest.addNode(10_041);
    const node = await startTestNode(ingest, 10_041);
    await node.birth();
    const atMs = Date.now() - 20_000;
    await node.data(scalarMetrics(atMs, 60));
    await node.data([one(metricNames.current2, 61.5, atMs + 10_000)]);
    expect(await live(10_041)).toMatchObject({
      last_scalar_data: `1,1,${atMs + 10_000},60,60,61.5,60,60,60,60,,,,,,,,,`,
      last_scalar_at: new Date(atMs + 10_000),
      oldest_value_at: new Date(atMs),
      missing_scalar_count: 0,
    });
    const restarted = await createTestIngest({}, ingest.database);
    const again = await startTestNode(restarted, 10_041, 1);
    await again.birth();
    await again.data([one(metricNames.voltage1, null, atMs + 15_000), one(metricNames.lineFrequency, 59, atMs + 15_000)]);
    await restarted.stop();
    expect(await live(10_041)).toMatchObject({
      last_scalar_data: `1,1,${atMs + 15_000},59,60,61.5,60,,60,60,,,,,,,,,`,
      oldest_value_at: new Date(atMs),
    });
  });

  test("a birth's values are last values, and no scalar of the history", async () => {
    await ingest.addNode(10_042);
    const node = await startTestNode(ingest, 10_042);
    const atMs = Date.now() - 5_000;
    const born = birthMetrics().map((metric) =>
      metric.name === metricNames.voltage1 ? { ...metric, isNull: false, value: 480, timestamp: atMs } : metric,
    );
    await node.birth(born);
    expect(await live(10_042)).toMatchObject({
      last_scalar_data: `,,${atMs},,,,,480,,,,,,,,,,,`,
      last_scalar_at: null,
      missing_scalar_count: 0,
    });
    await node.data([one(metricNames.current1, 7, atMs + 1_000)]);
    expect(await live(10_042)).toMatchObject({
      last_scalar_data: `,,${atMs + 1_000},,7,,,480,,,,,,,,,,,`,
      last_scalar_at: new Date(atMs + 1_000),
      oldest_value_at: new Date(atMs),
    });
    await node.data([{ ...one(metricNames.voltage1, 1, atMs + 2_000), isHistorical: true }]);
    expect((await live(10_042)).last_scalar_data).toBe(`,,${atMs + 1_000},,7,,,480,,,,,,,,,,,`);
    expect(await stored(10_042)).toHaveLength(2);
  });

  test("a scalar in one message or in several, in any order, ends in the same rows", async () => {
    const start = Date.now() - 60_000;
    const scalars = [0, 1, 2].map((index) => scalarMetrics(start + 10_000 * index, 50 + index));
    const send = async (serial: number, messages: readonly MetricInput[][]) => {
      await ingest.addNode(serial, await addPlace(ingest.database.pool, zoneAtDaytime()));
      const node = await startTestNode(ingest, serial);
      await node.birth();
      for (const metrics of messages) await node.data(metrics);
    };
    const [first = [], second = [], third = []] = scalars;
    await send(10_043, scalars);
    await send(
      10_044,
      scalars.flatMap((metrics) => metrics.map((metric) => [metric])),
    );
    await send(10_045, [third.slice(4), first, second.slice(0, 3), third.slice(0, 4), second.slice(3)]);
    await send(10_046, [[...first.slice(0, 5), ...second.slice(2)], [...second.slice(0, 2), ...third], first.slice(5)]);
    const state = (serial: number) =>
      ingest.rows(
        `select last_scalar_at, last_scalar_data, last_scalar_times, oldest_value_at, missing_scalar_count,
           (select json_agg(s order by ts) from (select ts, version, flag, line_frequency, current1, current2, current3, voltage1, voltage2, voltage3
            from scalar where serial_number = $1) s) as scalars from node_live where serial_number = $1`,
        [serial],
      );
    const expected = await state(10_043);
    for (const serial of [10_044, 10_045, 10_046]) await expect.poll(() => state(serial)).toEqual(expected);
  });
});

describe("missing scalars", () => {
  test("gaps of today count, and scalars that come later fill them", async () => {
    const zone = zoneAtDaytime();
    const day = localDay(zone, Date.now() / 1000);
    await ingest.addNode(10_010, await addPlace(ingest.database.pool, zone), { scalar_interval_seconds: 10 });
    const node = await startTestNode(ingest, 10_010);
    await node.birth();
    const start = Date.now() - 100_000;
    const at = (seconds: number) => start + seconds * 1000;
    await node.data(scalarMetrics(at(0), 1));
    await node.data(scalarMetrics(at(10), 1));
    await node.data(scalarMetrics(at(60), 1));
    expect(await live(10_010)).toMatchObject({ missing_scalar_day: day.date, missing_scalar_count: 4 });
    await node.data([20, 30, 40, 50].flatMap((seconds) => scalarMetrics(at(seconds), 1, { isHistorical: true })));
    await expect.poll(async () => (await live(10_010)).missing_scalar_count).toBe(0);
    await node.data(scalarMetrics(at(90), 1));
    expect(await live(10_010)).toMatchObject({ missing_scalar_count: 2 });
  });
});

describe("births, deaths, facts and events", () => {
  test("a birth connects, the will disconnects, both are activities", async () => {
    await ingest.addNode(10_020);
    const node = await startTestNode(ingest, 10_020);
    await node.birth([
      { name: metricNames.mac, alias: 70, datatype: DataType.String, value: "02:00:00:00:27:24\u0000", timestamp: Date.now() },
    ]);
    expect(await live(10_020)).toMatchObject({ is_connected: true });
    expect(await ingest.rows("select mac_address from node where serial_number = 10020")).toEqual([{ mac_address: "02:00:00:00:27:24" }]);
    await node.birth();
    node.client.stream.destroy();
    await expect.poll(async () => (await live(10_020)).is_connected).toBe(false);
    expect(await activities(10_020)).toEqual(["NODE_BIRTH", "NODE_DEATH"]);
  });

  test("an event is counted once", async () => {
    await ingest.addNode(10_021);
    const node = await startTestNode(ingest, 10_021);
    await node.birth([{ name: metricNames.lastEvent, alias: 180, datatype: DataType.String, isNull: true, timestamp: Date.now() }]);
    const event = (ts: number) => [
      { alias: 180, datatype: DataType.String, value: JSON.stringify({ kind: "SAG", ts, phase: "A\u0000", value: 0.7 }), timestamp: ts },
    ];
    const now = Date.now();
    await node.data(event(now - 5_000));
    await node.data(event(now - 5_000));
    await node.data(event(now));
    await node.data([{ alias: 180, datatype: DataType.String, value: "no json", timestamp: now }]);
    expect(await live(10_021)).toMatchObject({ event_count: 2 });
    expect(await ingest.rows("select kind, body from node_event where serial_number = 10021 limit 1")).toEqual([
      { kind: "SAG", body: { phase: "A", value: 0.7 } },
    ]);
  });

  test("the sensor state is reported and kept", async () => {
    await ingest.addNode(10_022);
    const node = await startTestNode(ingest, 10_022);
    await node.birth([{ name: metricNames.isSensorOk, alias: 79, datatype: DataType.Boolean, value: true, timestamp: Date.now() }]);
    expect(await live(10_022)).toMatchObject({ is_sensor_ok: true });
    await node.data([{ alias: 79, datatype: DataType.Boolean, value: false, timestamp: Date.now() }]);
    expect(await live(10_022)).toMatchObject({ is_sensor_ok: false });
  });

  test("a sub node speaks through its parent and ends with it; a foreign device is quarantined", async () => {
    await ingest.addNode(10_023);
    await ingest.addNode(10_024, undefined, { type: "subNode", parent_serial_number: 10_023 });
    const node = await startTestNode(ingest, 10_023);
    await node.birth();
    const atMs = Date.now();
    const metrics = scalarMetrics(atMs, 7).map((metric) => ({ ...metric, alias: metric.alias! + 200 }));
    const named = metrics.map((metric, index) => ({ ...metric, name: scalarName(index) }));
    await node.send(node.edge.deviceBirth("10024", named, atMs));
    await node.send(node.edge.deviceData("10024", metrics, atMs));
    expect(await stored(10_024)).toMatchObject([{ line_frequency: 7 }]);
    expect(await live(10_024)).toMatchObject({ is_connected: true });
    await node.send(node.edge.deviceBirth("10001", [], atMs));
    expect(await ingest.rows("select reason from quarantine where serial_number = 10023")).toEqual([{ reason: "foreign-device" }]);
    node.client.stream.destroy();
    await expect.poll(async () => (await live(10_024)).is_connected).toBe(false);
  });

  test("a sub node that says that it ends is disconnected alone, and comes back with its next birth", async () => {
    await ingest.addNode(10_025);
    await ingest.addNode(10_026, undefined, { type: "subNode", parent_serial_number: 10_025 });
    const node = await startTestNode(ingest, 10_025);
    await node.birth();
    await node.send(node.edge.deviceBirth("10026", [], Date.now()));
    await node.send(node.edge.deviceDeath("10026", Date.now()));
    expect(await live(10_026)).toMatchObject({ is_connected: false, disconnect_reason: null });
    expect(await live(10_025)).toMatchObject({ is_connected: true });
    expect(await activities(10_026)).toEqual(["NODE_BIRTH", "NODE_DEATH"]);
    await node.send(node.edge.deviceBirth("10026", [], Date.now()));
    expect(await live(10_026)).toMatchObject({ is_connected: true });
  });
});

const scalarName = (index: number) => [metricNames.scalarVersion, metricNames.scalarFlag, ...scalarMeasurements][index];

describe("order", () => {
  test("a gap leads to exactly one rebirth request", async () => {
    await ingest.addNode(10_030);
    const node = await startTestNode(ingest, 10_030);
    const commands: unknown[] = [];
    node.client.on("message", (_topic, payload) => commands.push(decodePayload(payload).metrics.map(({ name, value }) => [name, value])));
    await node.client.subscribeAsync("spBv1.0/n46/NCMD/10030", { qos: 1 });
    await node.birth();
    node.edge.nextSeq();
    const now = Date.now();
    for (let index = 0; index < 5; index++) await node.data(scalarMetrics(now - 50_000 + index * 10_000, index));
    expect(await stored(10_030)).toHaveLength(5);
    await expect.poll(() => commands).toEqual([[["Node Control/Rebirth", true]]]);
    await node.birth();
    await node.data(scalarMetrics(now, 9));
    expect(commands).toHaveLength(1);
    expect(await activities(10_030)).toEqual(["NODE_BIRTH", "NODE_REBIRTH_REQUESTED"]);
  });
});

describe("a scalar whose parts come one by one", () => {
  const valueColumns = ["version", "flag", "line_frequency", "current1", "current2", "current3", "voltage1", "voltage2", "voltage3"];

  test.each(["olderReadings", "lateReadings"] as const)("gets each value that it lacks, keeps each that it has (%s)", async (list) => {
    const store = createScalarsStore(ingest.database.pool);
    const day = localDay("UTC", Date.now() / 1000).start;
    await store.ensurePartition(day);
    const atMs = 1000 * (day + 3_600);
    const serial = list === "olderReadings" ? 10_971 : 10_972;
    await ingest.addNode(serial);
    const write = async (values: readonly number[], shift: number) => {
      const reading = { atMs: atMs + shift, isHistorical: true, values: [...values] };
      const empty = { newReadings: [], olderReadings: [], lateReadings: [], live: [], covered: [], events: [] };
      const plan = { ...empty, [list]: [{ serial, reading, isNewest: false }] };
      const [counts] = await inTransaction(ingest.database.pool, (client) => Promise.all(store.write(client, plan, true)));
      return counts!.storedReadings;
    };
    const only = (place: number, value: number, others: number) => valueColumns.map((_, index) => (index === place ? value : others));
    for (const [place, name] of valueColumns.entries()) {
      await write(only(place, Number.NaN, 3), place);
      // Nothing new: the row stays as it is.
      expect([name, await write(only(place, Number.NaN, 5), place)]).toEqual([name, 0]);
      const filled = await write(only(place, 7, 5), place);
      // Late ones are counted where they fill a gap: this one was there.
      expect([name, filled]).toEqual([name, list === "olderReadings" ? 1 : 0]);
      const [row] = await ingest.rows<Record<string, number>>(
        `select ${valueColumns.join(", ")} from scalar where serial_number = $1 and ts = to_timestamp($2 / 1000.0)`,
        [serial, atMs + place],
      );
      expect(valueColumns.map((column) => row![column])).toEqual(only(place, 7, 3));
    }
  });
});

test("A-63 a message that says nothing of a value of its node leaves it as it is, and a connection says what it changes", async () => {
  const { pool } = ingest.database;
  const serial = 10_980;
  const atMs = Date.UTC(2026, 4, 5, 12);
  const at = new Date(atMs);
  await ingest.addNode(serial);
  await setLive(pool, serial, {
    is_connected: true,
    connection_changed_at: at,
    disconnect_reason: "no-answer",
    last_seen_at: at,
    last_scalar_data: `1,2,${atMs},60,10.5,11,12,460,461,462,,,,,,,,,`,
    last_scalar_times: `${atMs},${atMs},${atMs}`,
    oldest_value_at: at,
    last_scalar_at: at,
    last_meter_at: at,
    is_sensor_ok: false,
    missing_scalar_day: "2026-05-05",
    missing_scalar_count: 4,
    platform_missed_scalar_count: 5,
    last_seq: 7,
    clock_skew_ms: 11,
    demand_at: at,
    demand_kw_seconds: 600,
    demand_covered_seconds: 50,
    event_count: 3,
  });
  const row = async () => {
    const [found] = await ingest.rows<Record<string, unknown>>("select * from node_live where serial_number = $1", [serial]);
    const { changed_xid: _changed, ...rest } = found!;
    return rest;
  };
  const store = createScalarsStore(pool);
  /** What other a message of an earlier moment makes of the row. */
  const changedBy = async (change: Partial<IngestEntry>) => {
    const before = await row();
    const [known] = await createConnectivityStore(pool).loadNodes([serial]);
    const message = { topic: "", bytes: new Uint8Array(), receivedAtMs: atMs - 1_000, hold: undefined, settle: () => undefined };
    const plan = planBatch([{ ...bareEntry(message, serial, []), subject: createLiveState(known!), ...change }], []);
    await inTransaction(pool, (client) => Promise.all(store.write(client, plan, true)));
    const after = await row();
    return Object.fromEntries(Object.entries(after).filter(([name, value]) => String(value) !== String(before[name])));
  };
  expect(await changedBy({})).toEqual({});
  expect(await changedBy({ lastSeq: 8 })).toEqual({ last_seq: 8 });
  const connection = (isConnected: boolean) => ({ connection: { isConnected, endedDevices: [], birth: undefined } });
  expect(await changedBy(connection(true))).toEqual({ disconnect_reason: null });
  // What is summed up of its power is written when it goes.
  expect(await changedBy(connection(false))).toEqual({
    is_connected: false,
    connection_changed_at: new Date(atMs - 1_000),
    demand_kw_seconds: null,
    demand_covered_seconds: null,
  });
  const said = (telemetry: Partial<Telemetry>) => ({
    telemetry: { ...readTelemetry([], { defaultMs: atMs, nowMs: atMs, oldestKeptMs: 0 }), ...telemetry },
  });
  expect(await changedBy(said({ isSensorOk: true }))).toEqual({ is_sensor_ok: true });
  // Times only move forward.
  expect(await changedBy(said({ meterAtMs: atMs - 1_000 }))).toEqual({});
  expect(await changedBy(said({ meterAtMs: atMs + 1_000 }))).toEqual({ last_meter_at: new Date(atMs + 1_000) });
  // An event is known by its kind and moment.
  const event = (kind: string, shift = 0) => ({ kind, atMs: atMs + shift, body: { shift } });
  expect(await changedBy(said({ events: [event("SAG"), event("SWELL"), event("SAG", 1)] }))).toEqual({ event_count: 6 });
  expect(await changedBy(said({ events: [event("SAG"), event("SWELL", 1)] }))).toEqual({ event_count: 7 });
  // What it says of itself is in a row of its own, fact by fact.
  const facts = async () =>
    Object.values(
      (
        await ingest.rows<object>(
          `select mac_address, ip_address, node_hardware_version, vi_module_hardware_version, poe_enabled from node where serial_number = $1`,
          [serial],
        )
      )[0]!,
    );
  const first = { macAddress: "m", ipAddress: "i", nodeHardwareVersion: "h", viModuleHardwareVersion: "v", isPoeEnabled: true };
  expect(await changedBy(said({ facts: first }))).toEqual({});
  expect(await facts()).toEqual(["m", "i", "h", "v", true]);
  for (const name of ["macAddress", "ipAddress", "nodeHardwareVersion", "viModuleHardwareVersion"] as const) {
    await changedBy(said({ facts: { [name]: "other" } }));
    expect([name, await facts()]).toEqual([name, Object.values({ ...first, [name]: "other" })]);
    await changedBy(said({ facts: { [name]: first[name] } }));
  }
  await changedBy(said({ facts: { isPoeEnabled: false } }));
  expect(await facts()).toEqual(["m", "i", "h", "v", false]);
});
