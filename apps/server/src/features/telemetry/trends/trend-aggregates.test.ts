import { readFileSync } from "node:fs";
import type { Trends } from "@busbar/contract/telemetry/trends.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureScalarPartitions } from "#db/scalar-partitions.ts";
import { ensureSensorDataPartitions } from "#db/sensor-data-partitions.ts";
import { inTransaction, rolledBack } from "#db/transaction.ts";
import { markDataPointTrends, markScalarTrends } from "#shared/trend-marks.store.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace } from "#testing/test-world.ts";
import { createTrendAggregatesStore, firstDayOf } from "./trend-aggregates.store.ts";
import { createTrendAggregates } from "./trend-aggregates.task.ts";
import { createTrendsReadModel } from "./trends.read-model.ts";

let server: TestApp;
let token: string;
beforeAll(async () => {
  server = await createTestApp();
  await server.addAdministrator("looker");
});
afterAll(() => server.stop());

/** A session ends when the clock goes on. */
const signIn = async () => {
  token = await server.login("looker");
};

/** A program of its own, which knows nothing of the product's formulas but what the documentation says. */
const oracle = readFileSync(new URL("./trend-oracle.sql", import.meta.url), "utf8");

/** Random numbers that are the same in every run. */
function seeded(seed: number) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** Returns in words what was made; the count is that of all of it. */
const runAggregates = async (): Promise<string> => {
  const { pool } = server.database;
  const task = createTrendAggregates({
    pool,
    store: createTrendAggregatesStore(pool),
    readModel: createTrendsReadModel(pool),
    clock: server.clock,
  });
  const result = await task.run(new AbortController().signal);
  const { processedCount, did = "" } = typeof result === "number" ? { processedCount: result } : result;
  const counts = [...did.matchAll(/([\d,]+) (?:hour|day|month|earlier month)s?\b/g)].map(([, count = ""]) =>
    Number(count.replaceAll(",", "")),
  );
  expect([did, counts.reduce((sum, count) => sum + count, 0)]).toEqual([did, processedCount]);
  return did;
};

interface Row {
  serial: number;
  at: number;
  current: number | null;
}

/** Adds scalars as ingest does; what is there stays, but for what it lacks. */
async function add(rows: readonly Row[]): Promise<void> {
  await inTransaction(server.database.pool, async (client) => {
    await markScalarTrends(client, rows);
    await client.query(
      `insert into scalar (serial_number, ts, flag, line_frequency, current1, current2, current3)
       select s, to_timestamp(t), case when c > 50 then 1 else 0 end, 60, c, c * 1.1, c * 0.9 from unnest($1::int4[], $2::float8[], $3::float4[]) u (s, t, c)
       on conflict (serial_number, ts) do update set current1 = coalesce(scalar.current1, excluded.current1),
         current2 = coalesce(scalar.current2, excluded.current2), current3 = coalesce(scalar.current3, excluded.current3)`,
      [rows.map(({ serial }) => serial), rows.map(({ at }) => at), rows.map(({ current }) => current)],
    );
  });
}

const zones = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Phoenix",
  "America/Los_Angeles",
  "America/Anchorage",
  "Pacific/Honolulu",
  "Asia/Kolkata",
];

describe("aggregates against sums over the rows by a program of its own", () => {
  // Around each change of the clocks: the days before and after it are asked for as well.
  test.each([
    ["spring", "2026-03-08T00:00:00Z"],
    ["autumn", "2026-11-01T00:00:00Z"],
  ])("late, doubled and corrected data in eight zones, across the change in %s", async (season, day) => {
    const { pool } = server.database;
    const random = seeded(season === "spring" ? 1 : 2);
    const from = Date.parse(day) / 1000 - 43_200;
    const to = from + 3 * 86_400;
    server.clock.advance(to + 86_400 * 2 - server.clock.now() / 1000);
    await signIn();
    await ensureScalarPartitions(pool, from, to);
    await ensureSensorDataPartitions(pool, [from, to]);
    await pool.query("update trend_state set closed_hour = $1, queued_hour = $1, queued_day = ($1 + 1) / 24 - 1, queued_month = $2", [
      Math.floor(from / 3600) - 25,
      season === "spring" ? 673 : 681,
    ]);
    const base = season === "spring" ? 22_000 : 23_000;
    const rows: Row[] = [];
    for (const [index, zone] of zones.entries()) {
      const serial = base + index;
      await addNode(pool, serial, await addPlace(pool, zone, `Trend ${season}`), { scalar_interval_seconds: 60 });
      // About every minute, with pauses, at any millisecond.
      for (let at = from + random() * 60; at < to; at += 45 + random() * 120 + (random() < 0.01 ? 7200 * random() : 0))
        rows.push({ serial, at: Math.round(at * 1000) / 1000, current: random() < 0.02 ? null : random() < 0.1 ? 0 : 100 * random() });
    }
    const late = rows.filter(() => random() < 0.1);
    await add(rows.filter((row) => !late.includes(row)));
    await runAggregates();
    // What was missing comes, some of it twice, with what was doubled, and values that a scalar lacked.
    await add(late);
    await add(rows.filter(() => random() < 0.02).map((row) => ({ ...row, current: row.current ?? 42 })));
    expect(await runAggregates()).toMatch(/^Made \d+ hours, \d+ days.* of machines$/);
    expect((await pool.query("select from trend_dirty")).rowCount).toBe(0);

    for (let tries = 0; tries < 8; tries++) {
      const index = Math.floor(random() * zones.length);
      const begin = from + Math.floor(random() * 86_400 * 1.5);
      const end = begin + Math.floor(3600 + random() * 86_400 * 1.4);
      for (const [resolution, step, points] of [
        ["minute", 60, 4000],
        ["quarter", 900, Math.floor((end - begin) / 900)],
        ["day", 0, Math.ceil((end - begin) / 86_400)],
      ] as const) {
        const url = `/api/trends?series=${base + index}:current1&from=${begin}&to=${end}&points=${points}`;
        const { series } = (await server.call({ method: "GET", url, token })).json["data"] as Trends;
        const [own] = series;
        expect(own!.resolution).toBe(own!.stepSeconds < 900 ? "minute" : own!.stepSeconds < 86_400 ? "quarter" : "day");
        if (own!.resolution !== resolution) continue;
        const { rows: expected } = await pool.query<{ at: number; low: number; mean: number; high: number }>(oracle, [
          base + index,
          begin,
          end,
          step === 0 ? 0 : own!.stepSeconds,
          zones[index],
          60,
        ]);
        expect(own!.timestamps).toEqual(expected.map(({ at }) => at));
        for (const [place, { low, mean, high }] of expected.entries()) {
          expect(own!.mean[place]).toBeCloseTo(mean, 3);
          expect(own!.minimum[place]).toBeCloseTo(low, 3);
          expect(own!.maximum[place]).toBeCloseTo(high, 3);
        }
      }
    }
  });
});

test("what goes with its scalars stays, and what comes after that is added to it", async () => {
  const { pool } = server.database;
  const hour = Math.floor(server.clock.now() / 3_600_000) - 30;
  await signIn();
  await addNode(pool, 24_001, await addPlace(pool));
  await ensureScalarPartitions(pool, (hour - 24) * 3600, (hour + 48) * 3600);
  const rows = Array.from({ length: 180 }, (_, index) => ({ serial: 24_001, at: hour * 3600 + 10 * index, current: index }));
  await add(rows);
  await runAggregates();
  await pool.query("delete from scalar where serial_number = 24001");
  await add([
    { serial: 24_001, at: hour * 3600 + 5, current: 1000 },
    { serial: 24_001, at: hour * 3600 + 3000, current: 500 },
  ]);
  await runAggregates();
  const url = `/api/trends?series=24001:current1&from=${hour * 3600}&to=${hour * 3600 + 3600}&points=60`;
  const { series } = (await server.call({ method: "GET", url, token })).json["data"] as Trends;
  expect([series[0]!.timestamps.length, series[0]!.maximum[0], series[0]!.mean.at(-1)]).toEqual([31, 5, 500]);
});

test("what is added while an hour is being closed is in its aggregate", async () => {
  const { pool } = server.database;
  const hour = Math.floor(server.clock.now() / 3_600_000);
  await addNode(pool, 24_002, await addPlace(pool));
  await ensureScalarPartitions(pool, hour * 3600, hour * 3600 + 7200);
  const client = await pool.connect();
  await client.query("begin");
  await markScalarTrends(client, [{ serial: 24_002, at: hour * 3600 + 7 }]);
  await client.query("insert into scalar (serial_number, ts, current1) values (24002, to_timestamp($1), 7)", [hour * 3600 + 7]);
  server.clock.advance(3600 + 130);
  const closing = runAggregates();
  await expect
    .poll(async () => (await pool.query("select from pg_locks where locktype = 'advisory' and objid = 5116 and not granted")).rowCount)
    .toBe(1);
  await client.query("commit");
  client.release();
  await closing;
  const { rows } = await pool.query<{ count: number }>(
    "select count(*)::int4 as count from trend_minute where serial_number = 24002 and hour = $1",
    [hour],
  );
  expect(rows[0]!.count).toBeGreaterThan(0);
});

test("the newest hours come first, and one to which something is added while it is made is made once more", async () => {
  const { pool } = server.database;
  const store = createTrendAggregatesStore(pool);
  await addNode(pool, 24_004, await addPlace(pool));
  const { closedHour } = await store.state();
  // By a clock that was put back.
  await store.closeHour(closedHour - 1);
  expect((await store.state()).closedHour).toBe(closedHour);
  const hours = [closedHour - 2, closedHour, closedHour - 1];
  for (const hour of hours) await inTransaction(pool, (client) => markScalarTrends(client, [{ serial: 24_004, at: hour * 3600 + 7 }]));
  const found = await store.findDirty("h", "hour", 10, null);
  expect(found.map(({ at }) => at)).toEqual([closedHour, closedHour - 1, closedHour - 2]);
  const [again] = found;
  await inTransaction(pool, (client) => markScalarTrends(client, [{ serial: 24_004, at: again!.at * 3600 + 9 }]));
  await inTransaction(pool, (client) => store.forgetDirty(client, "h", found));
  expect((await store.findDirty("h", "hour", 10, null)).map(({ at }) => at)).toEqual([again!.at]);
  await pool.query("delete from trend_dirty");
});

test("hours, days and months are queued for nodes with something of them, and once more for what is being made of them", async () => {
  const { pool } = server.database;
  const store = createTrendAggregatesStore(pool);
  const { rows: states } = await pool.query("select * from trend_state");
  const month = 668;
  const day = firstDayOf(month);
  const points = Buffer.from([1]);
  let serial = 25_000;
  /** Nodes that have something at these times; those of the second list have nothing that counts. */
  const addNodes = async (add: (serials: number[], times: number[]) => Promise<unknown>, within: number[], without: number[]) => {
    const serials = [...within, ...without].map(() => ++serial);
    for (const one of serials) await addNode(pool, one);
    await add(serials, [...within, ...without]);
    return serials.slice(0, within.length);
  };
  await ensureScalarPartitions(pool, (day - 1) * 86_400, (day + 2) * 86_400);
  await ensureSensorDataPartitions(pool, [(day - 1) * 86_400, day * 86_400, (day + 1) * 86_400]);
  const scalars = (serials: number[], times: number[]) =>
    pool.query("insert into scalar (serial_number, ts) select s, to_timestamp(t) from unnest($1::int4[], $2::float8[]) u (s, t)", [
      serials,
      times,
    ]);
  const dataPoints = (serials: number[], times: number[]) =>
    pool.query(
      "insert into sensor_data (serial_number, ts, interval_seconds, data) select s, to_timestamp(t), 900, '{}' from unnest($1::int4[], $2::float8[]) u (s, t)",
      [serials, times],
    );
  const packed = (serials: number[], times: number[]) =>
    serials.map((one, index) => ({ serial: one, at: times[index]!, quantity: index % 2 === 0 ? 0 : 63, points }));
  const minutes = async (serials: number[], hours: number[]) => {
    await store.ensureMinutePartitions(hours);
    await inTransaction(pool, (client) => store.putMinutes(client, packed(serials, hours)));
  };
  const quarters = async (serials: number[], days: number[]) => {
    await store.ensureQuarterPartitions(days);
    await inTransaction(pool, (client) => store.putQuarters(client, packed(serials, days)));
  };
  const hour = (day + 1) * 24;
  const ofHour = await addNodes(scalars, [hour * 3600, hour * 3600 + 3599.999], [hour * 3600 - 0.001, (hour + 1) * 3600]);
  const later = day + 400;
  await ensureSensorDataPartitions(pool, [(later - 1) * 86_400, later * 86_400, (later + 1) * 86_400]);
  const ofDay = [
    ...(await addNodes(minutes, [later * 24, later * 24 + 23], [later * 24 - 1, later * 24 + 24])),
    ...(await addNodes(dataPoints, [later * 86_400, later * 86_400 + 86_399], [later * 86_400 - 1, later * 86_400 + 86_400])),
  ];
  const end = firstDayOf(month + 1);
  // Its days are those of places: they may begin the day before, and end the day after.
  const ofMonth = await addNodes(quarters, [day - 1, end], [day - 2, end + 1]);

  const shortly = (items: readonly { serial: number; at: number }[]) =>
    items.map((item) => [item.serial, item.at]).toSorted(([a = 0], [b = 0]) => a - b);
  const onlyOne = [{ serial: ofHour[0]!, at: day }];
  for (const [kind, queue, at, serials] of [
    ["h", () => store.queueHour(hour), hour, ofHour],
    ["d", () => store.queueDay(later), later, ofDay],
    ["m", () => store.queueMonth(month), month, ofMonth],
    ["d", () => inTransaction(pool, (client) => store.addDirty(client, "d", [...onlyOne, ...onlyOne])), day, ofHour.slice(0, 1)],
  ] as const) {
    await queue();
    const found = await store.findDirty(kind, "any", 100, null);
    expect([kind, shortly(found)]).toEqual([kind, serials.map((one) => [one, at])]);
    await queue();
    await inTransaction(pool, (client) => store.forgetDirty(client, kind, found));
    const again = await store.findDirty(kind, "any", 100, null);
    expect([kind, shortly(again)]).toEqual([kind, serials.map((one) => [one, at])]);
    await inTransaction(pool, (client) => store.forgetDirty(client, kind, again));
    expect(await store.findDirty(kind, "any", 100, null)).toEqual([]);
  }
  expect(await store.state()).toMatchObject({ queuedHour: hour, queuedDay: later, queuedMonth: month });
  const { queued_hour: queuedHour, queued_day: queuedDay, queued_month: queuedMonth } = states[0] as Record<string, number>;
  await pool.query("update trend_state set queued_hour = $1, queued_day = $2, queued_month = $3", [queuedHour, queuedDay, queuedMonth]);
});

test("what came before this version is made once, days at one place apart from those at another", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool, "America/Denver", "Elm Extrusion");
  const later = await addPlace(pool, "Asia/Kolkata", "Fir Foundry");
  await signIn();
  await addNode(pool, 24_003, place);
  await pool.query("update node_assignment set location_id = $1 where serial_number = 24003", [later.locationId]);
  const moved = Date.parse("2025-05-15T12:00:00Z") / 1000;
  await pool.query("update node_placement set ended_at = to_timestamp($1) where serial_number = 24003 and ended_at is not null", [moved]);
  await pool.query("update node_placement set started_at = to_timestamp($1) where serial_number = 24003 and ended_at is null", [moved]);
  const from = Date.parse("2025-05-01T00:00:00Z") / 1000;
  await ensureSensorDataPartitions(pool, [from]);
  await inTransaction(pool, async (client) => {
    await markDataPointTrends(client, [{ serial: 24_003, at: from }]);
    await client.query(
      `insert into sensor_data (serial_number, ts, interval_seconds, data) select 24003, to_timestamp($1::float8 + 900 * n), 900,
         jsonb_build_object('kwh', 2, 'powerKwAvg', 8, 'harmonicI1_005', n) from generate_series(0, 96 * 31 - 1) n`,
      [from],
    );
  });
  const daysOf = async (begin: number, end: number, points = 50) => {
    const url = `/api/trends?series=24003:kwh,24003:harmonicI1_005&from=${begin}&to=${end}&points=${points}`;
    const { status, json } = await server.call({ method: "GET", url, token });
    expect([status, json["errorMessage"]]).toEqual([200, undefined]);
    return (json["data"] as Trends).series;
  };
  const before = [await daysOf(from - 86_400 * 20, moved), await daysOf(from, from + 40 * 86_400)];
  // Harmonics are in no aggregate of quarters: they are read beside those.
  const quarters = () => daysOf(from + 86_400, from + 4 * 86_400, 300);
  const quartersBefore = await quarters();
  expect(quartersBefore.map(({ resolution, mean }) => [resolution, mean.length])).toEqual([
    ["quarter", 288],
    ["quarter", 288],
  ]);
  await pool.query("delete from trend_dirty");
  await pool.query("insert into trend_fill values (24003, $1)", [Math.floor(server.clock.now() / 86_400_000)]);
  expect(await runAggregates()).toMatch(/^Made 3 months, 1 earlier month of machines$/);
  expect((await pool.query("select from trend_fill where serial_number = 24003")).rowCount).toBe(0);
  expect(await quarters()).toEqual(quartersBefore);
  await pool.query("delete from sensor_data where serial_number = 24003");
  const after = [await daysOf(from - 86_400 * 20, moved), await daysOf(from, from + 40 * 86_400)];
  expect(after).toEqual(before);
  expect([after[0]![0]!.resolution, after[0]![0]!.figures.total, after[1]![0]!.figures.total]).toEqual(["day", 2 * 58 * 24, 2 * 66 * 24]);
});

test("A-63 what is not made yet of a node begins with its first hour, day or month that is to be made again", async () => {
  const { pool } = server.database;
  const store = createTrendAggregatesStore(pool);
  await addNode(pool, 26_001);
  // 2024-10-04, the 657th month.
  const [day, month] = [20_000, 657];
  const never = -2_147_483_648;
  const usual = { openHour: 24 * (day + 1), openDay: day + 1, openMonth: month, filledFromDay: never };
  const cases: [string, object][] = [
    ["", {}],
    [`('h', ${24 * (day - 1) + 5}, 26001)`, { openHour: 24 * (day - 1) + 5, openDay: day - 1 }],
    [`('d', ${day - 1}, 26001)`, { openDay: day - 1 }],
    // Days of a place end up to half a day before that of UTC: of the day before an open one nothing is certain.
    [`('d', ${firstDayOf(month)}, 26001)`, { openDay: firstDayOf(month), openMonth: month - 1 }],
    [`('d', ${firstDayOf(month) + 1}, 26001)`, { openDay: firstDayOf(month) + 1 }],
    [`('m', ${month - 9}, 26001), ('m', ${month - 5}, 26001)`, { openMonth: month - 9 }],
    [`('h', 1, 26002), ('d', 1, 26002), ('m', 1, 26002)`, {}],
    [`('h', ${24 * (day + 9)}, 26001), ('d', ${day + 9}, 26001), ('m', ${month + 9}, 26001)`, {}],
  ];
  for (const [dirty, bounds] of cases)
    await rolledBack(pool, async (client) => {
      await client.query("update trend_state set queued_hour = $1, queued_day = $2, queued_month = $3", [24 * day + 23, day, month - 1]);
      if (dirty !== "") await client.query(`insert into trend_dirty (kind, at, serial_number) values ${dirty}`);
      expect([dirty, (await store.bounds(client, [26_001])).get(26_001)]).toEqual([dirty, { ...usual, ...bounds }]);
    });
  await rolledBack(pool, async (client) => {
    await client.query("update trend_state set queued_hour = $1, queued_day = $2, queued_month = $3", [24 * day + 23, day, month]);
    await client.query("insert into trend_fill (serial_number, before_day) values (26001, 19000), (26002, 18000)");
    expect((await store.bounds(client, [26_001])).get(26_001)).toEqual({ ...usual, openMonth: month, filledFromDay: 19_000 });
  });
});

test("A-63 days are read of one place, of the months from the first up to before the last", async () => {
  const { pool } = server.database;
  const store = createTrendAggregatesStore(pool);
  await addNode(pool, 26_003);
  await rolledBack(pool, async (client) => {
    const rows = [649, 650, 651, 652].flatMap((at) =>
      [7, 8].map((locationId) => ({ serial: 26_003, at, quantity: 5, locationId, points: Buffer.from([at & 255, locationId]) })),
    );
    await store.putDays(client, rows);
    await store.putDays(client, [{ ...rows[2]!, quantity: 6 }]);
    const found = await store.days(client, 26_003, 7, [5], 650, 652);
    expect(found.map(({ at, points }) => [at, ...points]).toSorted(([a = 0], [b = 0]) => a - b)).toEqual([
      [650, 650 & 255, 7],
      [651, 651 & 255, 7],
    ]);
    await store.putDays(client, [{ ...rows[2]!, points: Buffer.from([9]) }]);
    expect((await store.days(client, 26_003, 7, [5], 650, 651)).map(({ points }) => [...points])).toEqual([[9]]);
  });
});
