import { mostTrendMarks, type TrendMark, type TrendProfile, type Trends } from "@busbar/contract/telemetry/trends.ts";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureScalarPartitions } from "#db/scalar-partitions.ts";
import { ensureSensorDataPartitions } from "#db/sensor-data-partitions.ts";
import { inTransaction } from "#db/transaction.ts";
import { markDataPointTrends, markScalarTrends } from "#shared/trend-marks.store.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace, type TestPlace } from "#testing/test-world.ts";
import { createTrendsReadModel, readDataPoints, readScalars } from "./trends.read-model.ts";
import { createTrendMarksReadModel } from "./trend-marks.read-model.ts";

let server: TestApp;
let token: string;
/** The beginning of an hour, some hours ago. */
let hour: number;
beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("looker"));
  hour = Math.floor(server.clock.now() / 3_600_000 - 6) * 3600;
  await ensureScalarPartitions(server.database.pool, hour - 86_400, hour + 86_400);
  const days = Array.from({ length: 41 }, (_, day) => hour - 86_400 * day);
  await ensureSensorDataPartitions(server.database.pool, days);
});
afterAll(() => server.stop());

const ask = (query: string, headers: Record<string, string> = {}) =>
  server.call({ method: "GET", url: `/api/trends?${query}`, headers, ...(headers["x-api-key"] ? {} : { token }) });
const trends = async (query: string) => {
  const { status, json } = await ask(query);
  expect([status, json["errorMessage"]]).toEqual([200, undefined]);
  return json["data"] as Trends;
};

/** A key of a program of a place's customer, as a header. */
async function keyOf({ customerId }: TestPlace, owner: string): Promise<Record<string, string>> {
  const id = await server.addUser(owner, customerId);
  const { json } = await server.call({ method: "POST", url: `/api/users/${id}/apikeys/trends`, token, payload: { scopes: ["read"] } });
  return { "x-api-key": (json["data"] as { key: string }).key };
}

/** Scalars every 10 s: currents n, n + 1, n + 2, and running in every second minute. */
async function addScalars(serial: number, from: number, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({ serial, at: from + 10 * n }));
  await inTransaction(server.database.pool, (client) => markScalarTrends(client, rows));
  await server.database.pool.query(
    `insert into scalar (serial_number, ts, version, flag, line_frequency, current1, current2, current3, voltage1, voltage2, voltage3)
     select $1, to_timestamp($2::float8 + 10 * n), 1, (n / 6) % 2, 60, n, n + 1, n + 2, 480, 476, 472 from generate_series($3 - 1, 0, -1) n`,
    [serial, from, count],
  );
}

async function addDataPoints(serial: number, from: number, count: number, data: object): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({ serial, at: from + 900 * n }));
  await inTransaction(server.database.pool, (client) => markDataPointTrends(client, rows));
  await server.database.pool.query(
    `insert into sensor_data (serial_number, ts, interval_seconds, data)
     select $1, to_timestamp($2::float8 + 900 * n), 900, $4 from generate_series($3 - 1, 0, -1) n`,
    [serial, from, count, JSON.stringify(data)],
  );
}

test("every scalar is a point where there is room, minutes and quarters of an hour where there is not", async () => {
  await addNode(server.database.pool, 21001, await addPlace(server.database.pool));
  await addScalars(21001, hour, 360);
  const range = `from=${hour}&to=${hour + 3600}`;
  const raw = (await trends(`series=21001:current,21001:voltageImbalance&${range}&points=360`)).series;
  expect(raw[0]).toMatchObject({
    resolution: "raw",
    stepSeconds: 10,
    completeness: 1,
    locationName: "Feed Pump 1",
    timezone: "America/Chicago",
  });
  expect(raw[0]!.mean).toEqual(Array.from({ length: 360 }, (_, index) => index + 1));
  expect(raw[1]!.mean[0]).toBeCloseTo(0.8403, 4);
  const [part] = (await trends(`series=21001:current&from=${hour + 10}&to=${hour + 50}&points=10`)).series;
  expect(part).toMatchObject({ resolution: "raw", timestamps: [10, 20, 30, 40].map((seconds) => hour + seconds), completeness: 1 });
  const [minutes] = (await trends(`series=21001:current1&${range}&points=60`)).series;
  expect(minutes).toMatchObject({ resolution: "minute", stepSeconds: 60, timestamps: Array.from({ length: 60 }, (_, n) => hour + 60 * n) });
  expect([minutes!.minimum[2], minutes!.mean[2], minutes!.maximum[2]]).toEqual([12, 14.5, 17]);
  const [quarters] = (await trends(`series=21001:current1&${range}&points=4`)).series;
  expect(quarters).toMatchObject({ resolution: "quarter", mean: [44.5, 134.5, 224.5, 314.5], maximum: [89, 179, 269, 359] });
  expect(quarters!.figures).toMatchObject({ minimum: 0, mean: 179.5, maximum: 359, percentile95: 314.5, runSeconds: 1800, starts: 30 });
});

test("data points fill what scalars do not say, and gaps stay gaps", async () => {
  await addNode(server.database.pool, 21002);
  const from = hour - 30 * 86_400;
  await addDataPoints(21002, from, 4, { currentAvg: 40, currentMin: 30, currentMax: 50, kwh: 5, runningSeconds: 450, startCount: 2 });
  await addDataPoints(21002, from + 7200, 4, {
    currentAvg: 60,
    currentMin: 55,
    currentMax: null,
    kwh: 6,
    runningSeconds: 900,
    startCount: 0,
  });
  const { series } = await trends(`series=21002:current,21002:kwh&from=${from}&to=${from + 14_400}`);
  expect(series[0]).toMatchObject({ resolution: "quarter", stepSeconds: 900, completeness: 0.5 });
  expect(series[0]!.timestamps).toEqual([0, 1, 2, 3, 8, 9, 10, 11].map((quarter) => from + 900 * quarter));
  expect([series[0]!.minimum[0], series[0]!.maximum[0], series[0]!.maximum[4]]).toEqual([30, 50, 60]);
  expect(series[1]!.figures).toMatchObject({ total: 44, energyKwh: 44, runSeconds: 5400, starts: 8 });
  const [hours] = (await trends(`series=21002:kwh&from=${from}&to=${from + 14_400}&points=4`)).series;
  expect([hours!.timestamps, hours!.mean]).toEqual([
    [from, from + 7200],
    [20, 24],
  ]);
});

test("where scalars tell of a part only, views are of all that is known, and a plot of the greater part", async () => {
  await addNode(server.database.pool, 21014);
  await addDataPoints(21014, hour, 3, { currentAvg: 40, voltageAvg: 480 });
  // Their currents begin with 0 and go up to 269.
  await addScalars(21014, hour + 2700, 270);
  const get = async (path: string, to: number) => {
    const { status, json } = await server.call({ method: "GET", url: `/api/trends${path}&from=${hour}&to=${to}`, token });
    expect([status, json["errorMessage"]]).toEqual([200, undefined]);
    return json["data"] as Record<string, unknown>;
  };
  const end = hour + 5400;
  const profile = (await get("/profile?series=21014:current", end))["hours"] as TrendProfile["hours"];
  expect(profile.reduce((sum, { coveredSeconds }) => sum + coveredSeconds, 0)).toBe(5400);
  const { percentiles, coveredSeconds, resolution } = await get("/duration?series=21014:current", end);
  expect([coveredSeconds, resolution, (percentiles as number[])[25]]).toEqual([5400, "quarter", 40]);
  const scatter = await get("/scatter?x=21014:current&y=21014:voltage", end);
  expect([scatter["resolution"], (scatter["timestamps"] as number[]).length]).toEqual(["quarter", 6]);
  const resolutionOf = async (to: number) => ((await get("?series=21014:current", to)) as unknown as Trends).series[0]!.resolution;
  expect(await resolutionOf(hour + 3600)).toBe("quarter");
  expect(await resolutionOf(end)).toBe("raw");
});

test("where both tell of a quarter of an hour, means are the scalars' and amounts the node's own", async () => {
  await addNode(server.database.pool, 21018);
  await addScalars(21018, hour, 90);
  await addDataPoints(21018, hour, 1, { currentAvg: 900, currentMin: 800, currentMax: 1000, runningSeconds: 777, startCount: 3 });
  const { series } = await trends(`series=21018:current1,21018:current,21018:runningSeconds&from=${hour}&to=${hour + 3600}&points=4`);
  expect(series.map(({ resolution, mean, maximum }) => [resolution, mean, maximum])).toEqual([
    ["quarter", [44.5], [89]],
    ["quarter", [45.5], [90]],
    ["quarter", [777], [777]],
  ]);
  expect(series[0]!.figures).toMatchObject({ runSeconds: 777, starts: 3 });
});

test("a machine that never ran and a node that never sent have no points and no figures", async () => {
  await addNode(server.database.pool, 21003);
  const [none] = (await trends(`series=21003:powerKw&from=${hour}&to=${hour + 86_400}`)).series;
  expect(none).toMatchObject({ timestamps: [], completeness: 0, locationName: "", locationId: null, timezone: "UTC" });
  expect(Object.values(none!.figures)).toEqual(Array(8).fill(null));
});

test("sums of more than a month are of whole days of the place and what is left at both ends, each once", async () => {
  const { pool } = server.database;
  await addNode(pool, 21025, await addPlace(pool, "Asia/Kolkata"));
  await addNode(pool, 21026, await addPlace(pool, "America/Denver"));
  const [from, to] = [hour - 38 * 86_400 + 900, hour - 900];
  for (const serial of [21025, 21026])
    await addDataPoints(serial, hour - 40 * 86_400, 96 * 40, { kwh: 1, runningSeconds: 300, startCount: 2 });
  const { series } = await trends(`series=21025:kwh,21026:kwh&from=${from}&to=${to}&points=50`);
  const quarters = (to - from) / 900;
  const sums = { energyKwh: quarters, runSeconds: 300 * quarters, starts: 2 * quarters };
  expect(series.map(({ figures }) => figures)).toMatchObject([sums, sums]);
});

test("what a node sent from another place stays with that place", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool);
  const otherPlace = await addPlace(pool, "America/Denver", "Birch Milling");
  await addNode(pool, 21004, place);
  await addScalars(21004, hour, 720);
  await pool.query("update node_assignment set location_id = $1 where serial_number = 21004", [otherPlace.locationId]);
  const moved = hour + 3600;
  await pool.query("update node_placement set ended_at = to_timestamp($1) where serial_number = 21004 and ended_at is not null", [moved]);
  await pool.query("update node_placement set started_at = to_timestamp($1) where serial_number = 21004 and ended_at is null", [moved]);
  const [now] = (await trends(`series=21004:current1&from=${hour}&to=${hour + 7200}&points=4000`)).series;
  expect([now!.locationId, now!.timestamps[0], now!.mean[0], now!.timestamps.length]).toEqual([otherPlace.locationId, moved, 360, 360]);
  const [before] = (await trends(`series=21004:current1&from=${hour}&to=${moved}&points=4000`)).series;
  expect([before!.locationId, before!.mean.at(-1)]).toEqual([place.locationId, 359]);

  const seen = async (headers: Record<string, string>) =>
    ((await ask(`series=21004:current1&from=${hour}&to=${hour + 7200}&points=4000`, headers)).json["data"] as Trends).series[0]!.mean;
  expect((await seen(await keyOf(otherPlace, "birchowner"))).length).toBe(360);
  const alder = await keyOf(place, "alderowner");
  // The node's first stay begins where the platform knows of it: a program sees nothing from before.
  await pool.query("update node_placement set started_at = to_timestamp($1) where serial_number = 21004 and ended_at is not null", [
    hour + 600,
  ]);
  expect(await seen(alder)).toEqual(Array.from({ length: 300 }, (_, index) => 60 + index));
  await addNode(pool, 21005, await addPlace(pool));
  const refused = await ask(`series=21005:current&from=${hour}&to=${hour + 60}`, alder);
  expect([refused.status, refused.json["errorMessage"]]).toEqual([404, "Node 21005 was not found"]);
});

test("A-63 what is read of a stretch begins with its first moment, ends before its last one and comes in its order", async () => {
  const { pool } = server.database;
  for (const serial of [21061, 21062]) {
    await addNode(pool, serial);
    await addScalars(serial, hour, 5);
    await addDataPoints(serial, hour, 5, { currentAvg: 4 });
  }
  // Without the index they lie as they came.
  const unsorted = <Read>(read: (client: PoolClient) => Promise<Read>) =>
    inTransaction(pool, async (client) => {
      await client.query("set local enable_indexscan = off; set local enable_indexonlyscan = off; set local enable_bitmapscan = off");
      return await read(client);
    });
  const scalars = await unsorted((client) =>
    readScalars(client, [
      { serial: 21062, from: hour + 20, to: hour + 50 },
      { serial: 21061, from: hour + 10, to: hour + 30 },
      { serial: 21062, from: hour, to: hour + 10 },
    ]),
  );
  expect(scalars.map(({ at }) => [...at].map((time) => time - hour))).toEqual([[20, 30, 40], [10, 20], [0]]);
  const points = await unsorted((client) =>
    readDataPoints(client, { serial: 21061, from: hour + 900, to: hour + 3_600 }, ["currentAvg", "kwh"]),
  );
  expect([...points.at].map((time) => time - hour)).toEqual([900, 1_800, 2_700]);
  expect([...points.values].map(([key, values]) => [key, [...values]])).toEqual([
    ["currentAvg", [4, 4, 4]],
    ["kwh", [Number.NaN, Number.NaN, Number.NaN]],
  ]);
});

test("A-63 a program sees no view of another customer's node", async () => {
  const { pool } = server.database;
  await addNode(pool, 21050, await addPlace(pool));
  await addScalars(21050, hour, 360);
  const stranger = await keyOf(await addPlace(pool), "viewstranger");
  const range = `from=${hour}&to=${hour + 3_600}`;
  for (const view of [
    `?series=21050:current&${range}`,
    `/profile?series=21050:current&${range}`,
    `/duration?series=21050:current&${range}`,
    `/scatter?x=21050:current&y=21050:voltage&${range}`,
    `/days?node=21050&${range}`,
  ]) {
    const url = `/api/trends${view}`;
    expect([view, (await server.call({ method: "GET", url, token })).status]).toEqual([view, 200]);
    const { status, json } = await server.call({ method: "GET", url, headers: stranger });
    expect([view, status, json["errorMessage"]]).toEqual([view, 404, "Node 21050 was not found"]);
  }
});

test("a place goes on where its node was replaced; what the new one sent before it came is not of the place", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool);
  await addNode(pool, 21016, place);
  await addScalars(21016, hour, 360);
  await pool.query("update node_assignment set location_id = $1 where serial_number = 21016", [(await addPlace(pool)).locationId]);
  await addNode(pool, 21017, place);
  await addScalars(21017, hour + 1800, 540);
  const moved = hour + 3600;
  await pool.query("update node_placement set ended_at = to_timestamp($1) where serial_number = 21016 and ended_at is not null", [moved]);
  await pool.query("update node_placement set started_at = to_timestamp($1) where serial_number in (21016, 21017) and ended_at is null", [
    moved,
  ]);
  const range = `from=${hour}&to=${hour + 7200}`;
  const [each] = (await trends(`series=21017:current1&${range}&points=4000`)).series;
  expect(each!.mean).toEqual([...Array.from({ length: 360 }, (_, n) => n), ...Array.from({ length: 360 }, (_, n) => 180 + n)]);
  const [quarters] = (await trends(`series=21017:current1&${range}&points=8`)).series;
  expect(quarters!.mean).toEqual([44.5, 134.5, 224.5, 314.5, 224.5, 314.5, 404.5, 494.5]);
  expect(quarters!.figures).toMatchObject({ runSeconds: 3600, starts: 60 });
  const { json } = await server.call({ method: "GET", url: `/api/trends/days?node=21017&${range}`, token });
  const { days } = json["data"] as { days: { runSeconds: number; starts: number }[] };
  expect(days.reduce((sum, { runSeconds }) => sum + runSeconds, 0)).toBe(3600);
  const [gone] = (await trends(`series=21016:current1&${range}&points=8`)).series;
  expect(gone!.mean).toEqual([]);
  // What is at the place's other side follows no one.
  await addNode(pool, 21027);
  await pool.query("insert into node_assignment (serial_number, location_id, slot) values (21027, $1, 2)", [place.locationId]);
  const stays = await createTrendsReadModel(pool).staysBefore([21016, 21017, 21027]);
  expect(stays.map(({ before, serial, locationId, endedAt }) => [before, serial, locationId, endedAt])).toEqual([
    [21017, 21016, place.locationId, moved],
  ]);
});

test("A-63 a stay has the names of its customer and place as they are now, and as they were once these are gone", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool, "Pacific/Honolulu", "Leaver");
  await addNode(pool, 21040, place);
  await pool.query("delete from node_assignment where serial_number = 21040");
  const stays = async () =>
    (await createTrendsReadModel(pool).stays([21040])).map((stay) => [
      stay.customerName,
      stay.facilityName,
      stay.locationName,
      stay.timezone,
      stay.isPlaceThere,
    ]);
  await pool.query("update customer set name = 'Stayer' where id = $1", [place.customerId]);
  await pool.query("update facility set name = 'West Works' where id = $1", [place.facilityId]);
  await pool.query("update location set name = 'Feed Pump 2', timezone = 'UTC' where id = $1", [place.locationId]);
  expect(await stays()).toEqual([["Stayer", "North Works", "Feed Pump 2", "UTC", true]]);
  await pool.query("delete from location where id = $1", [place.locationId]);
  await pool.query("delete from facility where id = $1", [place.facilityId]);
  await pool.query("delete from customer where id = $1", [place.customerId]);
  expect(await stays()).toEqual([["Leaver", "North Works", "Feed Pump 1", "Pacific/Honolulu", false]]);
});

test("a program sees nothing of what an earlier node sent while the place was another customer's", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool, "America/Chicago", "Seller");
  const buyer = await addPlace(pool, "America/Chicago", "Buyer");
  await addNode(pool, 21019, place);
  await addScalars(21019, hour, 360);
  await pool.query("delete from node_assignment where serial_number = 21019");
  await pool.query("update facility set customer_id = $1, name = 'South Works' where id = $2", [buyer.customerId, place.facilityId]);
  await addNode(pool, 21020, place);
  await addScalars(21020, hour + 3600, 360);
  const moved = hour + 3600;
  await pool.query("update node_placement set ended_at = to_timestamp($1), started_at = to_timestamp($2) where serial_number = 21019", [
    moved,
    hour - 3600,
  ]);
  await pool.query("update node_placement set started_at = to_timestamp($1) where serial_number = 21020", [moved]);
  const query = `series=21020:current1&from=${hour}&to=${hour + 7200}&points=4000`;
  const { json } = await ask(query, await keyOf(buyer, "buyerowner"));
  const own = Array.from({ length: 360 }, (_, n) => n);
  expect((json["data"] as Trends).series[0]!.mean).toEqual(own);
  expect((await trends(query)).series[0]!.mean).toEqual([...own, ...own]);
});

test("limits are those of the place in that stay, also for a key of its former customer", async () => {
  const { pool } = server.database;
  const seller = await addPlace(pool, "America/Chicago", "Cedar Seller");
  const buyer = await addPlace(pool, "America/Chicago", "Cedar Buyer");
  const rate = ({ locationId }: TestPlace, horsePower: number) =>
    pool.query("update location set np_hp = $2 where id = $1", [locationId, horsePower]);
  await rate(seller, 10);
  await rate(buyer, 200);
  await addNode(pool, 21051, seller, { voltage_imbalance_threshold: 3, over_voltage_threshold: 11 });
  const configure = (voltage: number) =>
    pool.query(
      `insert into node_config (serial_number, told_at, config_values) values (21051, now(), jsonb_build_object('np_voltage', $1::text))
       on conflict (serial_number) do update set config_values = excluded.config_values`,
      [String(voltage)],
    );
  await configure(480);
  await addScalars(21051, hour, 360);
  const code = await server.passcode("looker");
  const url = `/api/customers/${seller.customerId}/facilities/${seller.facilityId}/2fa/${code}`;
  expect((await server.call({ method: "DELETE", url, token })).status).toBe(200);
  await pool.query("insert into node_assignment (serial_number, location_id, slot) values (21051, $1, 1)", [buyer.locationId]);
  await pool.query("update node set voltage_imbalance_threshold = 7, over_voltage_threshold = 22 where serial_number = 21051");
  await configure(4160);
  const moved = hour + 3600;
  await pool.query("update node_placement set ended_at = to_timestamp($1), started_at = to_timestamp($2) where location_id = $3", [
    moved,
    hour,
    seller.locationId,
  ]);
  await pool.query("update node_placement set started_at = to_timestamp($1) where serial_number = 21051 and ended_at is null", [moved]);
  const limits = async (to: number, headers: Record<string, string> = {}) => {
    const { json } = await ask(`series=21051:voltage1,21051:voltageImbalance,21051:powerKw&from=${hour}&to=${to}`, headers);
    return (json["data"] as Trends).series.map((series) => series.limits.map(({ value }) => Math.round(value)));
  };
  const sold = [[480, 533, 432], [3], [8]];
  const now = [[4160, 5075, 3744], [7], [155]];
  const key = await keyOf(seller, "cedarseller");
  expect(await limits(moved + 3600, key)).toEqual(sold);
  expect([await limits(moved), await limits(moved + 3600)]).toEqual([sold, now]);
  // Of stays that ended before they kept their settings.
  await pool.query("update node_placement set settings = null where serial_number = 21051");
  expect(await limits(moved + 3600, key)).toEqual([[], [], []]);
});

test("bad input is refused with its reason", async () => {
  const refusal = async (query: string) => {
    const { status, json } = await ask(query);
    return [status, json["errorMessage"]];
  };
  const range = `from=${hour}&to=${hour + 60}`;
  expect(await refusal(`series=21001:current&from=${hour}&to=${hour}`)).toEqual([400, "to: is after from"]);
  expect(await refusal(`series=21001:current&from=${hour}&to=${hour - 1}`)).toEqual([400, "to: is after from"]);
  expect(await refusal(`series=21001:current&from=0&to=3200000000`)).toEqual([400, "to: is at most 20 years after from"]);
  expect(await refusal(`series=21001:horsePower&${range}`)).toEqual([400, "series: there is no quantity horsePower"]);
  for (const [x, y, field] of [
    ["horsePower", "current", "x"],
    ["current", "horsePower", "y"],
  ]) {
    const url = `/api/trends/scatter?x=21001:${x}&y=21001:${y}&${range}`;
    const { json } = await server.call({ method: "GET", url, token });
    expect(json["errorMessage"]).toBe(`${field}: there is no quantity horsePower`);
  }
  expect(await refusal(`series=29999:current&${range}`)).toEqual([404, "Node 29999 was not found"]);
  const hundred = Array(100).fill("21001:current").join(",");
  for (const series of ["", "21001", "21001:", hundred])
    expect(await refusal(`series=${series}&${range}`)).toEqual([400, expect.stringMatching(/^series: series is a list such as/)]);
  for (const points of ["0", "4001", "1.5"])
    expect(await refusal(`series=21001:current&${range}&points=${points}`)).toEqual([
      400,
      "points: points is a whole number from 1 to 4000",
    ]);
});

test("marks say what happened where the node was, and of configuration the parameter only", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool, "America/Chicago", "Cedar Cooling");
  await addNode(pool, 21006, place);
  await pool.query("update node_placement set started_at = to_timestamp($1) where serial_number = 21006", [hour - 7200]);
  await pool.query(
    `insert into location_note (location_id, ts, note, is_archived) values ($1, to_timestamp($2), 'Belt replaced', false),
       ($1, to_timestamp($3), 'Before it came', false), ($1, to_timestamp($2), 'Archived', true)`,
    [place.locationId, hour, hour - 10_000],
  );
  await pool.query(
    "insert into alarm (serial_number, kind, raised_at, cleared_at, threshold) values (21006, 'voltageThd', to_timestamp($1), to_timestamp($2), 10)",
    [hour - 9000, hour + 60],
  );
  await pool.query("insert into recorded_event (serial_number, ts, number, words) values (21006, to_timestamp($1), 1, 'AG T')", [
    hour + 120,
  ]);
  const { rows } = await pool.query<{ id: number }>(
    `insert into audit_log (username, serial_number, location_name, timezone, key, old_value, new_value, result)
     values ('someone', 21006, '', 'UTC', 'np_voltage', '460', '480', 'confirmed') returning id::float8`,
  );
  await pool.query(
    "insert into activity (ts, actor_type, actor, action, object, description, after) values (to_timestamp($1), 'User', 'someone', 'PATCH_NODE_CONFIG', 'node/21006', 'x', $2)",
    [hour + 180, JSON.stringify({ auditId: rows[0]!.id })],
  );
  const marksOf = async (from: number, to: number) => {
    const { status, json } = await server.call({ method: "GET", url: `/api/trends/marks?nodes=21006&from=${from}&to=${to}`, token });
    expect([status, json["errorMessage"]]).toEqual([200, undefined]);
    return json["data"] as { marks: TrendMark[]; isCut: boolean };
  };
  const { marks, isCut } = await marksOf(hour - 7200, hour + 3600);
  expect(isCut).toBe(false);
  const eventName = `21006_${new Date((hour + 120) * 1000).toISOString().replaceAll(/[-:]|\.000/g, "")}_E0001`;
  expect(marks.map(({ timestamp, kind, text, ref }) => [timestamp - hour, kind, text, ref])).toEqual([
    [-9000, "alarm", "voltage THD", "node/21006"],
    [-7200, "placement", "Cedar Cooling › North Works › Feed Pump 1", `location/${place.locationId}`],
    [0, "note", "Belt replaced", `location/${place.locationId}`],
    [120, "event", "AG T", `event/${eventName}`],
    [180, "config", "np_voltage", "node/21006"],
  ]);
  expect((await marksOf(hour + 100, hour + 150)).marks.map(({ kind }) => kind)).toEqual(["event"]);
  // An alarm of an incident leads to it, and not to another kind's.
  const incidentOf = async (kind: string, alarmKind = kind) => {
    const { rows: made } = await pool.query<{ id: number }>(
      `with i as (insert into incident (cause, kind, alarm_kind, began_at) values ($1, $2, $3, to_timestamp($4)) returning id)
       insert into incident_member select id, 21006, to_timestamp($4), to_timestamp($4), to_timestamp($5), 1 from i returning incident_id as id`,
      [`${kind} ${alarmKind}`, kind, alarmKind, hour - 9000, hour - 7150],
    );
    return made[0]!.id;
  };
  const incident = await incidentOf("alarm", "voltageThd");
  await incidentOf("alarm", "overVoltage");
  expect((await marksOf(hour - 7200, hour - 7100)).marks.find(({ kind }) => kind === "alarm")?.ref).toBe(`incident/${incident}`);
  // A time in which the node was away is an outage, as long as it was; one that lasts is in every range after its begin.
  const outage = await incidentOf("outage", "");
  const link = await incidentOf("link", "");
  await pool.query("update incident_member set ended_at = null, began_at = to_timestamp($2) where incident_id = $1", [link, hour - 8000]);
  const outagesIn = async (from: number, to: number) =>
    (await marksOf(from, to)).marks.flatMap(({ kind, text, ref, endTimestamp }) => (kind === "outage" ? [[text, ref, endTimestamp]] : []));
  expect(await outagesIn(hour - 7200, hour - 7100)).toEqual([
    ["Outage of the facility", `incident/${outage}`, hour - 7150],
    ["Lost connection", `incident/${link}`, null],
  ]);
  expect(await outagesIn(hour - 7100, hour)).toEqual([["Lost connection", `incident/${link}`, null]]);
});

test("of more marks than an answer holds the newest stay, the earliest of them first", async () => {
  const { pool } = server.database;
  await addNode(pool, 21021);
  await pool.query(
    "insert into recorded_event (serial_number, ts, number, words) select 21021, to_timestamp($1::float8 + n), 1, n::text from generate_series(1, $2) n",
    [hour, mostTrendMarks + 30],
  );
  const url = `/api/trends/marks?nodes=21021&from=${hour}&to=${hour + 3600}`;
  const { marks, isCut } = (await server.call({ method: "GET", url, token })).json["data"] as { marks: TrendMark[]; isCut: boolean };
  expect([isCut, marks.length, marks[0]!.text, marks.at(-1)!.text]).toEqual([true, mostTrendMarks, "31", String(mostTrendMarks + 30)]);
});

test("views of a machine: by weekday and hour, by duration, of two quantities, by day with its cost", async () => {
  const { pool } = server.database;
  await addNode(pool, 21007, await addPlace(pool, "America/Chicago", "Dogwood Drives"));
  // Sunday 2026-11-01 has 25 hours in Chicago.
  const sunday = Date.parse("2026-11-01T05:00:00Z") / 1000;
  await ensureSensorDataPartitions(pool, [sunday]);
  for (let quarter = 0; quarter < 100; quarter++)
    await addDataPoints(21007, sunday + 900 * quarter, 1, {
      powerKwAvg: quarter,
      currentAvg: 2 * quarter,
      kwh: quarter / 4,
      runningSeconds: 900,
      startCount: quarter === 0 ? 1 : 0,
    });
  const boss = await server.login(await server.addAdministrator("trendboss", ["systemAdministrator"]));
  const set = await server.call({
    method: "PATCH",
    url: "/api/system/config",
    token: boss,
    payload: { Trends_dollarsPerKilowattHour: "0.125" },
  });
  expect(set.status).toBe(200);
  const get = async (path: string) => {
    const { status, json } = await server.call({ method: "GET", url: `/api/trends/${path}&from=${sunday}&to=${sunday + 90_000}`, token });
    expect([status, json["errorMessage"]]).toEqual([200, undefined]);
    return json["data"] as Record<string, unknown>;
  };
  const hours = (await get("profile?series=21007:powerKw"))["hours"] as TrendProfile["hours"];
  // The hour from one to two comes twice.
  expect(hours.slice(0, 3)).toEqual([
    { weekday: 7, hour: 0, mean: 1.5, coveredSeconds: 3600 },
    { weekday: 7, hour: 1, mean: 7.5, coveredSeconds: 7200 },
    { weekday: 7, hour: 2, mean: 13.5, coveredSeconds: 3600 },
  ]);
  expect(hours.length).toBe(24);
  const percentiles = (await get("duration?series=21007:powerKw"))["percentiles"] as number[];
  expect([percentiles.length, percentiles[0], percentiles[50], percentiles[100]]).toEqual([101, 0, 49, 99]);
  const scatter = await get("scatter?x=21007:powerKw&y=21007:current&points=25");
  expect([(scatter["x"] as number[]).slice(0, 2), (scatter["y"] as number[]).slice(0, 2)]).toEqual([
    [1.5, 5.5],
    [3, 11],
  ]);
  const { days, rateCents } = await get("days?node=21007");
  expect([rateCents, days]).toEqual([
    12.5,
    [
      {
        date: "2026-11-01",
        timestamp: sunday,
        lengthSeconds: 90_000,
        energyKwh: 1237.5,
        costCents: 15_468.75,
        runSeconds: 90_000,
        starts: 1,
      },
    ],
  ]);
});

test("a profile has the weekdays of the place, also where its days begin on another day of UTC", async () => {
  const { pool } = server.database;
  await addNode(pool, 21022, await addPlace(pool, "Asia/Kolkata", "Indus Mills"));
  // Monday 2026-11-02, 00:00 in Kolkata.
  const monday = Date.parse("2026-11-01T18:30:00Z") / 1000;
  await ensureSensorDataPartitions(pool, [monday]);
  await addDataPoints(21022, monday, 8, { powerKwAvg: 6 });
  const url = `/api/trends/profile?series=21022:powerKw&from=${monday}&to=${monday + 86_400}`;
  const { json } = await server.call({ method: "GET", url, token });
  expect((json["data"] as TrendProfile).hours).toEqual([
    { weekday: 1, hour: 0, mean: 6, coveredSeconds: 3600 },
    { weekday: 1, hour: 1, mean: 6, coveredSeconds: 3600 },
  ]);
});

test("a quarter of an hour in which a node moved is of neither place", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool);
  await addNode(pool, 21023, place);
  await addScalars(21023, hour, 720);
  await pool.query("update node_assignment set location_id = $1 where serial_number = 21023", [(await addPlace(pool)).locationId]);
  const moved = hour + 3600 + 450;
  await pool.query("update node_placement set ended_at = to_timestamp($1) where serial_number = 21023 and ended_at is not null", [moved]);
  await pool.query("update node_placement set started_at = to_timestamp($1) where serial_number = 21023 and ended_at is null", [moved]);
  const timesIn = async (from: number, to: number) =>
    (await trends(`series=21023:current1&from=${from}&to=${to}&points=8`)).series[0]!.timestamps.map((at) => (at - hour) / 900);
  expect([await timesIn(hour, moved), await timesIn(hour, hour + 7200)]).toEqual([
    [0, 1, 2, 3],
    [5, 6, 7],
  ]);
});

test("marks are those of the nodes and of their places at the time, from the first moment of a range on and before its end", async () => {
  const { pool } = server.database;
  const [own, other, next] = [21_901, 21_902, 21_903];
  const place = await addPlace(pool);
  for (const serial of [own, other, next]) await addNode(pool, serial);
  const from = Date.UTC(2021, 0, 1) / 1000;
  const run = (text: string, values: unknown[]) => pool.query<{ id: number }>(text, values);
  const moments = [-1, 0, 50, 99, 100];
  const each = (statement: string) => run(statement, [own, other, from, moments]);
  // It was at the place from 10 until 60.
  const { rows: elsewhere } = await run("insert into location (facility_id, name, timezone) values ($1, 'Elsewhere', 'UTC') returning id", [
    place.facilityId,
  ]);
  await run(
    `insert into node_placement (serial_number, location_id, slot, customer_name, facility_name, location_name, started_at, ended_at)
     select s, l, 1, 'C', 'F', 'L ' || a, to_timestamp($3 + a), to_timestamp($3 + e) from
       (values ($1::int4, $4::int4, 10, 60), ($1, $5, 0, 5), ($1, $5, -1, 0), ($1, $5, 100, null), ($2, $4, 50, null)) v (s, l, a, e)`,
    [own, other, from, place.locationId, elsewhere[0]!.id],
  );
  for (const [at, isArchived] of [
    [9, false],
    [10, false],
    [30, true],
    [59, false],
    [60, false],
  ] as const)
    await run("insert into location_note (location_id, ts, note, is_archived) values ($1, to_timestamp($2), $3, $4)", [
      place.locationId,
      from + at,
      `note ${at}`,
      isArchived,
    ]);
  await each(
    "insert into recorded_event (serial_number, ts, number, kind, words) select s, to_timestamp($3::float8 + m), 1, 'trip', 'event ' || m from unnest(array[$1::int4, $2]) s, unnest($4::int4[]) m where s = $1 or m = 50",
  );
  await run(
    `insert into alarm (serial_number, kind, raised_at, cleared_at, threshold) select s, k, to_timestamp($3 + r), to_timestamp($3 + c), 1 from
       (values ($1::int4, 'overVoltage', -9, -1), ($1, 'underVoltage', -9, 0), ($1, 'voltageSag', 99, null), ($1, 'longStart', 100, null), ($2, 'underload', 50, null)) v (s, k, r, c)`,
    [own, other, from],
  );
  const incident = async (kind: string, alarmKind: string, serial: number, began: number, lastBegan: number, ended: number | null) => {
    const { rows } = await run(
      "insert into incident (cause, kind, alarm_kind, began_at) values ($1, $2, $3, to_timestamp($4)) returning id",
      [`${kind} ${alarmKind} ${serial} ${began}`, kind, alarmKind, from + began],
    );
    await run(
      "insert into incident_member (incident_id, serial_number, began_at, last_began_at, ended_at, count) values ($1, $2, to_timestamp($3), to_timestamp($4), to_timestamp($5), 1)",
      [rows[0]!.id, serial, from + began, from + lastBegan, ended === null ? null : from + ended],
    );
    return rows[0]!.id;
  };
  const itsIncident = await incident("alarm", "underVoltage", own, -9, -9, null);
  await incident("alarm", "underVoltage", own, -20, -10, null);
  await incident("alarm", "underVoltage", own, -8, 9, null);
  await incident("alarm", "underVoltage", other, -9, -9, null);
  await incident("alarm", "overVoltage", own, -9, -9, null);
  await incident("link", "underVoltage", own, -9, -9, -1);
  const untilThen = await incident("link", "", own, -5, -5, 0);
  const open = await incident("silent", "", own, 99, 99, null);
  await incident("outage", "", own, 100, 100, null);
  await incident("outage", "", other, 50, 50, null);
  await incident("service", "", own, 50, 50, null);
  await run(
    `insert into node_swap (old_serial_number, new_serial_number, slot, customer_name, facility_name, location_name, swapped_at, swapped_by, reason, old_node_status)
     select o, n, 1, '', '', '', to_timestamp($4 + t), '', '', '' from
       (values ($1::int4, $3::int4, -1), ($1, $3, 0), ($1, $3, 100), ($2, $3, 50), ($2, $1, 10), ($3, $1, 11), ($2, $3, 0)) v (o, n, t)`,
    [own, other, next, from],
  );
  await each(
    `with written as (insert into audit_log (username, serial_number, location_name, timezone, key, old_value, new_value, result)
       select '', s, '', '', 'key ' || m, '', '', '' from unnest(array[$1::int4, $2]) s, unnest($4::int4[]) m where s = $1 or m = 50 returning id, serial_number, key)
     insert into activity (ts, actor_type, actor, action, object, description, after)
       select to_timestamp($3::float8 + split_part(key, ' ', 2)::int4), 'User', '', a, 'node/' || serial_number, '', jsonb_build_object('auditId', id)
       from written, unnest(array['PATCH_NODE_CONFIG', 'PATCH_NODE']) a where a = 'PATCH_NODE_CONFIG' or key = 'key 50'`,
  );
  const { rows: written } = await run("select count(*)::int4 as id from activity where ts < to_timestamp($1) and ts >= to_timestamp($2)", [
    from + 200,
    from - 200,
  ]);
  expect(written[0]!.id).toBe(8);
  const marks = await createTrendMarksReadModel(pool).ofNodes([own], { from, to: from + 100 });
  expect(marks.map(({ timestamp, kind, text, ref }) => [timestamp - from, kind, kind === "alarm" ? "" : text, ref])).toEqual([
    [99, "alarm", "", `node/${own}`],
    [99, "config", "key 99", `node/${own}`],
    [99, "event", "event 99", `event/${own}_20210101T000139Z_E0001`],
    [99, "outage", "Silence", `incident/${open}`],
    [59, "note", "note 59", `location/${place.locationId}`],
    [50, "config", "key 50", `node/${own}`],
    [50, "event", "event 50", `event/${own}_20210101T000050Z_E0001`],
    [10, "note", "note 10", `location/${place.locationId}`],
    [10, "placement", `C › F › L 10, in the place of ${other}`, `location/${place.locationId}`],
    [0, "config", "key 0", `node/${own}`],
    [0, "event", "event 0", `event/${own}_20210101T000000Z_E0001`],
    ...marks
      .filter(({ kind, timestamp }) => kind === "placement" && timestamp === from)
      .map(({ text, ref }) => [0, "placement", text, ref]),
    [-5, "outage", "Lost connection", `incident/${untilThen}`],
    [-9, "alarm", "", `incident/${itsIncident}`],
  ]);
  expect(new Set(marks.flatMap(({ kind, timestamp, text }) => (kind === "placement" && timestamp === from ? [text] : [])))).toEqual(
    new Set(["C › F › L 0", `Swapped for ${next}`]),
  );
  expect(marks.filter(({ kind, timestamp }) => kind === "placement" && timestamp === from)).toHaveLength(2);
  expect(await createTrendMarksReadModel(pool).unknownNode([own, 21_999])).toBe(21_999);
});
