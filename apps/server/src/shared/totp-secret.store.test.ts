import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { openTotpSecret, removeSecondFactor, writeRecoveryHashes, writeTotpSecret } from "./totp-secret.store.ts";

const key = randomBytes(32);
let database: TestDatabase;
let [one, other] = [0, 0];
beforeAll(async () => {
  database = await createTestDatabase();
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into app_user (username, email, first_name, last_name, is_administrator)
     select n, n || '@busbar.example', '', '', true from unnest(array['one', 'other']) n returning id`,
  );
  [one, other] = rows.map(({ id }) => id) as [number, number];
});
afterAll(() => database.stop());

const factorOf = async (userId: number) => {
  const { rows } = await database.pool.query<{ secret: string }>(
    `select secret, last_used_step::int8::text as step, failed_count as failed, locked_until as until, extract(epoch from enrolled_at)::int4 as at,
       (select count(*)::int4 from recovery_code c where c.user_id = t.user_id) as codes from user_totp t where user_id = $1`,
    [userId],
  );
  return rows[0] && { ...rows[0], secret: openTotpSecret(rows[0].secret, key, userId) };
};

test("A-63 a new secret takes the place of the old one, with its used codes, and lifts a lock; another person's stays", async () => {
  const { pool } = database;
  for (const userId of [one, other]) {
    await writeTotpSecret(pool, key, { userId, secret: "FIRST", usedStep: 7, enrolledAt: 100 });
    await writeRecoveryHashes(pool, userId, [randomBytes(32), randomBytes(32)]);
  }
  await pool.query("update user_totp set failed_count = 5, locked_until = now() + interval '1 hour'");
  const before = await factorOf(other);
  await writeTotpSecret(pool, key, { userId: one, secret: "SECOND", usedStep: 9, enrolledAt: 200 });
  await writeRecoveryHashes(pool, one, [randomBytes(32)]);
  expect(await factorOf(one)).toEqual({ secret: "SECOND", step: "9", failed: 0, until: null, at: 200, codes: 1 });
  expect(await factorOf(other)).toEqual(before);
  expect(before).toMatchObject({ secret: "FIRST", step: "7", failed: 5, codes: 2 });
  expect([await removeSecondFactor(pool, one), await removeSecondFactor(pool, one)]).toEqual([true, false]);
  expect([await factorOf(one), await factorOf(other)]).toEqual([undefined, before]);
  const { rows } = await pool.query("select distinct user_id from recovery_code");
  expect(rows).toEqual([{ user_id: other }]);
});
