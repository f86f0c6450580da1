import { afterAll, beforeAll, expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode, addPlace } from "#testing/test-world.ts";
import { createDemandRollup } from "./demand-rollup.task.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

const block = (serial: number, at: string, kw: number, seconds = 900) =>
  database.pool.query("insert into node_demand_block values ($1, $2, $3, $4, $2)", [serial, at, kw * seconds, seconds]);
const daysOf = async (serial: number) =>
  (
    await database.pool.query(
      "select day::text, average_kw, peak_kw, covered_seconds, length_seconds from node_demand_day where serial_number = $1 order by day",
      [serial],
    )
  ).rows;
const blocksOf = async (serial: number) =>
  (await database.pool.query("select block_at from node_demand_block where serial_number = $1 order by block_at", [serial])).rows.map(
    ({ block_at }) => (block_at as Date).toISOString(),
  );
const runAt = (at: string) => createDemandRollup(database.pool, createManualClock(Date.parse(at))).run(new AbortController().signal);

test("a day is summed up when it is over where the node is, and not before", async () => {
  await addNode(database.pool, 42_001, await addPlace(database.pool, "Asia/Kolkata"));
  // Midnight in Kolkata is 18:30 UTC.
  await block(42_001, "2026-06-01T18:15:00Z", 40);
  await block(42_001, "2026-06-01T18:30:00Z", 60);
  await block(42_001, "2026-06-02T18:15:00Z", 100, 100);
  await block(42_001, "2026-06-02T18:30:00Z", 70);
  expect(await runAt("2026-06-02T18:29:00Z")).toBe(1);
  expect(await daysOf(42_001)).toEqual([{ day: "2026-06-01", average_kw: 40, peak_kw: 40, covered_seconds: 900, length_seconds: 86_400 }]);
  expect(await runAt("2026-06-02T18:31:00Z")).toBe(1);
  expect((await daysOf(42_001))[1]).toEqual({
    day: "2026-06-02",
    average_kw: 64,
    peak_kw: 60,
    covered_seconds: 1_000,
    length_seconds: 86_400,
  });
  expect(await blocksOf(42_001)).toEqual(["2026-06-02T18:30:00.000Z"]);
  expect(await runAt("2026-06-02T18:31:00Z")).toBe(0);
});

test("days of 23 and 25 hours have their length; a node at no location has UTC's days", async () => {
  await addNode(database.pool, 42_002, await addPlace(database.pool, "America/Chicago"));
  await addNode(database.pool, 42_003);
  await block(42_002, "2026-03-08T12:00:00Z", 10);
  await block(42_002, "2026-11-01T12:00:00Z", 10);
  await block(42_003, "2026-11-01T12:00:00Z", 10);
  expect(await runAt("2026-11-03T00:00:00Z")).toBe(4); // with the block that the test before left
  expect((await daysOf(42_002)).map(({ length_seconds }) => length_seconds)).toEqual([82_800, 90_000]);
  expect(await daysOf(42_003)).toMatchObject([{ day: "2026-11-01", length_seconds: 86_400 }]);
});

test("a block that comes after its day was summed up changes nothing; blocks of a node that is gone are forgotten", async () => {
  await addNode(database.pool, 42_004);
  await block(42_004, "2026-06-01T12:00:00Z", 10);
  await runAt("2026-06-02T12:00:00Z");
  await block(42_004, "2026-06-01T13:00:00Z", 999);
  await block(42_999, "2026-06-01T13:00:00Z", 5);
  expect(await runAt("2026-06-02T12:15:00Z")).toBe(2);
  expect(await daysOf(42_004)).toMatchObject([{ average_kw: 10 }]);
  expect([await blocksOf(42_004), await blocksOf(42_999), await daysOf(42_999)]).toEqual([[], [], []]);
});

test("days are kept for 400 days", async () => {
  await addNode(database.pool, 42_005);
  await database.pool.query(
    "insert into node_demand_day values (42005, '2025-01-01', 1, 1, 1, 86400), (42005, '2026-01-01', 1, 1, 1, 86400)",
  );
  await runAt("2026-06-01T00:00:00Z");
  expect((await daysOf(42_005)).map(({ day }) => day)).toEqual(["2026-01-01"]);
});
