import type { Pool, PoolClient } from "pg";
import { watchPeer } from "#db/watch-peer.ts";
import type { Clock } from "#lib/clock.ts";
import { createLimitedLog } from "#lib/limited-log.ts";
import type { Log } from "#lib/log.ts";
import { longestRunSeconds, nextRunAt } from "./run-times.ts";
import type { Task } from "./service.ts";
import { reportIssues, type ReportIssue } from "./service-issues.ts";
import { createServiceStore, serviceChannel } from "./service.store.ts";
import { startTask, type TaskRun } from "./task-run.ts";

export interface SchedulerOptions {
  pool: Pool;
  tasks: readonly Task[];
  clock: Clock;
  log: Log;
  /** Notifies people of a service that does not work, and that it works again. */
  report?: ReportIssue;
  /** How long the end waits for tasks that run. */
  stopMs?: number;
  /** After so long it looks for what is due, if nothing wakes it before. */
  longestWaitMs?: number;
}

export interface Scheduler {
  start(): void;
  /** Runs what is due now, each task in one process of the cluster only, and waits for it. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

/** A service that fails every five seconds must not push everything else off the page of errors; its own line says the newest reason. */
const sameLineEveryMs = 600_000;
const usualWaitMs = 5_000;
const shortestWaitMs = 20;
/** What is due and not started here runs in another process, which notifies no one when it ends or dies. */
const elsewhereWaitMs = 250;
/** A run that was asked to stop and does not loses its lock after so long. */
const graceSeconds = 60;

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { pool, tasks, clock, log, report, stopMs = 10_000, longestWaitMs = usualWaitMs } = options;
  const store = createServiceStore(pool);
  const limitedLog = createLimitedLog(log, clock, sameLineEveryMs);
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const names = [...byName.keys()];
  const stopping = new AbortController();
  let connection: PoolClient | undefined;
  let isRegistered = false;
  const running = new Map<string, { done: Promise<boolean>; run?: TaskRun }>();
  let turn: Promise<unknown> = Promise.resolve();
  let isWoken = false;
  let endWait = () => {};
  let loop: Promise<void> | undefined;

  const nowSeconds = () => clock.now() / 1000;

  /** Whoever calls while a round is under way makes another one follow at once. */
  const wake = () => {
    isWoken = true;
    endWait();
  };

  // Locks and wake-up calls live on one connection of its own.
  async function connect(): Promise<PoolClient> {
    if (connection) return connection;
    const client = await pool.connect();
    client.on("error", () => drop(client));
    client.on("notification", () => wake());
    connection = client;
    await watchPeer(client);
    await client.query(`listen ${serviceChannel}`);
    if (!isRegistered) for (const task of tasks) await store.register(task, nowSeconds());
    isRegistered = true;
    return client;
  }

  function drop(client: PoolClient): void {
    if (connection !== client) return;
    connection = undefined;
    client.release(true);
  }

  /** False when it runs in another process. */
  async function runTask(client: PoolClient, task: Task, note: (run: TaskRun) => void): Promise<boolean> {
    if (!(await inTurn(() => store.tryLock(client, task.name)))) return false;
    let run: TaskRun | undefined;
    try {
      if (!(await store.claim(task.name, nowSeconds()))) return false;
      run = startTask(task, clock, stopping.signal);
      note(run);
      const outcome = await run.outcome;
      if (outcome.error !== undefined) limitedLog("error", task.name, { err: outcome.error, service: task.name }, "service failed");
      for (const { kind, item, reason, tries, nextTryAt } of outcome.setAside ?? [])
        log.warn({ service: task.name, [kind]: item, reason, tries, nextTryAt }, "set aside");
      if (run.isGivenUp) log.warn({ service: task.name, seconds: run.elapsedSeconds() }, "a run ended that had been given up");
      else await store.finish(task.name, nowSeconds(), nextRunAt(task, nowSeconds(), outcome.hasFailed, outcome.tryAgainAt), outcome);
      return true;
    } finally {
      if (run?.isGivenUp !== true) await unlock(client, task.name);
    }
  }

  // A connection that is gone took its locks with it.
  const unlock = async (client: PoolClient, name: string) => {
    if (connection === client) await inTurn(() => store.unlock(client, name));
  };

  // Tasks share the connection of the locks, which takes one query at a time.
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  /**
   * Asks runs that take too long to stop. Those that do not are given up: another process may go on with the service, this one starts it
   * again when the run has ended after all.
   */
  async function watchRuns(client: PoolClient): Promise<void> {
    for (const [name, { run }] of running) {
      if (!run || run.isGivenUp) continue;
      const seconds = run.elapsedSeconds();
      const bound = longestRunSeconds(run.task);
      if (seconds > bound + graceSeconds) {
        run.isGivenUp = true;
        log.error({ service: name, seconds }, "service does not stop and is given up");
        const outcome = run.givenUp();
        await store.finish(name, nowSeconds(), nextRunAt(run.task, nowSeconds(), true), outcome);
        await unlock(client, name);
      } else if (seconds > bound && !run.isAskedToStop()) {
        log.warn({ service: name, seconds }, "service takes too long and is asked to stop");
        // First: what the run says when it stops must be last.
        await store.noteIssue(name, nowSeconds(), nowSeconds() - seconds, run.words("asked to stop"));
        run.askToStop();
      }
    }
  }

  /** Starts what is due and not running here; a long task never holds up the others. */
  async function startDue(): Promise<Promise<boolean>[]> {
    const client = await connect();
    await watchRuns(client);
    const due = await store.findDue(names, nowSeconds());
    return due.flatMap((name) => {
      const task = byName.get(name);
      if (!task || running.has(name) || stopping.signal.aborted) return [];
      const done = runTask(client, task, (run) => running.set(name, { done, run })).finally(() => running.delete(name));
      running.set(name, { done });
      return [done];
    });
  }

  async function reportServiceIssues(): Promise<void> {
    try {
      await store.noteAbsent(nowSeconds());
      if (report) await reportIssues(pool, nowSeconds(), report);
    } catch (error) {
      log.warn({ err: error }, "services that fail could not be reported");
    }
  }

  async function runLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      let waitMs = longestWaitMs;
      isWoken = false;
      try {
        for (const done of await startDue()) void done.then((hasRun) => hasRun && wake(), giveUpConnection);
        await reportServiceIssues();
        // What runs here wakes this loop when it ends.
        const waiting = names.filter((name) => !running.has(name));
        const seconds = await store.secondsToNext(waiting, nowSeconds());
        const dueMs = (seconds ?? longestWaitMs) * 1000;
        waitMs = dueMs <= 0 ? elsewhereWaitMs : Math.min(longestWaitMs, Math.max(shortestWaitMs, dueMs));
      } catch (error) {
        giveUpConnection(error);
      }
      if (!stopping.signal.aborted) await waitOrWake(waitMs);
    }
  }

  // Its locks are gone with it; the next round takes a new one.
  function giveUpConnection(error: unknown): void {
    limitedLog("warn", "database", { err: error }, "services wait for the database");
    if (connection) drop(connection);
  }

  function waitOrWake(milliseconds: number): Promise<void> {
    if (isWoken) return Promise.resolve();
    return new Promise((done) => {
      const timer = setTimeout(done, milliseconds);
      endWait = () => {
        clearTimeout(timer);
        done();
      };
    });
  }

  /** False when some still run after the time that they have. */
  async function runsEnded(): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tooLate = new Promise<false>((done) => (timer = setTimeout(() => done(false), stopMs)));
    const ended = Promise.allSettled([...running.values()].map(({ done }) => done)).then(() => true);
    const result = await Promise.race([ended, tooLate]);
    clearTimeout(timer);
    return result;
  }

  return {
    async tick() {
      const started = await startDue();
      await Promise.all(started);
      await reportServiceIssues();
    },
    start() {
      loop ??= runLoop();
    },
    async stop() {
      stopping.abort();
      wake();
      await loop;
      if (!(await runsEnded())) log.warn({ services: [...running.keys()] }, "services still run and are left behind");
      if (connection) drop(connection);
    },
  };
}
