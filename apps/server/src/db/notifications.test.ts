import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createNotifications } from "./notifications.ts";
import { createPool } from "./pool.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.stop());

test("A-63 it hears its channel alone, says after each connection that something may have been missed, and leaves none behind", async () => {
  const pool = createPool(database.url, { max: 2, applicationName: "listener" });
  const heard: (string | undefined)[] = [];
  const failures: unknown[] = [];
  const notifications = createNotifications({
    pool,
    channel: "letters",
    onNotification: (payload) => heard.push(payload),
    onFailure: (error) => failures.push(error),
    retryMs: 1,
  });
  await Promise.all([notifications.start(), notifications.start()]);
  const notify = (channel: string, payload: string) => database.pool.query("select pg_notify($1, $2)", [channel, payload]);
  await notify("parcels", "a");
  await notify("letters", "b");
  await expect.poll(() => heard).toEqual([undefined, "b"]);
  await database.pool.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'listener'");
  await expect.poll(() => heard).toEqual([undefined, "b", undefined]);
  await notify("letters", "c");
  await expect.poll(() => heard.at(-1)).toBe("c");
  await notifications.stop();
  // A connection that went back would go on listening.
  expect([pool.totalCount, failures]).toEqual([0, []]);
  await pool.end();
});

test("A-63 while the database is away each try is reported, and whoever starts is not kept", async () => {
  const pool = createPool("postgres://busbar@127.0.0.1:9/busbar", { max: 1 });
  const failures: unknown[] = [];
  const notifications = createNotifications({
    pool,
    channel: "letters",
    onNotification: () => undefined,
    onFailure: (error) => failures.push(error),
    retryMs: 1,
  });
  await notifications.start();
  await expect.poll(() => failures.length).toBeGreaterThan(2);
  await notifications.stop();
  await pool.end();
});
