import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "#lib/log.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations.ts";
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

const names = Object.keys(migrations);

/** A database of its own in which nothing is yet. */
async function emptyDatabase(): Promise<TestDatabase> {
  const empty = await createTestDatabase();
  await empty.pool.query("drop schema public cascade");
  await empty.pool.query("create schema public");
  return empty;
}

test("a database that Kysely's migrator made goes on where that ended, and nothing runs a second time", async () => {
  const old = await emptyDatabase();
  const [done, pending] = [names.slice(0, -2), names.slice(-2)];
  await old.pool.query(`create table "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)`);
  await old.pool.query(
    `create table "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null)`,
  );
  await old.pool.query(`insert into "kysely_migration_lock" ("id", "is_locked") values ('migration_lock', 0)`);
  for (const name of done) {
    for (const statement of migrations[name]!) await old.pool.query(statement);
    await old.pool.query(`insert into "kysely_migration" ("name", "timestamp") values ($1, '2026-03-01T07:00:00.123Z')`, [name]);
  }
  await Promise.all([migrate(old.pool, silentLog), migrate(old.pool, silentLog)]);
  const { rows } = await old.pool.query<{ name: string; timestamp: string }>("select name, timestamp from kysely_migration order by name");
  expect(rows.map(({ name }) => name)).toEqual(names);
  expect(rows.filter(({ timestamp }) => timestamp !== "2026-03-01T07:00:00.123Z").map(({ name }) => name)).toEqual(pending);
  await old.stop();
});

test("a migration that fails leaves nothing of those that ran before it", async () => {
  const broken = await emptyDatabase();
  await broken.pool.query("create table ingest_presence ()");
  await expect(migrate(broken.pool, silentLog)).rejects.toThrow('"ingest_presence" already exists');
  expect((await broken.pool.query("select tablename from pg_tables where schemaname = 'public'")).rows).toEqual([
    { tablename: "ingest_presence" },
  ]);
  await broken.stop();
});

test("a database of a newer version, or one with a hole, is left alone", async () => {
  const newer = await createTestDatabase();
  await newer.pool.query("insert into kysely_migration values ('9999-to-come', '2026-03-01T07:00:00.123Z')");
  await expect(migrate(newer.pool, silentLog)).rejects.toThrow("brought up to date by a newer version of Busbar (9999-to-come)");
  await newer.pool.query("delete from kysely_migration where name = any($1)", [["9999-to-come", names[3]]]);
  await expect(migrate(newer.pool, silentLog)).rejects.toThrow(`lacks the migration ${names[3]}, though later ones ran`);
  await newer.stop();
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
