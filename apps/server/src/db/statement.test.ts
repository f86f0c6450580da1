import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createPool, type Pool } from "./pool.ts";
import { planned, plannedCount, prepared, preparedCount } from "./statement.ts";

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url, { max: 1 });
});
afterAll(async () => {
  await pool.end();
  await database.stop();
});

const listPrepared = () => planned(pool, "list-prepared")`select name, statement from pg_prepared_statements order by name`;

test("a prepared statement is parsed once, its text begins with its name, and a name means one text only", async () => {
  const double = (value: number) => prepared<{ double: number }>(pool, "double", [value])`select $1::int * ${2} as double`;
  expect([await double(1), await double(2)]).toEqual([[{ double: 2 }], [{ double: 4 }]]);
  expect(await listPrepared()).toEqual([{ name: "double", statement: "/* double */ select $1::int * 2 as double" }]);
  await expect(prepared(pool, "double", [1])`select $1::int * 3 as triple`).rejects.toThrow("must be unique");
});

test("a planned statement carries its name and is not kept; without values it may be several", async () => {
  const before = await listPrepared();
  expect(await planned(pool, "own-text", [1])`select query from pg_stat_activity where pid = pg_backend_pid() and $1 = 1`).toEqual([
    { query: "/* own-text */ select query from pg_stat_activity where pid = pg_backend_pid() and $1 = 1" },
  ]);
  await planned(pool, "two-tables")`create temporary table first (id int); create temporary table second (id int)`;
  expect(await planned(pool, "read-second")`select * from second`).toEqual([]);
  expect(await listPrepared()).toEqual(before);
});

test("a count is of the rows that were written, or found", async () => {
  await planned(pool, "counted-table")`create temporary table counted (id int)`;
  expect(await plannedCount(pool, "add-counted", [3])`insert into counted select generate_series(1, $1)`).toBe(3);
  expect(await preparedCount(pool, "find-counted", [2])`select from counted where id > $1`).toBe(1);
  expect(await preparedCount(pool, "find-counted", [3])`select from counted where id > $1`).toBe(0);
});
