import { monitorEventLoopDelay } from "node:perf_hooks";
import { parentPort, workerData } from "node:worker_threads";
import { Gauge, Registry } from "prom-client";
import type { Config } from "./config.ts";
import type { NumberedRequest, RoleMessage, RoleSettings, RoleStart } from "./role-thread.ts";
import { createUndoStack, type UndoStack } from "./undo-stack.ts";
import { createPool, endPool, type Pool, type PoolOptions } from "#db/pool.ts";
import { createLog, type Log } from "#lib/log.ts";

/** What a role in a thread is started with; the undo stack runs at its stop. */
export interface RoleParts {
  config: Config;
  log: Log;
  drainMs: number;
  registry: Registry;
  undo: UndoStack;
  /** Ended at the stop. */
  openPool: (name: string, options: PoolOptions) => Pool;
}

export interface StartedRole {
  /** What it serves, if it serves an address. */
  url?: string;
  /** For readiness. */
  problem(): string | undefined;
}

/** The thread's side of `role-thread.ts`: starts the role when it is asked to, and answers for it. */
export function runRole(role: string, startRole: (parts: RoleParts, start: RoleStart) => Promise<StartedRole>): void {
  const { config, logLevel, drainMs } = workerData as RoleSettings;
  const port = parentPort!;
  const send = (message: RoleMessage) => port.postMessage(message);
  const log = createLog(logLevel, { write: (line) => send({ logged: line }) });
  const undo = createUndoStack();
  const registry = new Registry();
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  watchEventLoop(role, registry, delay);
  let started: StartedRole | undefined;

  async function start(given: RoleStart): Promise<string | undefined> {
    const openPool = (name: string, options: PoolOptions) => {
      const pool = createPool(given.databaseUrl, { applicationName: `busbar ${name}`, ...options });
      undo.add(() => endPool(pool, drainMs));
      return pool;
    };
    started = await startRole({ config, log, drainMs, registry, undo, openPool }, given);
    return started.url;
  }

  async function answer(request: NumberedRequest): Promise<string | undefined> {
    if (request.ask === "start") return await start(request);
    if (request.ask === "problem") return started ? started.problem() : `${role} has not been started yet`;
    if (request.ask === "metrics") return await registry.metrics();
    await undo.run();
    return undefined;
  }

  port.on("message", (request: NumberedRequest) => {
    answer(request).then(
      (value) => send({ id: request.id, value }),
      (error: unknown) => send({ id: request.id, error: error as Error }),
    );
  });
}

/** @param delay counts nanoseconds */
export function watchEventLoop(
  role: string,
  registry: Registry,
  delay: Pick<ReturnType<typeof monitorEventLoopDelay>, "percentile" | "reset">,
): void {
  const gauge: Gauge = new Gauge({
    name: `busbar_${role}_eventloop_lag_p99_seconds`,
    help: `How late the event loop of ${role} was since the last time that this was read`,
    registers: [registry],
    collect() {
      gauge.set(delay.percentile(99) / 1e9);
      delay.reset();
    },
  });
}
