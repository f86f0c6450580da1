import type { Pool, PoolClient } from "pg";
import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";
import type { Task } from "./service.ts";
import { createServiceStore, serviceChannel } from "./service.store.ts";

export interface SchedulerOptions {
  pool: Pool;
  tasks: readonly Task[];
  clock: Clock;
  log: Log;
}

export interface Scheduler {
  start(): void;
  /** Runs what is due now, each task in one process of the cluster only, and waits for it. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

const longestWaitMs = 5_000;
const shortestWaitMs = 20;

export function createScheduler({ pool, tasks, clock, log }: SchedulerOptions): Scheduler {
  const store = createServiceStore(pool);
  const byName = new Map(tasks.map((task) => [task.name, task]));
  const names = [...byName.keys()];
  const stopping = new AbortController();
  let connection: PoolClient | undefined;
  let isRegistered = false;
  const running = new Map<string, Promise<void>>();
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

  async function runTask(client: PoolClient, task: Task): Promise<void> {
    if (!(await inTurn(() => store.tryLock(client, task.name)))) return;
    try {
      if (!(await store.claim(task.name, nowSeconds()))) return;
      const startedAt = clock.monotonic();
      let processedCount = 0;
      let logEntry = "";
      try {
        const result = await task.run(stopping.signal);
        if (typeof result === "number") processedCount = result;
        else ({ processedCount, logEntry } = result);
      } catch (error) {
        logEntry = (error as Error).message;
        log.error({ err: error, service: task.name }, "service failed");
      }
      await store.finish(task.name, nowSeconds(), { durationSeconds: (clock.monotonic() - startedAt) / 1000, processedCount, logEntry });
    } finally {
      await inTurn(() => store.unlock(client, task.name));
    }
  }

  // Tasks share the connection of the locks, which takes one query at a time.
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  /** Starts what is due and not running here; a long task never holds up the others. */
  async function startDue(): Promise<Promise<void>[]> {
    const client = await connect();
    const due = await store.findDue(names, nowSeconds());
    return due.flatMap((name) => {
      const task = byName.get(name);
      if (!task || running.has(name) || stopping.signal.aborted) return [];
      const run = runTask(client, task).finally(() => running.delete(name));
      running.set(name, run);
      return [run];
    });
  }

  async function runLoop(): Promise<void> {
    while (!stopping.signal.aborted) {
      let waitMs = longestWaitMs;
      try {
        for (const run of await startDue()) void run.catch(giveUpConnection).finally(() => wake());
        const seconds = await store.secondsToNext(names, nowSeconds());
        waitMs = Math.min(longestWaitMs, Math.max(shortestWaitMs, (seconds ?? longestWaitMs) * 1000));
        if (running.size > 0) waitMs = longestWaitMs;
      } catch (error) {
        giveUpConnection(error);
      }
      if (!stopping.signal.aborted) await waitOrWake(waitMs);
    }
    await Promise.allSettled(running.values());
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

  return {
    async tick() {
      await Promise.all(await startDue());
    },
    start() {
      loop ??= runLoop();
    },
    async stop() {
      stopping.abort();
      wake();
      await loop;
      if (connection) drop(connection);
    },
  };
}
