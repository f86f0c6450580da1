import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { copyAtOnce } from "./copy-at-once.ts";
import { inPipelinedTransaction } from "./pipelined-transaction.ts";
import { createPool, type Pool, type PoolClient } from "./pool.ts";

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createPool(database.url, { max: 1, pipeline: true });
  await pool.query("create table copied (n integer primary key)");
});
afterAll(async () => {
  await pool.end();
  await database.stop();
});

const head = Buffer.from("PGCOPY\n\u00ff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
const copy = (client: PoolClient, numbers: readonly number[]) => {
  const rows = numbers.map((number) => Buffer.of(0, 1, 0, 0, 0, 4, 0, 0, number >> 8, number & 0xff));
  const statement = { name: "copy-numbers", text: "copy copied (n) from stdin (format binary)" };
  return copyAtOnce(client, statement, Buffer.concat([head, ...rows, Buffer.of(0xff, 0xff)]));
};
const stored = async () => (await pool.query<{ n: number }>("select n from copied order by n")).rows.map(({ n }) => n);

test("rows are added among the other statements of a transaction that is sent at once", async () => {
  const many = Array.from({ length: 20_000 }, (_, index) => index + 10);
  const counts = await inPipelinedTransaction(pool, (client) => [
    client.query("insert into copied values (1)").then(({ rowCount }) => rowCount),
    copy(client, [2, 3]),
    copy(client, many),
    client.query("insert into copied values (4)").then(({ rowCount }) => rowCount),
  ]);
  expect(counts).toEqual([1, 2, 20_000, 1]);
  expect(await stored()).toEqual([1, 2, 3, 4, ...many]);
  await pool.query("truncate copied");
});

test("one that is refused, or comes behind a statement that is, leaves nothing, and its connection goes on", async () => {
  const many = Array.from({ length: 20_000 }, (_, index) => index);
  const twice = inPipelinedTransaction(pool, (client) => [copy(client, [1]), copy(client, [...many, 1]), copy(client, [30_000])]);
  await expect(twice).rejects.toMatchObject({ code: "23505" });
  const behind = inPipelinedTransaction(pool, (client) => [client.query("select 1 / 0").then(() => 0), copy(client, many)]);
  await expect(behind).rejects.toMatchObject({ code: "22012" });
  expect(await stored()).toEqual([]);
  expect(await inPipelinedTransaction(pool, (client) => [copy(client, [5])])).toEqual([1]);
  expect(await stored()).toEqual([5]);
  expect(pool.totalCount).toBe(1);
});
