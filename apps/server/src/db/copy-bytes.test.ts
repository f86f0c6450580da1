import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { copyBytes } from "./copy-bytes.ts";
import { inTransaction } from "./transaction.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("values come as they are, of any length and any bytes, also amid a transaction", async () => {
  const select =
    "select decode(repeat('00ff0d0a', n), 'hex') from unnest('{0,1,300000,2}'::int4[]) with ordinality u (n, place) order by place";
  const values = [0, 1, 300_000, 2].map((count) => Buffer.from("00ff0d0a".repeat(count), "hex"));
  expect(await copyBytes(database.pool, select)).toEqual(values);
  expect(await copyBytes(database.pool, "select decode('', 'hex') where false")).toEqual([]);
  const inOne = await inTransaction(database.pool, async (client) => [
    await copyBytes(client, select),
    (await client.query("select 7 as seven")).rows,
    await copyBytes(client, select),
  ]);
  expect(inOne).toEqual([values, [{ seven: 7 }], values]);
});

test("a select that fails keeps its code, its connection is given up, and the pool goes on", async () => {
  const givenUp = vi.fn<() => void>();
  database.pool.once("remove", givenUp);
  await expect(copyBytes(database.pool, "select int4send(1 / (n - 70000)) from generate_series(1, 80000) n")).rejects.toMatchObject({
    code: "22012",
  });
  await expect.poll(() => givenUp.mock.calls.length).toBe(1);
  const [value] = await copyBytes(database.pool, "select int4send(7)");
  expect(value).toEqual(Buffer.from([0, 0, 0, 7]));
  expect(database.pool.idleCount).toBe(database.pool.totalCount);
});

test("a connection that breaks amid the values is an error", async () => {
  const broken = copyBytes(
    database.pool,
    "/* to-be-broken */ select decode(repeat('00', 1000), 'hex') from generate_series(1, 1000000), pg_sleep(0.001)",
  );
  const ending = vi.waitUntil(async () => {
    const { rowCount } = await database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like '%to-be-broken%' and pid <> pg_backend_pid() and datname = current_database()",
    );
    return rowCount! > 0;
  });
  await expect(broken).rejects.toMatchObject({ code: "57P01" });
  await ending;
});
