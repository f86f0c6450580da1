import { nodeFlagNames } from "@busbar/contract/directory/node-fields.ts";
import type { Metering, RawMetering } from "@busbar/contract/telemetry/metering.ts";
import type { NodeWiring } from "@busbar/contract/telemetry/node-wiring.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureSensorDataPartitions } from "#db/sensor-data-partitions.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import { silentLog } from "#lib/log.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, setLive } from "#testing/test-world.ts";
import { createMetering } from "./metering.service.ts";
import { clearMeter } from "./metering.store.ts";
import { findWiredNode } from "./wiring.read-model.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("watcher"));
});
afterAll(() => server.stop());

const query = (text: string, values: unknown[] = []) => server.database.pool.query(text, values);

interface MeteredPlace {
  equipmentType?: string;
  npHp?: number | null;
  /** Columns of the primary node. */
  node?: Record<string, unknown>;
  withField?: boolean;
}

let serial = 40_000;
async function newPlace({ equipmentType = "InductionMotor", npHp = 100, node = {}, withField = false }: MeteredPlace = {}) {
  const place = await addPlace(server.database.pool, "America/Chicago");
  const { locationId } = place;
  await query("update location set equipment_type = $2, np_hp = $3 where id = $1", [locationId, equipmentType, npHp]);
  const primary = ++serial;
  await addNode(server.database.pool, primary, place, node);
  const secondary = withField ? ++serial : undefined;
  if (secondary) {
    await addNode(server.database.pool, secondary);
    await query("insert into node_assignment values ($1, $2, 2)", [secondary, locationId]);
  }
  return { locationId, primary, secondary: secondary ?? 0 };
}

/** A scalar by the application's clock, which is stopped, as ingest stores it: lf, i, v, p, q, pf by phase. */
async function report(node: number, values: readonly (number | "")[], agoSeconds = 0, flag = 1): Promise<number> {
  const at = Math.floor(server.clock.now() / 1000) - agoSeconds;
  await setLive(server.database.pool, node, {
    is_connected: true,
    connection_changed_at: new Date((at - 3_600) * 1000),
    last_scalar_at: new Date(at * 1000),
    last_meter_at: new Date(at * 1000),
    last_scalar_data: `1,${flag},${at * 1000},${values.join(",")}`,
  });
  return at;
}

const balanced = [60, 100, 100, 100, 480, 480, 480, 23.556, 23.556, 23.556, 14.599, 14.599, 14.599, 0.85, 0.85, 0.85];

async function read(locationId: number, parameters = "?string=true"): Promise<Metering> {
  const { status, json } = await server.call({ method: "GET", url: `/api/locations/${locationId}/metering${parameters}`, token });
  expect(status).toBe(200);
  return json["data"] as Metering;
}

test("without a session nothing is disclosed", async () => {
  const { locationId, primary } = await newPlace();
  expect((await server.call({ method: "GET", url: `/api/locations/${locationId}/metering` })).status).toBe(401);
  expect((await server.call({ method: "GET", url: `/api/nodes/${primary}/metering/raw` })).status).toBe(401);
  expect((await server.call({ method: "DELETE", url: `/api/nodes/${primary}/metering` })).status).toBe(401);
});

test("what is requested wrongly is named; what does not exist, too", async () => {
  const { locationId } = await newPlace();
  const ask = (url: string, method: "GET" | "DELETE" = "GET") => server.call({ method, url: `/api${url}`, token });
  expect(await ask(`/locations/${locationId}/metering?string=yes`)).toMatchObject({
    status: 400,
    json: { errorMessage: "string: is true or false" },
  });
  expect(await ask(`/locations/${locationId}/metering?doLineToNeutral=1`)).toMatchObject({ status: 400 });
  for (const id of ["0", "-1", "1e3", "x", "9999999999"]) expect((await ask(`/locations/${id}/metering`)).status).toBe(400);
  expect(await ask("/locations/999999/metering")).toMatchObject({
    status: 404,
    json: { errorMessage: "This location was not found: it may have been deleted" },
  });
  expect(await ask("/nodes/99998/metering/raw")).toMatchObject({ status: 404, json: { errorMessage: "Node 99998 was not found" } });
  expect(await ask("/nodes/99998/metering", "DELETE")).toMatchObject({ status: 404, json: { errorMessage: "Node 99998 was not found" } });
  expect((await ask("/nodes/0999/metering", "DELETE")).status).toBe(400);
});

describe("MET-05 every field", () => {
  test("MET-01 MET-05 a balanced motor: powers by the formulas, horse power by the efficiency of its size", async () => {
    const { locationId, primary } = await newPlace({ npHp: 100 });
    const at = await report(primary, balanced);
    await query(
      `update node_meter set metered_at = to_timestamp($2), running_seconds = 129600, amp_hours = 250.5, kilowatt_hours = 1696, kilovar_hours = 1051 where serial_number = $1`,
      [primary, at - 4],
    );
    const metering = await read(locationId);
    expect(metering).toMatchObject({
      locationId,
      name: "Feed Pump 1",
      siteName: "North",
      facilityName: "North Works",
      type: "InductionMotor",
      displayEquipmentType: "Induction Motor",
      timezone: "America/Chicago",
      serialNumber: String(primary),
      connectedStatus: "Connected",
      meteringStatus: "Metering",
      fieldSerialNumber: null,
      fieldConnectedStatus: null,
      fieldMeteringStatus: null,
      fieldMeterString: null,
      timestamp: at,
      displayTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d C[DS]T$/),
      totalsTimestamp: at - 4,
      isRunning: true,
      isLineToNeutral: false,
      showLineFrequency: true,
      showPowerFactorInPlaceOfHp: false,
      showPowerModule: true,
      showPhaseSplitModule: true,
      showAveragePowerModule: true,
      showFieldModule: false,
      lineFrequency: 60,
      runningTimeDays: 1.5,
      current: 100,
      current1: 100,
      voltage: 480,
      voltage3: 480,
      powerKw1: 23.556,
      powerFactor1: 0.85,
      voltageImbalance: 0,
      currentImbalance: 0,
      ampHours: 250.5,
      kilowattHours: 1696,
      kilovarHours: 1051,
      fieldCurrent: null,
      fieldVoltage: null,
      powerTodayAverageKw: null,
      powerDailyPeakKw: null,
    });
    expect(metering.powerKw).toBeCloseTo(70.668, 3);
    expect(metering.powerKva).toBeCloseTo(83.14, 2);
    expect(metering.powerKvaR).toBeCloseTo(43.797, 2);
    expect(metering.powerFactor).toBeCloseTo(0.85, 4);
    expect(metering.hp).toBeCloseTo((70.668 * 0.954) / 0.745699872, 2);
    expect(metering.loadPercent).toBeCloseTo(metering.hp ?? 0, 9);
    expect([metering.phaseSplit1, metering.phaseSplit2]).toEqual([expect.closeTo(33.333, 3), expect.closeTo(33.333, 3)]);
    expect(metering.meterString).toBe(
      "LF 60 Hz | I 100 A (100 100 100) | V L-L 480 V (480 480 480) | 70.67 kW 83.14 kVA 43.8 kVAr PF 0.85",
    );
    expect(metering.phasors?.voltages.map(({ angle }) => Math.round(angle))).toEqual([0, -120, 120]);
    expect(metering.phasors?.currents.map(({ angle }) => Math.round(angle))).toEqual([-32, -152, 88]);
    expect(metering.phasors?.voltages[0]?.magnitude).toBeCloseTo(277.128, 3);
  });

  test("MET-01 MET-02 line to neutral changes the volts and nothing else; without string=true there is no string", async () => {
    const { locationId, primary } = await newPlace();
    await report(primary, [60, 101, 100, 90, 480, 476, 472, 20, 21, 22, 10, 11, 12, 0.9, 0.9, 0.9]);
    const lineToLine = await read(locationId);
    const lineToNeutral = await read(locationId, "?string=true&doLineToNeutral=true");
    expect([lineToNeutral.voltage1, lineToNeutral.voltage2, lineToNeutral.voltage3].map((volts) => volts?.toFixed(3))).toEqual([
      "274.832",
      "277.122",
      "272.503",
    ]);
    expect(lineToNeutral.voltage).toBeCloseTo(274.819, 3);
    expect(lineToNeutral.meterString).toContain("V L-N 274.82 V");
    const { voltage: _a, voltage1: _b, voltage2: _c, voltage3: _d, isLineToNeutral: _e, meterString: _f, ...restNeutral } = lineToNeutral;
    const { voltage: _g, voltage1: _h, voltage2: _i, voltage3: _j, isLineToNeutral: _k, meterString: _l, ...rest } = lineToLine;
    expect(restNeutral).toEqual(rest);
    expect(lineToLine.voltageImbalance).toBeCloseTo(0.8403, 4);
    expect(lineToLine.currentImbalance).toBeCloseTo(7.2165, 4);
    expect((await read(locationId, "?doLineToNeutral=false")).meterString).toBeNull();
    expect((await read(locationId, "")).meterString).toBeNull();
  });

  test.each([
    ["UtilityMain", 100],
    ["Rectifier", 100],
    ["InductionMotor", 0],
  ])("MET-05 %s with np_hp %d shows the power factor in place of horse power", async (equipmentType, npHp) => {
    const { locationId, primary } = await newPlace({ equipmentType, npHp });
    await report(primary, balanced);
    expect(await read(locationId)).toMatchObject({ showPowerFactorInPlaceOfHp: true, hp: null, powerFactor: expect.closeTo(0.85, 4) });
  });

  test("MET-05 a motor of unknown horse power takes the setting's efficiency", async () => {
    const { locationId, primary } = await newPlace({ npHp: null });
    await report(primary, balanced);
    expect((await read(locationId)).hp).toBeCloseTo((70.668 * 0.93) / 0.745699872, 2);
  });

  test("MET-05 a DC machine has one circuit, no frequency, no split; its field comes from the secondary node", async () => {
    const { locationId, primary, secondary } = await newPlace({ equipmentType: "DCMotor", withField: true });
    await report(primary, [0, 240, 0, 0, 500, 0, 0, 120, 0, 0, 0, 0, 0, 1, 0, 0]);
    const fieldAt = await report(secondary, [0, 12.5, 0, 0, 240, 0, 0, 3, 0, 0, 0, 0, 0, 1, 0, 0], 3);
    const metering = await read(locationId, "?string=true&doLineToNeutral=true");
    expect(metering).toMatchObject({
      showLineFrequency: false,
      showPhaseSplitModule: false,
      showFieldModule: true,
      isLineToNeutral: false,
      lineFrequency: null,
      current: 240,
      current2: null,
      voltage: 500,
      powerKw: 120,
      fieldSerialNumber: String(secondary),
      fieldConnectedStatus: "Connected",
      fieldMeteringStatus: "Metering",
      fieldTimestamp: fieldAt,
      fieldVoltage: 240,
      fieldCurrent: 12.5,
      meterString: "I 240 A | V 500 V | 120 kW",
      fieldMeterString: "Field 240 V 12.5 A",
      phasors: null,
      voltageImbalance: null,
    });
    expect(metering.hp).toBeCloseTo((120 * 0.9) / 0.745699872, 6);
    await query(
      "update node_meter set metered_at = now() + interval '2 seconds', field_voltage = 238, field_current = 12 where serial_number = $1",
      [secondary],
    );
    expect(await read(locationId)).toMatchObject({ fieldVoltage: 238, fieldCurrent: 12 });
  });

  test("MET-05 channels that are not wired have no value and no part in the means", async () => {
    const { locationId, primary } = await newPlace({ node: { active_ib: false, active_pb: false, active_vc: false } });
    await report(primary, [60, 100, 7, 110, 480, 470, 3, 20, -1, 22, 10, -1, 12, 0.9, 0.1, 0.9]);
    expect(await read(locationId)).toMatchObject({
      current: 105,
      current2: null,
      voltage: 475,
      voltage3: null,
      powerKw: 42,
      powerKw2: null,
      powerFactor2: null,
      phaseSplit1: expect.closeTo(47.619, 3),
      phaseSplit2: null,
      phaseSplit3: expect.closeTo(52.381, 3),
      currentImbalance: null,
      phasors: null,
    });
  });

  test("MET-05 a node that reports no powers shows its own totals; without active power channels there is no power module", async () => {
    const { locationId, primary } = await newPlace();
    await report(primary, [60, 1, 1, 1, 480, 480, 480, "", "", "", "", "", "", "", "", ""]);
    await query("update node_meter set metered_at = now(), kw = 5, kva = 6, kvar = 3.5, power_factor = 0.83 where serial_number = $1", [
      primary,
    ]);
    expect(await read(locationId)).toMatchObject({ powerKw: 5, powerKva: 6, powerKvaR: 3.5, powerFactor: expect.closeTo(0.83, 5) });
    const bare = await newPlace({ node: { active_pa: false, active_pb: false, active_pc: false } });
    expect(await read(bare.locationId)).toMatchObject({
      showPowerModule: false,
      showPhaseSplitModule: false,
      showAveragePowerModule: false,
    });
  });

  test("MET-05 averages and peaks of today and of the last 30 days, in the location's days", async () => {
    const { locationId, primary } = await newPlace();
    const block = (at: string, kw: number, seconds: number) =>
      query("insert into node_demand_block values ($1, $2, $3, $4, $2)", [primary, new Date(at), kw * seconds, seconds]);
    // The clock of the application is at the start of the test: its day and quarter are known.
    const nowMs = server.clock.now();
    const { start } = (await import("#lib/local-day.ts")).localDay("America/Chicago", nowMs / 1000);
    await block(new Date((start - 900) * 1000).toISOString(), 999, 900);
    const running = Math.floor(nowMs / 900_000) * 900_000;
    await block(new Date(running).toISOString(), 70, 60);
    // Right after midnight there is no quarter of today before the running one.
    const isYoung = running / 1000 - start < 900;
    const expected = isYoung ? { average: 70, peak: null } : { average: (50 * 900 + 70 * 60) / 960, peak: 50 };
    if (!isYoung) await block(new Date(running - 900_000).toISOString(), 50, 900);
    const day = (daysAgo: number, average: number, peak: number, covered = 86_400) =>
      query(
        "insert into node_demand_day values ($1, (to_timestamp($2) at time zone 'America/Chicago')::date - $3::int, $4, $5, $6, 86400)",
        [primary, nowMs / 1000, daysAgo, average, peak, covered],
      );
    await day(1, 40, 60);
    await day(2, 60, 100);
    await day(3, 900, 900, 40_000);
    await day(31, 5_000, 5_000);
    expect(await read(locationId)).toMatchObject({
      powerTodayAverageKw: expect.closeTo(expected.average, 6),
      powerTodayPeakKw: expected.peak,
      powerDailyAverageKw: 50,
      powerDailyPeakKw: 80,
      averagesTimestamp: Math.floor(nowMs / 1000),
    });
  });
});

describe("MET-04 four states", () => {
  test("MET-04 not connected: the last values stay, with their age", async () => {
    const { locationId, primary } = await newPlace();
    const at = await report(primary, balanced, 20);
    await setLive(server.database.pool, primary, { is_connected: false });
    expect(await read(locationId)).toMatchObject({
      connectedStatus: "Not connected",
      meteringStatus: "Not metering",
      timestamp: at,
      current: 100,
    });
  });

  test("MET-04 not metering: connected, and the last value is older than three intervals; a relay never does", async () => {
    const { locationId, primary } = await newPlace();
    await report(primary, balanced, 29);
    expect(await read(locationId)).toMatchObject({ connectedStatus: "Connected", meteringStatus: "Metering" });
    await report(primary, balanced, 32);
    expect(await read(locationId)).toMatchObject({ connectedStatus: "Connected", meteringStatus: "Not metering" });
    const slow = await newPlace({ node: { scalar_interval_seconds: 60 } });
    await report(slow.primary, balanced, 170);
    expect(await read(slow.locationId)).toMatchObject({ meteringStatus: "Metering", readingInterval: 60 });
    const relay = await newPlace({ node: { type: "SEL" } });
    await setLive(server.database.pool, relay.primary, { is_connected: true, connection_changed_at: new Date(server.clock.now()) });
    expect(await read(relay.locationId)).toMatchObject({ connectedStatus: "Connected", meteringStatus: "Not metering", meterString: null });
  });

  test("MET-04 waiting: connected a moment ago, nothing reported yet", async () => {
    const { locationId, primary } = await newPlace();
    expect(await read(locationId)).toMatchObject({
      connectedStatus: "Not connected",
      meteringStatus: "Not metering",
      meterString: null,
      displayTimestamp: "",
    });
    await setLive(server.database.pool, primary, { is_connected: true, connection_changed_at: new Date(server.clock.now()) });
    expect(await read(locationId)).toMatchObject({ meteringStatus: "Waiting", meterString: null, timestamp: null, current: null });
    await setLive(server.database.pool, primary, { connection_changed_at: new Date(server.clock.now() - 120_000) });
    expect(await read(locationId)).toMatchObject({ meteringStatus: "Not metering", meterString: null });
  });

  test("MET-04 zero: metered, and every value is zero rather than missing", async () => {
    const { locationId, primary } = await newPlace();
    await report(primary, [60, 0, 0, 0, 480, 480, 480, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0, 0);
    expect(await read(locationId)).toMatchObject({
      meteringStatus: "Metering",
      isRunning: false,
      current: 0,
      powerKw: 0,
      hp: 0,
      powerFactor: null,
      phaseSplit1: null,
      currentImbalance: null,
    });
  });

  test("a location without a node says so", async () => {
    const { locationId } = await addPlace(server.database.pool);
    expect(await read(locationId)).toMatchObject({
      serialNumber: null,
      connectedStatus: "Not connected",
      meteringStatus: "Not metering",
      showPowerModule: false,
    });
  });
});

test("MET-06 raw metering shows every metric by its name on the wire", async () => {
  const { primary } = await newPlace();
  const at = await report(primary, balanced);
  await query("update node_meter set metered_at = to_timestamp($2), kw = 70.5, running_seconds = 60 where serial_number = $1", [
    primary,
    at - 9,
  ]);
  const { json } = await server.call({ method: "GET", url: `/api/nodes/${primary}/metering/raw`, token });
  const raw = json["data"] as RawMetering;
  expect(raw).toMatchObject({
    serialNumber: String(primary),
    connectedStatus: "Connected",
    lastScalarData: expect.stringContaining(",480,480,480,"),
  });
  expect(raw.metrics).toHaveLength(26);
  const of = (name: string) => raw.metrics.find((metric) => metric.name === name);
  expect(of("Scalar/LF")).toEqual({ name: "Scalar/LF", value: 60, unit: "Hz", timestamp: at });
  expect(of("Meter/Q2")).toEqual({ name: "Meter/Q2", value: 14.599, unit: "kVAr", timestamp: at });
  expect(of("Meter/kW")).toEqual({ name: "Meter/kW", value: 70.5, unit: "kW", timestamp: at - 9 });
  expect(of("Meter/Running s")).toEqual({ name: "Meter/Running s", value: 60, unit: "s", timestamp: at - 9 });
  expect(of("Meter/Field V")).toEqual({ name: "Meter/Field V", value: null, unit: "V", timestamp: at - 9 });
});

test("MET-03 only a node that is there and has a meter can be reset; a refusal changes nothing", async () => {
  const { locationId, primary } = await newPlace();
  await report(primary, balanced);
  await setLive(server.database.pool, primary, { is_connected: false });
  const reset = (node: number) => server.call({ method: "DELETE", url: `/api/nodes/${node}/metering`, token });
  expect(await reset(primary)).toMatchObject({ status: 503, json: { errorMessage: `Node ${primary} is not connected` } });
  expect((await read(locationId)).current).toBe(100);
  const relay = await newPlace({ node: { type: "GERelay" } });
  expect(await reset(relay.primary)).toMatchObject({
    status: 409,
    json: { errorMessage: `Node ${relay.primary} is a GERelay and has no meter` },
  });
  // It went in between.
  await setLive(server.database.pool, primary, { is_connected: true });
  const metering = createMetering({
    pool: server.database.pool,
    sendCommand: () => Promise.resolve({ state: "not-sent", reason: "not-connected" }),
    readUsualEfficiency: () => Promise.resolve(95),
    clock: server.clock,
    log: silentLog,
  });
  await expect(metering.reset({ username: "watcher" } as Caller, primary)).rejects.toThrow(`Node ${primary} is not connected`);
  expect((await read(locationId)).current).toBe(100);
  const { rows } = await query("select 1 from activity where action = 'RESET_METERING'");
  expect(rows).toEqual([]);
});

describe("A-29 at standstill", () => {
  const config = (node: number, values: Record<string, string>) =>
    query(
      "insert into node_config (serial_number, told_at, config_values) values ($1, now(), $2) on conflict (serial_number) do update set config_values = excluded.config_values",
      [node, JSON.stringify(values)],
    );
  const stopped = [60, 0.02, 0.02, 0.02, 480, 480, 480, 0, 0, 0, 0, 0, 0, 0, 0, 0];

  test("a motor at rest has no power factor, of all phases or of one, whatever noise it measures", async () => {
    const { locationId, primary } = await newPlace({ npHp: 100 });
    const none = { powerFactor: null, powerFactor1: null, powerFactor2: null, powerFactor3: null };
    await report(primary, [60, 0.02, 0.02, 0.02, 480, 480, 480, 0.01, 0.01, 0.01, 0.002, 0.002, 0.002, 0.98, 0.98, 0.98]);
    await config(primary, { i_noise: "0.5" });
    expect(await read(locationId)).toMatchObject({ current1: 0.02, ...none });
  });

  test("A-29 noise is neither split nor unbalanced; the node says what noise is", async () => {
    const { locationId, primary } = await newPlace({
      npHp: 100,
      node: { over_voltage_threshold: 8, under_voltage_threshold: 10, long_term_over_current_threshold: 15 },
    });
    await report(primary, stopped);
    await config(primary, { np_current: "125", np_voltage: "480", i_noise: "0.5" });
    const still = await read(locationId);
    expect(still).toMatchObject({ current1: 0.02, phaseSplit1: null, phaseSplit2: null, phaseSplit3: null, currentImbalance: null });
    expect(still.limits).toEqual({
      currentNoise: 0.5,
      currentNameplate: 125,
      currentOver: 143.75,
      voltageNameplate: 480,
      voltageUnder: 432,
      voltageOver: 518.4,
      powerNameplateKw: expect.closeTo(26.06, 1),
    });
    expect((await read(locationId, "?doLineToNeutral=true")).limits.voltageNameplate).toBeCloseTo(277.13, 2);
    const withCurrent = (current: number) => stopped.map((value, index) => (index === 1 ? current : value));
    await report(primary, withCurrent(0.5));
    expect((await read(locationId)).phaseSplit1).toBeNull();
    await report(primary, withCurrent(0.51));
    expect((await read(locationId)).phaseSplit1).toBeCloseTo((100 * 0.51) / 0.55, 6);
  });

  test("A-29 a node that says nothing of noise has a hundredth of its full load; one that says nothing at all has none", async () => {
    const configured = await newPlace();
    await report(configured.primary, stopped);
    await config(configured.primary, { np_current: "125" });
    expect((await read(configured.locationId)).limits).toMatchObject({ currentNoise: 1.25, voltageNameplate: null, voltageOver: null });
    const silent = await newPlace({ npHp: null });
    await report(silent.primary, stopped);
    expect((await read(silent.locationId)).limits).toMatchObject({ currentNoise: 0, currentNameplate: null, powerNameplateKw: null });
  });
});

describe("A-63 a wiring is judged", () => {
  test("only while all channels are on, and at a location's first side; of values since the last reset", async () => {
    const { primary, secondary } = await newPlace({ withField: true });
    const ask = async <T>(method: "GET" | "PATCH", url: string, payload?: object) => {
      const { status, json } = await server.call({ method, url: `/api/nodes/${url}`, token, ...(payload ? { payload } : {}) });
      expect([url, status]).toEqual([url, 200]);
      return json["data"] as T;
    };
    const outcome = async (node = primary) => (await ask<NodeWiring>("GET", `${node}/wiring`)).outcome;
    await report(primary, balanced);
    await report(secondary, balanced);
    expect([await outcome(), await outcome(secondary)]).toEqual(["right", "none"]);
    const { id } = await ask<{ id: number }>("GET", `${primary}/details`);
    const channels = Object.keys(nodeFlagNames).filter((flag) => flag.startsWith("active"));
    const judged: string[] = [];
    for (const channel of channels) {
      await ask("PATCH", String(id), { [channel]: false });
      if ((await outcome()) !== "none") judged.push(channel);
      await ask("PATCH", String(id), { [channel]: true });
    }
    expect([channels.length, judged, await outcome()]).toEqual([9, [], "right"]);
    await inTransaction(server.database.pool, (client) => clearMeter(client, primary));
    expect(await outcome()).toBe("none");
    await report(primary, balanced, -1);
    expect(await outcome()).toBe("right");
  });

  test("with the distortion of the newest data point of the hour before them that has all of it", async () => {
    const { primary } = await newPlace();
    const at = await report(primary, balanced);
    await ensureSensorDataPartitions(server.database.pool, [at, at - 3_600]);
    const found = async (agoSeconds: number, thd: readonly (number | null)[]) => {
      await query(
        "insert into sensor_data (serial_number, ts, interval_seconds, data, current_thd1, current_thd2, current_thd3) values ($1, to_timestamp($2), 60, '{}', $3, $4, $5)",
        [primary, at - agoSeconds, ...thd],
      );
      return (await findWiredNode(server.database.pool, primary))?.currentThd;
    };
    expect(await found(3_600, [1, 1, 1])).toBeNull();
    expect(await found(3_599, [2, 3, 4])).toEqual([2, 3, 4]);
    expect(await found(600, [5, 6, 7])).toEqual([5, 6, 7]);
    for (const phase of [0, 1, 2])
      expect(
        await found(
          300 - phase,
          [9, 9, 9].map((value, index) => (index === phase ? null : value)),
        ),
      ).toEqual([5, 6, 7]);
  });
});
