import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { dropPartitions } from "./drop-partitions.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  for (const [name, day] of [
    ["scalar_20200101", "2020-01-01"],
    ["scalar_20200102", "2020-01-02"],
    ["scalar_20200103", "2020-01-03"],
    ["scalar_of_long_ago", "1999-01-01"],
  ] as const)
    await database.pool.query(`create table ${name} partition of scalar for values from ('${day}') to ('${day} 12:00')`);
});
afterAll(() => database.stop());

const left = async () =>
  (
    await database.pool.query<{ name: string }>(
      "select relname as name from pg_class where relname like 'scalar\\_%' and relkind = 'r' order by 1",
    )
  ).rows
    .map(({ name }) => name)
    .filter((name) => /^scalar_(2020|of)/.test(name));

test("A-63 a partition in use is left for another time, and those after it go; what has another name or is not over stays", async () => {
  const reader = await database.pool.connect();
  onTestFinished(() => reader.release());
  await reader.query("begin; select from scalar_20200101");
  const isOver = (name: string) => name !== "scalar_20200103";
  expect(await dropPartitions(database.pool, "scalar", isOver)).toEqual(["scalar_20200102"]);
  expect(await left()).toEqual(["scalar_20200101", "scalar_20200103", "scalar_of_long_ago"]);
  await reader.query("rollback");
  expect(await dropPartitions(database.pool, "scalar", isOver)).toEqual(["scalar_20200101"]);
});

test("A-63 another failure than that is the caller's", async () => {
  await database.pool.query("create view seen as select * from scalar_20200103");
  await expect(dropPartitions(database.pool, "scalar", (name) => name === "scalar_20200103")).rejects.toThrow("depend");
  expect(await left()).toContain("scalar_20200103");
});
