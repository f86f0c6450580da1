import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { columnOf, writtenFields } from "./node-columns.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("every field that staff may write has its column", async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    "select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = 'node'",
  );
  const columns = new Set(rows.map(({ name }) => name));
  expect(writtenFields.filter((field) => !columns.has(columnOf[field]))).toEqual([]);
});
