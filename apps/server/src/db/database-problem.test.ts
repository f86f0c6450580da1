import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "#lib/log.ts";
import { startDatabaseRelay, type DatabaseRelay } from "#testing/database-relay.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { databaseProblem } from "./database-problem.ts";
import { openDatabase } from "./database.ts";
import { createPool } from "./pool.ts";

let database: TestDatabase;
let relay: DatabaseRelay;
beforeAll(async () => {
  database = await createTestDatabase();
  relay = await startDatabaseRelay(database.url);
});
afterAll(async () => {
  await relay.stop();
  await database.stop();
});

test("a database that answers no more is not waited for, and one that answers again is in order", async () => {
  const pool = createPool(relay.url, { max: 1 });
  expect(await databaseProblem(pool)).toBeUndefined();
  relay.cut();
  expect(await databaseProblem(pool)).toBe("the database cannot be reached");
  relay.heal();
  expect(await databaseProblem(pool)).toBeUndefined();
  await pool.end();
  expect(await databaseProblem(pool)).toBe("the database cannot be reached");
});

test("A-63 a PostgreSQL that is too old is refused by its version, and the oldest that is not is taken as it is", async () => {
  await database.pool.query("create schema older");
  // As if it was of that version: functions of the same name come before PostgreSQL's own.
  const openAs = async (version: number) => {
    await database.pool.query(
      `create or replace function older.current_setting(text) returns text language sql as $$ select '${version}' $$`,
    );
    const url = `${database.url}${database.url.includes("?") ? "&" : "?"}options=${encodeURIComponent("-c search_path=older,pg_catalog")}`;
    const opened = await openDatabase({ databaseUrl: url, dataDir: "unused", log: silentLog, patienceMs: 0 });
    await opened.stop();
    return opened.url === url;
  };
  expect(await openAs(150_000)).toBe(true);
  await expect(openAs(149_999)).rejects.toThrow("DATABASE_URL is a PostgreSQL 14; this program needs 15 or newer.");
});

test("A-63 what does not answer is named without its address, which holds a password", async () => {
  const databaseUrl = "postgres://busbar:hunter2@127.0.0.1:9/busbar";
  const opening = openDatabase({ databaseUrl, dataDir: "unused", log: silentLog, patienceMs: 0 });
  await expect(opening).rejects.toThrow(/^DATABASE_URL cannot be reached: (?!.*hunter2)/);
});
