import { expect, test } from "vitest";
import { createTestDatabase } from "#testing/test-database.ts";
import { createPool, endPool } from "./pool.ts";

test("a pool ends when all connections are back, and without those that no one gives back", async () => {
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

test("a connection that breaks while someone holds it, between two statements, fails the next statement and nothing else", async () => {
  const database = await createTestDatabase();
  const pool = createPool(database.url, { max: 2 });
  const client = await pool.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const ended = new Promise<void>((resolve) => client.once("end", resolve));
  await pool.query("select pg_terminate_backend($1)", [rows[0]?.pid]);
  await ended;
  await expect(client.query("select 1")).rejects.toThrow("not queryable");
  client.release();
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await pool.end();
  await database.stop();
});

test("a pipelined transaction whose sender is cut off gives its locks back", async () => {
  const database = await createTestDatabase();
  const pool = createPool(database.url, { max: 1, pipeline: true });
  const { rows } = await pool.query("show idle_in_transaction_session_timeout");
  expect(rows).toEqual([{ idle_in_transaction_session_timeout: "10s" }]);
  await pool.end();
  await database.stop();
});
