import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createCustomerNamesReadModel } from "./customer-names.read-model.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("all customers by name, those of one name by code", async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    "insert into customer (code, name) values ('zulu', 'Alder'), ('beta', 'Birch'), ('alfa', 'Birch'), ('able', 'Cedar') returning id",
  );
  const [zulu, beta, alfa, able] = rows.map(({ id }) => id);
  expect(await createCustomerNamesReadModel(database.pool).findAll()).toEqual([
    { id: zulu, code: "zulu", name: "Alder" },
    { id: alfa, code: "alfa", name: "Birch" },
    { id: beta, code: "beta", name: "Birch" },
    { id: able, code: "able", name: "Cedar" },
  ]);
});
