import { afterAll, beforeAll, expect, test } from "vitest";
import { startDatabaseRelay, type DatabaseRelay } from "#testing/database-relay.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { databaseProblem } from "./database-problem.ts";
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
