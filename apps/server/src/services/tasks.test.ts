import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { inTransaction } from "#db/transaction.ts";
import { createKnownDeviceStore } from "#features/access/session/known-device.store.ts";
import { createSignInTriesStore } from "#features/access/session/sign-in-tries.store.ts";
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

test("counts of wrong sign-ins go when they have faded away, devices when no one signs in with them", async () => {
  const clock = createManualClock(noonMs);
  const tries = createSignInTriesStore(database.pool);
  const devices = createKnownDeviceStore(database.pool);
  const now = noonMs / 1000;
  const allowance = { burst: 5, burstSeconds: 60, total: 50 };
  await tries.count([{ ...allowance, name: "entry/old" }], now - 2 * daySeconds);
  await tries.count([{ ...allowance, name: "entry/new" }], now - daySeconds / 2);
  const { rows: users } = await database.pool.query<{ id: number }>(
    "insert into app_user (username, email) values ('realperson', 'Real@Busbar.example') returning id",
  );
  const userId = users[0]?.id ?? 0;
  const remember = (at: number) => inTransaction(database.pool, (client) => devices.remember(client, undefined, userId, at));
  await remember(now - 181 * daySeconds);
  const kept = await remember(now - 179 * daySeconds);
  expect(await createSessionReaper(database.pool, clock, keptDays).run(signal)).toBe(2);
  expect((await database.pool.query("select name from sign_in_tries")).rows).toEqual([{ name: "entry/new" }]);
  expect((await database.pool.query("select from known_device")).rowCount).toBe(1);
  expect(await devices.find(kept, userId, now)).toBeDefined();
});
