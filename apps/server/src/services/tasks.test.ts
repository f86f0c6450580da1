import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase } from "#testing/test-database.ts";
import type { TestDatabase } from "#testing/test-database.ts";
import { createSessionReaper } from "./session-reaper.task.ts";

const signal = new AbortController().signal;
const daySeconds = 86_400;
const noonMs = Date.UTC(2026, 2, 10, 12);
const keptDays = () => Promise.resolve(730);
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("expired sessions end, those of two years ago are forgotten, the others stay", async () => {
  const clock = createManualClock(noonMs);
  const { rows } = await database.pool.query<{ id: number }>(
    "insert into app_user (username, email) values ('someone', 'someone@example.test') returning id",
  );
  const addSession = async (expiresInSeconds: number) => {
    const id = randomUUID();
    await database.pool.query(
      `insert into session (id, user_id, roles, is_administrator, signed_in_at, issued_at, expires_at, last_used_at)
       values ($1, $2, '{}', true, to_timestamp($3), to_timestamp($3), to_timestamp($3), to_timestamp($3))`,
      [id, rows[0]!.id, noonMs / 1000 + expiresInSeconds],
    );
    return id;
  };
  const [living, expired, ancient] = [await addSession(60), await addSession(-60), await addSession(-731 * daySeconds)];
  const reaper = createSessionReaper(database.pool, clock, keptDays);
  expect(await reaper.run(signal)).toBe(3);
  expect(await reaper.run(signal)).toBe(0);
  const sessions = await database.pool.query("select id, end_reason from session order by expires_at");
  expect(sessions.rows).toEqual([
    { id: expired, end_reason: "expired" },
    { id: living, end_reason: null },
  ]);
  expect(sessions.rows.map((row) => row.id)).not.toContain(ancient);
});

test("sign-in counters of names that are no account go after a day, those of accounts stay", async () => {
  const clock = createManualClock(noonMs);
  await database.pool.query("insert into app_user (username, email) values ('realperson', 'Real@Busbar.example')");
  await database.pool.query(
    `insert into login_attempt (account, failed_count, window_started_at, consecutive_failures)
     select account, 1, to_timestamp($1), 49 from unnest($2::text[]) as account`,
    [noonMs / 1000 - 2 * daySeconds, ["realperson", "real@busbar.example", "nobody"]],
  );
  await database.pool.query("insert into login_attempt values ('nobody-today', 1, to_timestamp($1), 1)", [noonMs / 1000]);
  expect(await createSessionReaper(database.pool, clock, keptDays).run(signal)).toBe(1);
  const { rows } = await database.pool.query<{ account: string }>("select account from login_attempt order by account");
  expect(rows.map(({ account }) => account)).toEqual(["nobody-today", "real@busbar.example", "realperson"]);
});
