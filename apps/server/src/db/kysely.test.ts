import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "#testing/test-database.ts";
import type { TestDatabase } from "#testing/test-database.ts";
import { createKysely } from "./kysely.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("queries are prepared once by name, and values stay apart from text", async () => {
  const db = createKysely<{ customer: { code: string; name: string } }>(database.pool);
  await db.transaction().execute(async (tx) => {
    for (const code of ["aa", "bb'; drop table customer; --"])
      await tx.insertInto("customer").values({ code, name: "Some name" }).execute();
    const { rows } = await sql<{
      name: string;
    }>`select name from pg_prepared_statements where statement like '%insert into "customer"%'`.execute(tx);
    expect(rows).toHaveLength(1);
  });
  expect(await db.selectFrom("customer").select("code").orderBy("code").execute()).toEqual([
    { code: "aa" },
    { code: "bb'; drop table customer; --" },
  ]);
});

test("a transaction that fails leaves nothing and gives its connection back", async () => {
  const db = createKysely<{ customer: { code: string; name: string } }>(database.pool);
  const failing = db.transaction().execute(async (tx) => {
    await tx.insertInto("customer").values({ code: "cc", name: "Some name" }).execute();
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect(await db.selectFrom("customer").select("code").where("code", "=", "cc").execute()).toEqual([]);
  expect(database.pool.idleCount).toBe(database.pool.totalCount);
});
