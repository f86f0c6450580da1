import { expect, test } from "vitest";
import { createTestDatabase } from "#testing/test-database.ts";
import { createPool, endPool } from "./pool.ts";

test("a pool ends when all connections are back, and without those that nobody gives back", async () => {
  const database = await createTestDatabase();
  const [prompt, held] = [createPool(database.url, { max: 2 }), createPool(database.url, { max: 2 })];
  await prompt.query("select 1");
  await endPool(prompt, 60_000);
  expect(prompt.totalCount).toBe(0);
  const client = await held.connect();
  await endPool(held, 50);
  expect(held.totalCount).toBe(1);
  client.release(true);
  await database.stop();
});
