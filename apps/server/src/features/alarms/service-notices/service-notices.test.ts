import type { PoolClient } from "pg";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { silentLog } from "#lib/log.ts";
import { createContinuousServices } from "#services/continuous-services.ts";
import { createScheduler, type Scheduler } from "#services/scheduler.ts";
import { createServiceStore } from "#services/service.store.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { createServiceNotices } from "./service-notices.ts";

let server: TestApp;
let scheduler: Scheduler;
let problem: string | undefined;

beforeAll(async () => {
  server = await createTestApp();
  await server.database.pool.query(
    "insert into system_config (key, value) values ('Notices_internalRecipients', '[\"desk@busbar.example\"]')",
  );
  scheduler = createScheduler({
    pool: server.database.pool,
    tasks: [
      {
        name: "Sweeper",
        intervalSeconds: 60,
        did: (count) => `Swept ${count}`,
        run: () => (problem === undefined ? Promise.resolve(1) : Promise.reject(new Error(problem))),
      },
    ],
    clock: server.clock,
    log: silentLog,
    report: server.context.reportServiceIssue,
  });
});
afterAll(async () => {
  await scheduler.stop();
  await server.stop();
});
beforeEach(async () => {
  await server.database.pool.query("delete from notification; delete from service where not is_scheduled");
  problem = undefined;
});

async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    server.clock.advance(61);
    await scheduler.tick();
  }
}
const outbox = async () =>
  (await server.database.pool.query(`select kind, subject, recipients_to as "to", body from notification order by id`)).rows;

test("SYS-03 a service that fails is one mail, and one when it works again", async () => {
  problem = "disk\r\nBcc: evil@evil.example\u0000 full";
  await pass(300);
  const since = /since (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC), 5 times in a row/;
  expect(await outbox()).toEqual([
    {
      kind: "SERVICE_ERROR",
      subject: "[Development] Service error: Sweeper",
      to: ["desk@busbar.example"],
      body: expect.stringMatching(since),
    },
  ]);
  expect((await outbox())[0].body).toContain("It says: disk␍␊Bcc: evil@evil.example␀ full\n");
  problem = undefined;
  await pass(300);
  expect((await outbox()).map(({ subject }) => subject)).toEqual([
    "[Development] Service error: Sweeper",
    "[Development] Service works again: Sweeper",
  ]);
});

test("SYS-03 what runs all the time and cannot work is reported too", async () => {
  let problem: string | undefined = "the broker is away";
  const continuous = createContinuousServices({
    pool: server.database.pool,
    services: [{ name: "Stream", did: String, processed: () => Promise.resolve(0), problem: () => problem }],
    clock: server.clock,
    log: silentLog,
  });
  const passMinutes = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      await continuous.tick();
      await pass(1);
    }
  };
  await passMinutes(14);
  expect(await outbox()).toEqual([]);
  await passMinutes(30);
  problem = undefined;
  await passMinutes(30);
  await continuous.stop();
  expect((await outbox()).map(({ subject }) => subject)).toEqual([
    "[Development] Service error: Stream",
    "[Development] Service works again: Stream",
  ]);
  expect((await outbox())[0].body).toContain("It says: the broker is away\n");
});

test("SYS-03 what should run all the time and has no process any more is reported, and when it is back", async () => {
  const createStream = () =>
    createContinuousServices({
      pool: server.database.pool,
      services: [{ name: "Brook", did: String, processed: () => Promise.resolve(1), problem: () => undefined }],
      clock: server.clock,
      log: silentLog,
    });
  const first = createStream();
  await first.tick();
  await pass(30);
  expect(await outbox()).toEqual([]);
  const store = createServiceStore(server.database.pool);
  const isRunning = async () => (await store.listServices(server.clock.now() / 1000)).get("Brook")?.isRunning;
  await first.stop();
  await vi.waitUntil(async () => !(await isRunning()));
  await pass(20);
  expect(await outbox()).toMatchObject([
    { subject: "[Development] Service error: Brook", body: expect.stringContaining("No process of the cluster runs it") },
  ]);
  const second = createStream();
  await second.tick();
  await pass(20);
  expect((await outbox()).map(({ subject }) => subject)).toEqual([
    "[Development] Service error: Brook",
    "[Development] Service works again: Brook",
  ]);
  expect((await store.listServices(server.clock.now() / 1000)).get("Brook")).toMatchObject({ failingSince: null, logEntry: "" });
  await second.stop();
});

test("SYS-03 a service that is due and that no one runs fails, since it was due", async () => {
  const store = createServiceStore(server.database.pool);
  await server.database.pool.query("insert into service (name, interval_seconds, next_run_at) values ('Forgotten', 60, to_timestamp($1))", [
    server.clock.now() / 1000 - 50,
  ]);
  const failingSince = async () => (await store.listServices(server.clock.now() / 1000)).get("Forgotten")?.failingSince;
  expect(await failingSince()).toBeNull();
  await server.database.pool.query("update service set next_run_at = to_timestamp(1790000000) where name = 'Forgotten'");
  expect(await failingSince()).toBe(1_790_000_000);
  await store.setEnabled(["Forgotten"], false);
  expect(await failingSince()).toBeNull();
  await server.database.pool.query("delete from service where name = 'Forgotten'");
});

test("A-63 how often is said of what failed more than once, and that it says nothing", async () => {
  const bodies: string[] = [];
  const enqueue = async (_client: PoolClient, { body }: { body: string }) => void bodies.push(body);
  const report = createServiceNotices({
    mail: { enqueue },
    internalRecipients: async () => [],
    environment: "Development",
  } as unknown as Parameters<typeof createServiceNotices>[0]);
  for (const failureCount of [1, 2])
    await report({} as PoolClient, { name: "Sweeper", state: "failing", since: 0, failureCount, logEntry: "" });
  expect(bodies.map((body) => body.split("\n").slice(0, 3))).toEqual([
    ["Sweeper has not worked since 1970-01-01 00:00:00 UTC.", "", "It says: nothing"],
    ["Sweeper has not worked since 1970-01-01 00:00:00 UTC, 2 times in a row.", "", "It says: nothing"],
  ]);
});
