import type { Pool, PoolClient } from "pg";
import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";
import { longestRunSeconds, nextRunAt } from "./run-times.ts";
import type { Task } from "./service.ts";
import { tellTroubles } from "./service-troubles.ts";
import type { TellTrouble } from "./service-troubles.ts";
import { createServiceStore, serviceChannel } from "./service.store.ts";
import { startTask } from "./task-run.ts";
import type { TaskRun } from "./task-run.ts";

export interface SchedulerOptions {
  pool: Pool;
  tasks: readonly Task[];
  clock: Clock;
  log: Log;
  /** Tells people of a service that does not work, and that it works again. */
  tell?: TellTrouble;
  /** How long the end waits for tasks that run. */
  stopMs?: number;
}

export interface Scheduler {
  start(): void;
  /** Runs what is due now, each task in one process of the cluster only, and waits for it. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

const longestWaitMs = 5_000;
const shortestWaitMs = 20;
/** A run that was asked to stop and does not loses its lock after so long. */
const graceSeconds = 60;

export function createScheduler({ pool, tasks, clock, log, tell, stopMs = 10_000 }: SchedulerOptions): Scheduler {
  const store = createServiceStore(pool);
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const names = [...byName.keys()];
  const stopping = new AbortController();
  let connection: PoolClient | undefined;
  let isRegistered = false;
  const running = new Map<string, { done: Promise<void>; run?: TaskRun }>();
  let turn: Promise<unknown> = Promise.resolve();
  let wake = () => {};
  let loop: Promise<void> | undefined;

  const nowSeconds = () => clock.now() / 1000;

  // Locks and wake-up calls live on one connection of its own.
  async function connect(): Promise<PoolClient> {
    if (connection) return connection;
    const client = await pool.connect();
    client.on("error", () => drop(client));
    client.on("notification", () => wake());
    connection = client;
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

  async function runTask(client: PoolClient, task: Task, note: (run: TaskRun) => void): Promise<void> {
    if (!(await inTurn(() => store.tryLock(client, task.name)))) return;
    let run: TaskRun | undefined;
    try {
      if (!(await store.claim(task.name, nowSeconds()))) return;
      run = startTask(task, clock, stopping.signal);
      note(run);
      const outcome = await run.outcome;
      if (outcome.error !== undefined) log.error({ err: outcome.error, service: task.name }, "service failed");
      if (run.isGivenUp) log.warn({ service: task.name, seconds: run.elapsedSeconds() }, "a run ended that had been given up");
      else await store.finish(task.name, nowSeconds(), nextRunAt(task, nowSeconds(), outcome.hasFailed), outcome);
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
        run.askToStop();
        await store.noteTrouble(name, nowSeconds(), nowSeconds() - seconds, run.words("asked to stop"));
      }
    }
  }

  /** Starts what is due and not running here; a long task never holds up the others. */
  async function startDue(): Promise<Promise<void>[]> {
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

  async function tellOfTroubles(): Promise<void> {
    try {
      if (tell) await tellTroubles(pool, nowSeconds(), tell);
    } catch (error) {
      log.warn({ err: error }, "nobody could be told of services that fail");
    }
  }

  async function runLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      let waitMs = longestWaitMs;
      try {
        for (const done of await startDue()) void done.catch(giveUpConnection).finally(() => wake());
        await tellOfTroubles();
        const seconds = await store.secondsToNext(names, nowSeconds());
        waitMs = Math.min(longestWaitMs, Math.max(shortestWaitMs, (seconds ?? longestWaitMs) * 1000));
        if (running.size > 0) waitMs = longestWaitMs;
      } catch (error) {
        giveUpConnection(error);
      }
      if (!stopping.signal.aborted) await waitOrWake(waitMs);
    }
  }

  // Its locks are gone with it; the next round takes a new one.
  function giveUpConnection(error: unknown): void {
    log.warn({ err: error }, "services wait for the database");
    if (connection) drop(connection);
  }

  function waitOrWake(milliseconds: number): Promise<void> {
    return new Promise((done) => {
      const timer = setTimeout(done, milliseconds);
      wake = () => {
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
      await tellOfTroubles();
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
