import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { textArray } from "./text-array.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test.each([[[]], [[null]], [["", null, "1,2,,3", '"', "\\", "NULL", "{a}", "größer 𝕏", " ", "x".repeat(70_000)]]])(
  "the database reads an array of texts as it is: %#",
  async (texts: (string | null)[]) => {
    const { rows } = await database.pool.query<{ text: string | null }>("select text from unnest($1::text[]) as text", [textArray(texts)]);
    expect(rows.map(({ text }) => text)).toEqual(texts);
  },
);
