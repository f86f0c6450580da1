import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPool } from "#db/pool.ts";
import { silentLog } from "#lib/log.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import type { ManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase } from "#testing/test-database.ts";
import type { TestDatabase } from "#testing/test-database.ts";
import { createScheduler } from "./scheduler.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Task } from "./service.ts";
import { createServiceStore } from "./service.store.ts";
import type { ServiceStore } from "./service.store.ts";

let database: TestDatabase;
let store: ServiceStore;
let clock: ManualClock;
let schedulers: Scheduler[];

beforeEach(async () => {
  database = await createTestDatabase();
  store = createServiceStore(database.pool);
  clock = createManualClock();
  schedulers = [];
});
afterEach(async () => {
  for (const scheduler of schedulers) await scheduler.stop();
  await database.stop();
});

function schedule(...tasks: Task[]): Scheduler {
  const scheduler = createScheduler({ pool: database.pool, tasks, clock, log: silentLog });
  schedulers.push(scheduler);
  return scheduler;
}

function counting(name = "Counter", intervalSeconds = 60) {
  const run = vi.fn<Task["run"]>(async () => {
    clock.advance(2);
    return 3;
  });
  return { name, intervalSeconds, run };
}

const serviceOf = async (name: string) => (await store.listServices()).get(name);

test("a task runs when due, and its service tells of it", async () => {
  const task = counting();
  const scheduler = schedule(task);
  const startedAt = clock.now() / 1000;
  await scheduler.tick();
  await scheduler.tick();
  expect(task.run).toHaveBeenCalledTimes(1);
  clock.advance(60);
  await scheduler.tick();
  expect(task.run).toHaveBeenCalledTimes(2);
  expect(await serviceOf("Counter")).toEqual({
    isEnabled: true,
    isScheduledService: true,
    isRunning: false,
    interval: 60,
    countProcessedLastRun: 3,
    countProcessedLifetime: 6,
    logEntry: "",
    durationLastRun: 2,
    durationAverage: 2,
    timestampLastFinished: expect.closeTo(startedAt + 64, 1),
    timestampNextRun: expect.closeTo(startedAt + 124, 1),
  });
});

test("two processes never run one task at the same time", async () => {
  const gate = Promise.withResolvers<number>();
  const run = vi.fn<Task["run"]>(() => gate.promise);
  const task = { name: "Long", intervalSeconds: 60, run };
  const first = schedule(task);
  const running = first.tick();
  await vi.waitUntil(async () => (await serviceOf("Long"))?.isRunning);
  await schedule(task).tick();
  expect(run).toHaveBeenCalledTimes(1);
  gate.resolve(1);
  await running;
  expect((await serviceOf("Long"))?.isRunning).toBe(false);
});

test("when the process that runs a task dies, another takes the task over", async () => {
  const dying = createPool(database.url, { max: 2, applicationName: "dying" });
  const never = createScheduler({
    pool: dying,
    tasks: [{ name: "Task", intervalSeconds: 60, run: () => new Promise(() => {}) }],
    clock,
    log: silentLog,
  });
  void never.tick();
  await vi.waitUntil(async () => (await serviceOf("Task"))?.isRunning);
  await database.pool.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dying' and datname = current_database()",
  );
  await vi.waitUntil(async () => !(await serviceOf("Task"))?.isRunning);

  const task = counting("Task");
  await schedule(task).tick();
  expect(task.run).toHaveBeenCalledTimes(1);
  await dying.end();
});

test("a disabled service does not run unless it is asked to", async () => {
  const task = counting();
  const scheduler = schedule(task);
  await scheduler.tick();
  await store.setEnabled(["Counter"], false);
  clock.advance(600);
  await scheduler.tick();
  expect(task.run).toHaveBeenCalledTimes(1);
  expect(await store.requestRun("Counter")).toBe(true);
  await scheduler.tick();
  expect(task.run).toHaveBeenCalledTimes(2);
  expect(await store.requestRun("Unknown")).toBe(false);
});

test("a task may say what it did", async () => {
  const run = vi.fn<Task["run"]>(() => Promise.resolve({ processedCount: 7, logEntry: "7 of 9 done" }));
  await schedule({ name: "Talker", intervalSeconds: 60, run }).tick();
  expect(await serviceOf("Talker")).toMatchObject({ countProcessedLastRun: 7, logEntry: "7 of 9 done" });
});

test("a task that fails says why and is tried again at its next time, and the others run", async () => {
  const failing = { name: "AFailing", intervalSeconds: 60, run: vi.fn<Task["run"]>(() => Promise.reject(new Error("no paper"))) };
  const task = counting();
  const scheduler = schedule(failing, task);
  await scheduler.tick();
  expect(task.run).toHaveBeenCalledTimes(1);
  expect(await serviceOf("AFailing")).toMatchObject({ logEntry: "no paper", countProcessedLastRun: 0 });
  clock.advance(61);
  await scheduler.tick();
  expect(failing.run).toHaveBeenCalledTimes(2);
});

test("a clock that is set back does not silence a service", async () => {
  const task = counting();
  const scheduler = schedule(task);
  await scheduler.tick();
  clock.advance(-7_200);
  await scheduler.tick();
  expect(task.run).toHaveBeenCalledTimes(2);
});

test("a long task does not hold up the others", async () => {
  const gate = Promise.withResolvers<number>();
  const task = counting("Quick", 86_400);
  schedule({ name: "ALong", intervalSeconds: 86_400, run: () => gate.promise }, task).start();
  await vi.waitFor(() => expect(task.run).toHaveBeenCalledTimes(1));
  await store.requestRun("Quick");
  await vi.waitFor(() => expect(task.run).toHaveBeenCalledTimes(2), { timeout: 4_000 });
  gate.resolve(1);
});

test("a started scheduler follows a request to run at once", async () => {
  const task = counting("Daily", 86_400);
  schedule(task).start();
  await vi.waitUntil(() => task.run.mock.calls.length === 1);
  await store.requestRun("Daily");
  await vi.waitFor(() => expect(task.run).toHaveBeenCalledTimes(2), { timeout: 4_000 });
});
