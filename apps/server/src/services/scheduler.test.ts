import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createPool, type PoolClient } from "#db/pool.ts";
import { silentLog } from "#lib/log.ts";
import { createManualClock, type ManualClock } from "#testing/manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { createScheduler, type Scheduler } from "./scheduler.ts";
import type { Task } from "./service.ts";
import type { ReportIssue } from "./service-issues.ts";
import { createServiceStore, type ServiceStore } from "./service.store.ts";

const did = (count: number) => `Did ${count}`;

let database: TestDatabase;
let store: ServiceStore;
let clock: ManualClock;
let schedulers: Scheduler[];
let reported: string[];

beforeEach(async () => {
  database = await createTestDatabase();
  store = createServiceStore(database.pool);
  clock = createManualClock();
  schedulers = [];
  reported = [];
});
afterEach(async () => {
  for (const scheduler of schedulers) await scheduler.stop();
  await database.stop();
});

function schedule(...tasks: Task[]): Scheduler {
  const report: ReportIssue = (_client, { name, state }) => Promise.resolve(void reported.push(`${name} ${state}`));
  const scheduler = createScheduler({ pool: database.pool, tasks, clock, log: silentLog, report, stopMs: 200 });
  schedulers.push(scheduler);
  return scheduler;
}

function counting(name = "Counter", intervalSeconds = 60) {
  const run = vi.fn<Task["run"]>(async () => {
    clock.advance(2);
    return 3;
  });
  return { name, intervalSeconds, did, run };
}

const serviceOf = async (name: string) => (await store.listServices(clock.now() / 1000)).get(name);

test("a task runs when due, and its service shows it", async () => {
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
    timestampLastFinished: Math.floor(startedAt + 64),
    timestampNextRun: Math.floor(startedAt + 124),
    failingSince: null,
    durationsOfLastRuns: [2, 2],
    failuresOfLastRuns: [false, false],
    lastWork: { did: "Did 3", timestamp: Math.floor(startedAt + 64) },
  });
});

test("SYS-03 what a service did last stays while its runs have nothing to do, and a run may say it in other words", async () => {
  const run = vi.fn<Task["run"]>(() => Promise.resolve(2));
  const scheduler = schedule({ name: "Packer", intervalSeconds: 5, did, run });
  const startedAt = Math.floor(clock.now() / 1000);
  const lastWork = async () => {
    await scheduler.tick();
    clock.advance(5);
    return (await serviceOf("Packer"))?.lastWork;
  };
  expect(await lastWork()).toEqual({ did: "Did 2", timestamp: startedAt });
  run.mockResolvedValueOnce(0);
  expect(await lastWork()).toEqual({ did: "Did 2", timestamp: startedAt });
  run.mockResolvedValueOnce({ processedCount: 5, did: "Packed 5 of 9", logEntry: "" });
  expect(await lastWork()).toEqual({ did: "Packed 5 of 9", timestamp: startedAt + 10 });
});

test("SYS-03 the database looks after the connection that holds the locks: a machine that is gone must not keep them", async () => {
  const connect = vi.spyOn(database.pool, "connect");
  await schedule(counting()).tick();
  const connection = (await connect.mock.results[0]?.value) as unknown as PoolClient;
  const { rows } = await connection.query<{ name: string; isSet: boolean }>(
    `select name, source = 'session' as "isSet" from pg_settings where name like 'tcp_keepalives_%' or name = 'tcp_user_timeout' order by name`,
  );
  expect(rows).toEqual(
    ["tcp_keepalives_count", "tcp_keepalives_idle", "tcp_keepalives_interval", "tcp_user_timeout"].map((name) => ({ name, isSet: true })),
  );
});

test("a service that fails again and again says since when, and is logged once in ten minutes", async () => {
  const lines: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void lines.push(line) });
  let isBroken = true;
  const run = () => (isBroken ? Promise.reject(new Error("no paper")) : Promise.resolve(1));
  const scheduler = createScheduler({ pool: database.pool, tasks: [{ name: "Printer", intervalSeconds: 5, did, run }], clock, log });
  schedulers.push(scheduler);
  const since = clock.now() / 1000;
  for (let count = 0; count < 100; count++) {
    await scheduler.tick();
    clock.advance(5);
  }
  expect(lines).toHaveLength(1);
  expect(await serviceOf("Printer")).toMatchObject({ failingSince: Math.floor(since), logEntry: "no paper" });
  clock.advance(120);
  await scheduler.tick();
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('"suppressed":99');
  isBroken = false;
  clock.advance(5);
  await scheduler.tick();
  expect(await serviceOf("Printer")).toMatchObject({ failingSince: null, logEntry: "" });
  expect((await serviceOf("Printer"))?.failuresOfLastRuns).toEqual([...Array.from({ length: 59 }, () => true), false]);
  expect((await serviceOf("Printer"))?.durationsOfLastRuns).toHaveLength(60);
});

test("two processes never run one task at the same time", async () => {
  const gate = Promise.withResolvers<number>();
  const run = vi.fn<Task["run"]>(() => gate.promise);
  const task = { name: "Long", intervalSeconds: 60, did, run };
  const first = schedule(task);
  const running = first.tick();
  await vi.waitUntil(async () => (await serviceOf("Long"))?.isRunning);
  await schedule(task).tick();
  expect(run).toHaveBeenCalledTimes(1);
  gate.resolve(1);
  await running;
  expect((await serviceOf("Long"))?.isRunning).toBe(false);
});

test("what another process has just run is not run once more by one that found it due before", async () => {
  const now = clock.now() / 1000;
  await store.register(counting(), now);
  expect(await store.findDue(["Counter"], now)).toEqual(["Counter"]);
  expect(await store.claim("Counter", now)).toBe(true);
  await store.finish("Counter", now, now + 60, { durationSeconds: 1, processedCount: 1, did: "", logEntry: "", hasFailed: false });
  expect([await store.claim("Counter", now), await store.claim("Counter", now + 59)]).toEqual([false, false]);
  expect(await store.claim("Counter", now + 60)).toBe(true);
});

test("A-63 a service's whole row says what became of it, run after run", async () => {
  const at = (seconds: number) => new Date(seconds * 1000);
  const begun = Math.floor(clock.now() / 1000);
  await store.register(counting(), begun);
  const fresh = {
    name: "Counter",
    is_enabled: true,
    interval_seconds: 60,
    is_run_requested: false,
    is_scheduled: true,
    next_run_at: at(begun),
    last_finished_at: null,
    last_duration_seconds: null,
    average_duration_seconds: null,
    run_count: "0",
    last_processed_count: 0,
    lifetime_processed_count: "0",
    log_entry: "",
    run_seconds: [],
    run_failures: [],
    last_did: "",
    last_did_at: null,
    failing_since: null,
    last_failed_at: null,
    failure_count: 0,
    trouble_told_at: null,
  };
  const row = async () => (await database.pool.query("select * from service")).rows[0] as object;
  expect(await row()).toEqual(fresh);
  const worked = { durationSeconds: 1, processedCount: 5, did: "Did 5", logEntry: "", hasFailed: false };
  await store.requestRun("Counter");
  expect(await row()).toEqual({ ...fresh, is_run_requested: true });
  await store.claim("Counter", begun);
  await store.finish("Counter", begun + 1, begun + 60, worked);
  const once = {
    ...fresh,
    next_run_at: at(begun + 60),
    last_finished_at: at(begun + 1),
    last_duration_seconds: 1,
    average_duration_seconds: 1,
    run_count: "1",
    last_processed_count: 5,
    lifetime_processed_count: "5",
    run_seconds: [1],
    run_failures: [false],
    last_did: "Did 5",
    last_did_at: at(begun + 1),
  };
  expect(await row()).toEqual(once);
  const failed = { durationSeconds: 4, processedCount: 2, did: "", logEntry: "no disk", hasFailed: true };
  await store.finish("Counter", begun + 64, begun + 120, failed);
  const twice = {
    ...once,
    next_run_at: at(begun + 120),
    last_finished_at: at(begun + 64),
    last_duration_seconds: 4,
    average_duration_seconds: 2.5,
    run_count: "2",
    last_processed_count: 2,
    lifetime_processed_count: "7",
    log_entry: "no disk",
    run_seconds: [1, 4],
    run_failures: [false, true],
    failing_since: at(begun + 64),
    last_failed_at: at(begun + 64),
    failure_count: 1,
  };
  expect(await row()).toEqual(twice);
  await store.noteIssue("Counter", begun + 100, begun + 90, "asked to stop");
  expect(await row()).toEqual({ ...twice, log_entry: "asked to stop", last_failed_at: at(begun + 100) });
  await store.finish("Counter", begun + 124, begun + 180, { ...failed, processedCount: 0 });
  expect(await row()).toMatchObject({
    failing_since: at(begun + 64),
    last_failed_at: at(begun + 124),
    failure_count: 2,
    average_duration_seconds: 3,
    lifetime_processed_count: "7",
  });
  await store.finish("Counter", begun + 181, begun + 240, { ...worked, processedCount: 1, did: "Did 1" });
  expect(await row()).toMatchObject({
    failing_since: null,
    last_failed_at: at(begun + 124),
    failure_count: 0,
    log_entry: "",
    last_did: "Did 1",
    last_did_at: at(begun + 181),
    lifetime_processed_count: "8",
    run_failures: [false, true, true, false],
  });
  await store.noteIssue("Counter", begun + 200, begun + 190, "asked to stop");
  expect(await row()).toMatchObject({ failing_since: at(begun + 190), last_failed_at: at(begun + 200) });
});

test("A-63 nor is it by a whole round that found it due a moment before", async () => {
  const task = counting();
  const ask = database.pool.query.bind(database.pool) as (...values: unknown[]) => Promise<unknown>;
  const watched = vi.spyOn(database.pool, "query");
  const answered = async (...values: unknown[]) => {
    const answer = await ask(...values);
    if ((values[0] as { name?: string }).name !== "find-due-services") return answer;
    watched.mockRestore();
    const now = clock.now() / 1000;
    await store.finish("Counter", now, now + 60, { durationSeconds: 1, processedCount: 1, did: "", logEntry: "", hasFailed: false });
    return answer;
  };
  watched.mockImplementation((...values: unknown[]): never => answered(...values) as never);
  onTestFinished(() => watched.mockRestore());
  await schedule(task).tick();
  expect(task.run).not.toHaveBeenCalled();
  clock.advance(60);
  await schedule(task).tick();
  expect(task.run).toHaveBeenCalledOnce();
});

test("when the process that runs a task dies, another takes the task over", async () => {
  const dying = createPool(database.url, { max: 2, applicationName: "dying" });
  const never = createScheduler({
    pool: dying,
    tasks: [{ name: "Task", intervalSeconds: 60, did, run: () => new Promise(() => {}) }],
    clock,
    log: silentLog,
  });
  // Its database is taken away, whatever it was asking.
  never.tick().catch(() => undefined);
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

test("when the process that runs a task is killed, another takes the task over at once", async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../testing/scheduler-child.ts"), database.url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const task = counting("Held");
  const scheduler = schedule(task, counting("Free"));
  await scheduler.tick();
  expect([(await serviceOf("Held"))?.isRunning, task.run.mock.calls.length]).toEqual([true, 0]);
  expect((await serviceOf("Free"))?.isRunning).toBe(false);
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
  await vi.waitUntil(async () => !(await serviceOf("Held"))?.isRunning);
  clock.advance(5);
  await scheduler.tick();
  expect(task.run).toHaveBeenCalledTimes(1);
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
  await schedule({ name: "Talker", intervalSeconds: 60, did, run }).tick();
  expect(await serviceOf("Talker")).toMatchObject({ countProcessedLastRun: 7, logEntry: "7 of 9 done" });
});

test("a task that fails says why and is tried again at its next time, and the others run", async () => {
  const failing = { name: "AFailing", intervalSeconds: 60, did, run: vi.fn<Task["run"]>(() => Promise.reject(new Error("no paper"))) };
  const task = counting();
  const scheduler = schedule(failing, task);
  await scheduler.tick();
  expect(task.run).toHaveBeenCalledTimes(1);
  expect(await serviceOf("AFailing")).toMatchObject({ logEntry: "no paper", countProcessedLastRun: 0 });
  clock.advance(61);
  await scheduler.tick();
  expect(failing.run).toHaveBeenCalledTimes(2);
});

test("a task that runs once a day is tried again five minutes after it failed", async () => {
  const run = vi.fn<Task["run"]>(() => Promise.reject(new Error("no paper")));
  const scheduler = schedule({ name: "Daily", intervalSeconds: 86_400, did, run });
  await scheduler.tick();
  clock.advance(299);
  await scheduler.tick();
  expect(run).toHaveBeenCalledTimes(1);
  run.mockResolvedValue(1);
  clock.advance(2);
  await scheduler.tick();
  clock.advance(3_600);
  await scheduler.tick();
  expect(run).toHaveBeenCalledTimes(2);
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
  schedule({ name: "ALong", intervalSeconds: 86_400, did, run: () => gate.promise }, task).start();
  await vi.waitFor(() => expect(task.run).toHaveBeenCalledTimes(1));
  await store.requestRun("Quick");
  await vi.waitFor(() => expect(task.run).toHaveBeenCalledTimes(2));
  gate.resolve(1);
});

test("once it is stopped nothing is started any more", async () => {
  const task = counting();
  const scheduler = schedule(task);
  await scheduler.stop();
  await scheduler.tick();
  expect(task.run).not.toHaveBeenCalled();
});

test("a started scheduler follows a request to run at once, without its next look at what is due", async () => {
  const task = counting("Daily", 86_400);
  const scheduler = createScheduler({ pool: database.pool, tasks: [task], clock, log: silentLog, longestWaitMs: 2 ** 31 - 1 });
  schedulers.push(scheduler);
  scheduler.start();
  // The first requests may still fall into the round that follows a run.
  for (let requests = 1; requests <= 5; requests++) {
    await vi.waitUntil(async () => task.run.mock.calls.length === requests && (await serviceOf("Daily"))?.isRunning === false);
    await store.requestRun("Daily");
  }
  await vi.waitFor(() => expect(task.run).toHaveBeenCalledTimes(6));
});

describe("a run that takes too long", () => {
  /** Ends only when the test says so, or, where it listens, when it is asked to. */
  function hanging(isListening: boolean) {
    const gates: PromiseWithResolvers<number>[] = [];
    const run = vi.fn<Task["run"]>((signal) => {
      const gate = Promise.withResolvers<number>();
      gates.push(gate);
      if (isListening) signal.addEventListener("abort", () => gate.resolve(1));
      return gate.promise;
    });
    return { task: { name: "AHanging", intervalSeconds: 60, did, run }, gates, signals: () => run.mock.calls.map(([signal]) => signal) };
  }

  async function startHanging(isListening: boolean) {
    const hung = hanging(isListening);
    const other = counting("Other");
    const scheduler = schedule(hung.task, other);
    const sinceMs = Math.floor(clock.now() / 1000) * 1000;
    const first = scheduler.tick();
    await vi.waitUntil(async () => hung.gates.length === 1 && (await serviceOf("Other"))?.countProcessedLifetime === 3);
    return { ...hung, other, scheduler, first, sinceMs };
  }

  test("is asked to stop after ten minutes, shown with its start, and counts as failed; the others go on", async () => {
    const { scheduler, other, signals, first, sinceMs } = await startHanging(true);
    // The other task may run first, and takes two seconds.
    const starts = [sinceMs, sinceMs + 2_000].map((ms) => new Date(ms).toISOString().slice(0, 19).replace("T", " "));
    clock.advance(590);
    // A run that is stored as ended may still be winding up, and its task is then passed over until the next round.
    await vi.waitUntil(async () => {
      await scheduler.tick();
      return other.run.mock.calls.length > 1;
    });
    expect([signals()[0]?.aborted, other.run.mock.calls.length]).toEqual([false, 2]);
    clock.advance(30);
    await scheduler.tick();
    await first;
    expect([signals()[0]?.aborted, other.run.mock.calls.length]).toEqual([true, 2]);
    const service = await serviceOf("AHanging");
    expect(service).toMatchObject({ isRunning: false, countProcessedLastRun: 1 });
    expect(starts.map((start) => `Running since ${start} UTC, stopped after 10 min`)).toContain(service?.logEntry);
    clock.advance(60);
    const second = scheduler.tick();
    await vi.waitUntil(() => signals().length === 2);
    clock.advance(601);
    await scheduler.tick();
    await second;
    expect(reported).toEqual(["AHanging failing"]);
  });

  test("and does not stop is given up: another process goes on, this one never runs it twice", async () => {
    const { scheduler, task, gates, first } = await startHanging(false);
    clock.advance(601);
    await scheduler.tick();
    expect(await serviceOf("AHanging")).toMatchObject({ isRunning: true, logEntry: expect.stringContaining("asked to stop after 10 min") });
    clock.advance(60);
    await scheduler.tick();
    expect(await serviceOf("AHanging")).toMatchObject({
      isRunning: false,
      logEntry: expect.stringMatching(/^Running since .* UTC, given up after 11 min: it does not stop$/),
    });
    clock.advance(120);
    await scheduler.tick();
    expect(task.run).toHaveBeenCalledTimes(1);
    const elsewhere = counting("AHanging");
    await schedule(elsewhere).tick();
    expect(elsewhere.run).toHaveBeenCalledTimes(1);
    // What it did in the end is no news: the other process has reported newer ones.
    gates[0]?.resolve(99);
    await first;
    expect(await serviceOf("AHanging")).toMatchObject({ countProcessedLastRun: 3, logEntry: "" });
    clock.advance(61);
    const again = scheduler.tick();
    await vi.waitUntil(() => gates.length === 2);
    gates[1]?.resolve(5);
    await again;
    expect(await serviceOf("AHanging")).toMatchObject({ countProcessedLastRun: 5 });
  });

  test("is reported once after fifteen minutes without an end", async () => {
    const { scheduler } = await startHanging(false);
    for (let minute = 0; minute < 60; minute++) {
      clock.advance(60);
      await scheduler.tick();
    }
    expect(reported).toEqual(["AHanging failing"]);
  });

  test("does not hold up the end of the program", async () => {
    const { scheduler, signals } = await startHanging(false);
    await scheduler.stop();
    expect(signals()[0]?.aborted).toBe(true);
  });
});

test("A-26 a run cut short by the end of the program has not failed and is due at once", async () => {
  const run = vi.fn<Task["run"]>(
    (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("the rest comes later")))),
  );
  const task = { name: "Slow", intervalSeconds: 3_600, did, run };
  const first = schedule(task);
  const ticked = first.tick();
  await vi.waitUntil(() => run.mock.calls.length === 1);
  await first.stop();
  await ticked;
  expect(await serviceOf("Slow")).toMatchObject({ isRunning: false, logEntry: "the rest comes later", failingSince: null });
  void schedule(task).tick();
  await vi.waitUntil(() => run.mock.calls.length === 2);
});

describe("a service that fails", () => {
  let isBroken: boolean;
  beforeEach(() => {
    isBroken = true;
  });
  const breaking = (intervalSeconds: number): Task => ({
    name: "Breaking",
    intervalSeconds,
    did,
    run: () => (isBroken ? Promise.reject(new Error("no paper")) : Promise.resolve(1)),
  });
  async function pass(scheduler: Scheduler, seconds: number, times = 1): Promise<void> {
    for (let count = 0; count < times; count++) {
      clock.advance(seconds);
      await scheduler.tick();
    }
  }

  test("five times in a row is reported once, and once more when it has worked for fifteen minutes", async () => {
    const scheduler = schedule(breaking(5));
    await pass(scheduler, 6, 4);
    expect(reported).toEqual([]);
    await pass(scheduler, 6);
    await pass(scheduler, 60, 40);
    expect(reported).toEqual(["Breaking failing"]);
    isBroken = false;
    await pass(scheduler, 60, 14);
    expect(reported).toEqual(["Breaking failing"]);
    await pass(scheduler, 60, 2);
    await pass(scheduler, 600, 10);
    expect(reported).toEqual(["Breaking failing", "Breaking works again"]);
  });

  test("for fifteen minutes is reported, also when it seldom runs", async () => {
    const scheduler = schedule(breaking(86_400));
    await pass(scheduler, 0);
    await pass(scheduler, 60, 14);
    expect(reported).toEqual([]);
    await pass(scheduler, 61);
    expect(reported).toEqual(["Breaking failing"]);
  });

  test("now and then is no flood", async () => {
    const scheduler = schedule(breaking(5));
    for (let turn = 0; turn < 10; turn++) {
      isBroken = turn % 2 === 0;
      await pass(scheduler, 100, 6);
    }
    expect(reported).toEqual(["Breaking failing"]);
  });

  test("is reported once by many processes", async () => {
    const processes = Array.from({ length: 3 }, () => schedule(breaking(60)));
    await pass(processes[0]!, 0);
    clock.advance(1_000);
    await Promise.all(processes.map((each) => each.tick()));
    expect(reported).toEqual(["Breaking failing"]);
  });

  test("while it is switched off is not reported", async () => {
    const scheduler = schedule(breaking(60));
    await pass(scheduler, 0);
    await store.setEnabled(["Breaking"], false);
    await pass(scheduler, 600, 5);
    expect(reported).toEqual([]);
  });

  test("and no one can be notified holds up nothing", async () => {
    const task = counting("Other");
    const report = () => Promise.reject(new Error("no mail"));
    const scheduler = createScheduler({ pool: database.pool, tasks: [breaking(60), task], clock, log: silentLog, report });
    schedulers.push(scheduler);
    await pass(scheduler, 61, 20);
    expect(task.run).toHaveBeenCalledTimes(20);
  });
});

describe("whatever a task throws or returns", () => {
  const thrown: [unknown, string][] = [
    [undefined, "It failed and did not say why"],
    ["just words", "just words"],
    [null, "It failed and did not say why"],
    [new Error("a NUL \u0000 and a line\nbreak"), "a NUL ␀ and a line␊break"],
    [new Error("x".repeat(5_000)), "x".repeat(1_000)],
    [new Error('"}\u001b[2J\u202e'), '"}␛[2J\\u202e'],
  ];
  test.each(thrown)("%j is in the log entry", async (error, logEntry) => {
    const run = vi.fn<Task["run"]>().mockRejectedValue(error);
    const scheduler = schedule({ name: "Odd", intervalSeconds: 60, did, run });
    await scheduler.tick();
    expect(await serviceOf("Odd")).toMatchObject({ isRunning: false, logEntry });
    expect((await serviceOf("Odd"))?.timestampNextRun).toBeGreaterThan(clock.now() / 1000);
  });

  test.each([Number.NaN, -1, 1e300, 2.5])("a count of %d does no harm", async (count) => {
    await schedule({ name: "Odd", intervalSeconds: 60, did, run: () => Promise.resolve(count) }).tick();
    const { countProcessedLastRun = -1 } = (await serviceOf("Odd")) ?? {};
    expect(countProcessedLastRun).toBeGreaterThanOrEqual(0);
  });

  test("something else than a promise, thrown at once, is a failure like others", async () => {
    const run = () => {
      throw new Error("at once");
    };
    await schedule({ name: "Odd", intervalSeconds: 60, did, run }).tick();
    expect(await serviceOf("Odd")).toMatchObject({ logEntry: "at once" });
  });
});
