import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { inSavepoint, inTransaction, rolledBack } from "./transaction.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

const add = (code: string) => `insert into customer (code, name) values ('${code}', 'Name of ${code}')`;
const codes = async () =>
  (await database.pool.query<{ code: string }>("select code from customer order by code")).rows.map(({ code }) => code);

test("A-63 of what fails within a transaction nothing stays, and the rest of it does", async () => {
  await inTransaction(database.pool, async (client) => {
    await client.query(add("before"));
    for (const fail of [() => Promise.reject(new Error("changed my mind")), () => client.query(add("before"))]) {
      const part = inSavepoint(client, async () => {
        await client.query(add("within"));
        await fail();
      });
      await expect(part).rejects.toThrow(/^changed my mind$|duplicate key/);
    }
    expect(await inSavepoint(client, async () => (await client.query(add("kept"))).rowCount)).toBe(1);
    await client.query(add("after"));
  });
  expect(await codes()).toEqual(["after", "before", "kept"]);
});

test("A-63 of what is tried nothing stays, and what fails in it is thrown on", async () => {
  const before = await codes();
  await rolledBack(database.pool, async (client) => void (await client.query(add("tried"))));
  await expect(rolledBack(database.pool, async (client) => void (await client.query("select 1 / 0")))).rejects.toThrow("division by zero");
  expect(await codes()).toEqual(before);
});

test("a transaction that fails leaves nothing and gives its connection back", async () => {
  const failing = inTransaction(database.pool, async (client) => {
    await client.query("insert into customer (code, name) values ('cc', 'Some name')");
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect((await database.pool.query("select from customer where code = 'cc'")).rowCount).toBe(0);
  expect(database.pool.idleCount).toBe(database.pool.totalCount);
});
