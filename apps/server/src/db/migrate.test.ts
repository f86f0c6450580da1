import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "#lib/log.ts";
import { createTestDatabase } from "#testing/test-database.ts";
import type { TestDatabase } from "#testing/test-database.ts";
import { migrate } from "./migrate.ts";
import { dropExpiredScalarPartitions, ensureScalarPartitions } from "./scalar-partitions.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("migrating again, also from several processes at once, changes nothing", async () => {
  await Promise.all([migrate(database.pool, silentLog), migrate(database.pool, silentLog)]);
  const { rows } = await database.pool.query("select count(*)::int as count from kysely_migration");
  expect(rows[0].count).toBeGreaterThan(0);
});

test("scalar partitions hold their UTC day and expire whole", async () => {
  const day = 86_400;
  const noon = Date.UTC(2026, 0, 10, 12) / 1000;
  await ensureScalarPartitions(database.pool, noon - 2 * day, noon);
  await ensureScalarPartitions(database.pool, noon - 2 * day, noon);
  await database.pool.query("insert into scalar (serial_number, ts) values (10001, to_timestamp($1))", [noon]);
  expect(await dropExpiredScalarPartitions(database.pool, noon - day)).toEqual(["scalar_20260108"]);
  const { rows } = await database.pool.query("select tableoid::regclass::text as name from scalar");
  expect(rows).toEqual([{ name: "scalar_20260110" }]);
});
