import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { inTransaction } from "./transaction.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("a transaction that fails leaves nothing and gives its connection back", async () => {
  const failing = inTransaction(database.pool, async (client) => {
    await client.query("insert into customer (code, name) values ('cc', 'Some name')");
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect((await database.pool.query("select from customer where code = 'cc'")).rowCount).toBe(0);
  expect(database.pool.idleCount).toBe(database.pool.totalCount);
});
