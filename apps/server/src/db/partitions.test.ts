import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { dropExpiredScalarPartitions, ensureScalarPartitions } from "./scalar-partitions.ts";
import { dropExpiredSensorDataPartitions, ensureSensorDataPartitions } from "./sensor-data-partitions.ts";
import { dropExpiredMinutes, dropExpiredQuarters, ensureMinutePartitions, ensureQuarterPartitions } from "./trend-partitions.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

const at = (text: string) => Date.parse(text) / 1000;
const hour = (text: string) => at(text) / 3_600;
const day = (text: string) => at(`${text}T00:00:00Z`) / 86_400;

/** Of this year and the next, which no migration makes. */
async function boundsOf(parent: string): Promise<Record<string, string>> {
  const { rows } = await database.pool.query<{ name: string; bounds: string }>(
    `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass and c.relname ~ '_(2030|2031)' order by 1`,
    [parent],
  );
  return Object.fromEntries(
    rows.map(({ name, bounds }) => {
      const [, from = "", to = ""] = /FROM \('?(.*?)'?\) TO \('?(.*?)'?\)$/.exec(bounds) ?? [];
      return [name, `${from} ${to}`];
    }),
  );
}

test("scalars have a partition for each day, and only whole days that are over are dropped", async () => {
  await ensureScalarPartitions(database.pool, at("2030-12-30T23:59:59Z"), at("2031-01-01T00:00:00Z"));
  await ensureScalarPartitions(database.pool, at("2031-01-01T12:00:00Z"), at("2031-01-01T12:00:00Z"));
  expect(await boundsOf("scalar")).toEqual({
    scalar_20301230: "2030-12-30 00:00:00+00 2030-12-31 00:00:00+00",
    scalar_20301231: "2030-12-31 00:00:00+00 2031-01-01 00:00:00+00",
    scalar_20310101: "2031-01-01 00:00:00+00 2031-01-02 00:00:00+00",
  });
  await dropExpiredScalarPartitions(database.pool, at("2030-12-31T23:59:59Z"));
  expect(Object.keys(await boundsOf("scalar"))).toEqual(["scalar_20301231", "scalar_20310101"]);
});

test("data points have a partition for each month, and only whole months that are over are dropped", async () => {
  await ensureSensorDataPartitions(database.pool, [at("2030-11-30T23:59:59Z"), at("2030-12-01T00:00:00Z"), at("2031-01-31T00:00:00Z")]);
  expect(await boundsOf("sensor_data")).toEqual({
    sensor_data_203011: "2030-11-01 00:00:00+00 2030-12-01 00:00:00+00",
    sensor_data_203012: "2030-12-01 00:00:00+00 2031-01-01 00:00:00+00",
    sensor_data_203101: "2031-01-01 00:00:00+00 2031-02-01 00:00:00+00",
  });
  expect(await dropExpiredSensorDataPartitions(database.pool, at("2030-12-31T23:59:59Z"))).toContain("sensor_data_203011");
  expect(Object.keys(await boundsOf("sensor_data"))).toEqual(["sensor_data_203012", "sensor_data_203101"]);
});

test("trends have weeks of minutes and years of quarters of an hour, dropped when they are over", async () => {
  // Weeks are counted from 1970, which began on a Thursday.
  await ensureMinutePartitions(database.pool, ["2030-12-25T23:00:00Z", "2030-12-26T00:00:00Z", "2031-01-02T00:00:00Z"].map(hour));
  expect(await boundsOf("trend_minute")).toEqual({
    trend_minute_20301219: `${hour("2030-12-19T00:00:00Z")} ${hour("2030-12-26T00:00:00Z")}`,
    trend_minute_20301226: `${hour("2030-12-26T00:00:00Z")} ${hour("2031-01-02T00:00:00Z")}`,
    trend_minute_20310102: `${hour("2031-01-02T00:00:00Z")} ${hour("2031-01-09T00:00:00Z")}`,
  });
  expect(await dropExpiredMinutes(database.pool, at("2031-01-01T23:59:59Z"))).toContain("trend_minute_20301219");
  expect(Object.keys(await boundsOf("trend_minute"))).toEqual(["trend_minute_20301226", "trend_minute_20310102"]);

  await ensureQuarterPartitions(database.pool, ["2030-01-01", "2030-12-31", "2031-01-01"].map(day));
  expect(await boundsOf("trend_quarter")).toEqual({
    trend_quarter_20300101: `${day("2030-01-01")} ${day("2031-01-01")}`,
    trend_quarter_20310101: `${day("2031-01-01")} ${day("2032-01-01")}`,
  });
  await dropExpiredQuarters(database.pool, at("2030-12-31T23:59:59Z"));
  expect(Object.keys(await boundsOf("trend_quarter"))).toHaveLength(2);
  expect(await dropExpiredQuarters(database.pool, at("2031-01-01T00:00:00Z"))).toContain("trend_quarter_20300101");
  expect(Object.keys(await boundsOf("trend_quarter"))).toEqual(["trend_quarter_20310101"]);
});
