import { afterAll, beforeAll, expect, test } from "vitest";
import { inTransaction } from "#db/transaction.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { countReported, findUnreported, takeUnreported, type NoticeKey } from "./reported-notices.store.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

const day = 86_400;
const now = 1_790_000_000;
const take = (kind: string, keys: NoticeKey[], at = now, past?: "keep the past") =>
  inTransaction(database.pool, (client) => takeUnreported(client, kind, keys, at, past));
const of = (objectId: number, period: number): NoticeKey => ({ objectId, period });

test("each object and period of a kind is reported once, and which are left can be asked before", async () => {
  const keys = [of(2, now), of(1, now), of(1, now - day)];
  expect(await findUnreported(database.pool, "a", keys)).toEqual(keys);
  expect(await take("a", keys.slice(0, 2))).toEqual(new Set([1, 2]));
  expect(await findUnreported(database.pool, "a", keys)).toEqual([of(1, now - day)]);
  expect(await findUnreported(database.pool, "b", keys)).toEqual(keys);
  expect(await findUnreported(database.pool, "a", [])).toEqual([]);
  expect(await take("a", keys)).toEqual(new Set([1]));
  expect(await take("a", keys)).toEqual(new Set());
});

test("what a transaction that fails reported is not reported", async () => {
  const failing = inTransaction(database.pool, async (client) => {
    await takeUnreported(client, "fails", [of(1, now)], now);
    throw new Error("no message");
  });
  await expect(failing).rejects.toThrow("no message");
  expect(await take("fails", [of(1, now)])).toEqual(new Set([1]));
});

test("what is 60 days past is forgotten, of the same object and kind only, and not where old periods are asked about again", async () => {
  const old = now - 60 * day;
  for (const kind of ["c", "d"]) await take(kind, [of(1, old - 1), of(1, old), of(2, old - 1)], old);
  const left = async (kind: string) => (await findUnreported(database.pool, kind, [of(1, old - 1), of(1, old), of(2, old - 1)])).length;
  await take("c", [of(1, now)], now, "keep the past");
  expect([await left("c"), await left("d")]).toEqual([0, 0]);
  await take("c", [of(1, now)]);
  expect(await left("c")).toBe(0);
  await take("c", [of(1, now + 0.5)]);
  expect(await findUnreported(database.pool, "c", [of(1, old - 1), of(1, old), of(2, old - 1)])).toEqual([of(1, old - 1), of(1, old)]);
  expect(await left("d")).toBe(0);
});

test("they are counted by when they were reported", async () => {
  await take("e", [of(1, 0)], now - 1);
  await take("e", [of(1, 1), of(2, 1)], now);
  await take("f", [of(1, 1)], now);
  const count = (since: number) => inTransaction(database.pool, (client) => countReported(client, "e", since));
  expect([await count(now - 2), await count(now - 1), await count(now)]).toEqual([3, 2, 0]);
});
