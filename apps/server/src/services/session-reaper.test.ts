import { afterAll, beforeAll, expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createSessionReaper } from "./session-reaper.task.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("SEC-01 sessions end when their life is over; sessions, tries and devices of long ago are forgotten, and no others", async () => {
  const { pool } = database;
  const clock = createManualClock();
  const now = clock.now() / 1_000;
  const day = 86_400;
  const { rows } = await pool.query<{ id: number }>("insert into app_user (username, email) values ('ann', 'ann@x') returning id");
  const userId = rows[0]!.id;
  const addSession = (name: string, expiresAt: number, endedAt: number | null = null) =>
    pool.query(
      `insert into session (id, user_id, roles, is_administrator, signed_in_at, issued_at, expires_at, last_used_at, ends_at, end_reason, user_agent)
       values (gen_random_uuid(), $1, '{}', false, to_timestamp($2), to_timestamp($2), to_timestamp($2), to_timestamp($2), to_timestamp($3), case when $3 is null then null else 'logout' end, $4)`,
      [userId, expiresAt, endedAt, name],
    );
  await addSession("live", now + 1);
  await addSession("over", now);
  await addSession("left", now - 1, now - 9);
  await addSession("kept", now - 30 * day);
  await addSession("old", now - 30 * day - 1);
  for (const [name, at] of [
    ["faded", now - day - 1],
    ["recent", now - day],
  ])
    await pool.query("insert into sign_in_tries (name, burst, total, counted_at) values ($1, 1, 1, to_timestamp($2))", [name, at]);
  for (const [hash, at] of [
    ["\\x01", now - 180 * day - 1],
    ["\\x02", now - 180 * day],
  ])
    await pool.query("insert into known_device (user_id, token_hash, last_used_at) values ($1, $2::bytea, to_timestamp($3))", [
      userId,
      hash,
      at,
    ]);

  const reaper = createSessionReaper(pool, clock, () => Promise.resolve(30));
  expect([reaper.name, reaper.intervalSeconds, reaper.did(1), reaper.did(2)]).toEqual([
    "SessionReaper",
    300,
    "Ended or forgot 1 session",
    "Ended or forgot 2 sessions",
  ]);
  // Three are ended, of which one is old; with it go a count and a device.
  expect(await reaper.run(new AbortController().signal)).toBe(6);
  const sessions = await pool.query<Record<string, unknown>>(
    `select user_agent as name, end_reason as reason, ends_at = expires_at as "atItsEnd" from session order by 1`,
  );
  expect(sessions.rows).toEqual([
    { name: "kept", reason: "expired", atItsEnd: true },
    { name: "left", reason: "logout", atItsEnd: false },
    { name: "live", reason: null, atItsEnd: null },
    { name: "over", reason: "expired", atItsEnd: true },
  ]);
  expect((await pool.query("select name from sign_in_tries")).rows).toEqual([{ name: "recent" }]);
  expect((await pool.query("select token_hash::text as hash from known_device")).rows).toEqual([{ hash: "\\x02" }]);
  expect(await reaper.run(new AbortController().signal)).toBe(0);
});
