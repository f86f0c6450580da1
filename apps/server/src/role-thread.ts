import { Worker } from "node:worker_threads";
import type { Config } from "./config.ts";
import { feedOf } from "#lib/log-feed.ts";
import type { Log } from "#lib/log.ts";

/** Roles that have an event loop of their own, so that people do not wait for them. */
export type ThreadRole = "ingest" | "services";

/** Given to the thread when it is made. */
export interface RoleSettings {
  config: Config;
  logLevel: string;
  drainMs: number;
}

/** What is known only when everything else has been started. */
export interface RoleStart {
  databaseUrl: string;
  /** The console's address, for links in mail. */
  consoleUrl?: string;
}

type RoleRequest = ({ ask: "start" } & RoleStart) | { ask: "problem" | "metrics" | "stop" };
export type NumberedRequest = RoleRequest & { id: number };

/** The answer to a request, or a line of the log that people should see. */
export type RoleMessage = { id: number; value: string | undefined } | { id: number; error: Error } | { logged: string };

export interface RoleThread {
  /** Returns the address that it serves, if it serves one. */
  start(start: RoleStart): Promise<string | undefined>;
  /** For readiness: what keeps it from its work. */
  problem(): Promise<string | undefined>;
  /** In Prometheus' text format. */
  metrics(): Promise<string>;
  /** Takes nothing more, and finishes what runs. */
  stop(): Promise<void>;
  end(): Promise<void>;
}

export interface RoleThreadOptions {
  config: Config;
  log: Log;
  drainMs: number;
  /** What runs in it; the default is the role's own. */
  program?: URL;
  /** Throws by default: the process ends, and whoever looks after it starts it anew. */
  onBroken?: (error: Error) => void;
  patienceMs?: number;
}

/**
 * Starts a thread for a role. It loads its program at once, while the database opens, and works when `start` is called. Should it break, the
 * whole process ends as it would without the thread.
 */
export function createRoleThread(role: ThreadRole, options: RoleThreadOptions): RoleThread {
  const { config, log, drainMs, program = new URL(`./${role}-program.ts`, import.meta.url), onBroken = fail, patienceMs = 2_000 } = options;
  const logLevel = log.level === "silent" ? "silent" : config.logLevel;
  const workerData: RoleSettings = { config, logLevel, drainMs };
  const worker = new Worker(program, { workerData });
  const waiting = new Map<number, PromiseWithResolvers<string | undefined>>();
  const feed = feedOf(log);
  let requests = 0;
  let isEnding = false;
  worker.on("message", (message: RoleMessage) => {
    if ("logged" in message) return feed?.write(message.logged);
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if ("error" in message) asked?.reject(message.error);
    else asked?.resolve(message.value);
  });
  worker.on("error", onBroken);
  worker.on("exit", (code) => {
    if (!isEnding) onBroken(new Error(`The thread of ${role} ended by itself with code ${code}.`));
  });

  function ask(request: RoleRequest): Promise<string | undefined> {
    const asked = Promise.withResolvers<string | undefined>();
    const id = ++requests;
    waiting.set(id, asked);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage({ ...request, id } satisfies NumberedRequest);
    return asked.promise;
  }

  /** The answer, or `otherwise` when the thread is too busy for one. */
  async function askBriefly<Otherwise>(what: "problem" | "metrics", otherwise: Otherwise): Promise<string | undefined | Otherwise> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Otherwise>((resolve) => (timer = setTimeout(resolve, patienceMs, otherwise)));
    return await Promise.race([ask({ ask: what }), late]).finally(() => clearTimeout(timer));
  }

  return {
    start: (start) => ask({ ask: "start", ...start }),
    problem: () => askBriefly("problem", `the thread of ${role} has not answered for ${patienceMs / 1_000} s`),
    metrics: async () => (await askBriefly("metrics", "")) ?? "",
    stop: async () => void (await ask({ ask: "stop" })),
    async end() {
      isEnding = true;
      await worker.terminate();
    },
  };
}

function fail(error: Error): never {
  throw error;
}
