import { Worker } from "node:worker_threads";
import type { Config } from "./config.ts";
import { feedOf } from "#lib/log-feed.ts";
import type { Log } from "#lib/log.ts";

/** Given to the thread when it is made. */
export interface IngestSettings {
  config: Config;
  logLevel: string;
  drainMs: number;
}

export type IngestQuestion = { id: number } & ({ ask: "start"; databaseUrl: string } | { ask: "problem" | "metrics" | "stop" });

/** The answer to a question, or a line of the log that people should see. */
export type IngestMessage = { id: number; value: string | undefined } | { id: number; error: Error } | { logged: string };

export interface IngestThread {
  /** Returns the address for nodes. */
  start(databaseUrl: string): Promise<string>;
  /** For readiness: what keeps telemetry from being stored. */
  problem(): Promise<string | undefined>;
  /** In Prometheus' text format. */
  metrics(): Promise<string>;
  /** Takes nothing more, and stores what came in. */
  stop(): Promise<void>;
  end(): Promise<void>;
}

const patienceMs = 2_000;

/**
 * Starts a thread for broker and ingest. It loads its program at once, while the database opens, and listens when `start` is called. Should it
 * break, the whole process ends as it would without the thread: whoever looks after the process starts it anew.
 */
export function createIngestThread({ config, log, drainMs }: { config: Config; log: Log; drainMs: number }): IngestThread {
  const logLevel = log.level === "silent" ? "silent" : config.logLevel;
  const workerData: IngestSettings = { config, logLevel, drainMs };
  const worker = new Worker(new URL("./ingest-program.ts", import.meta.url), { workerData });
  const waiting = new Map<number, PromiseWithResolvers<string | undefined>>();
  const feed = feedOf(log);
  let questions = 0;
  worker.on("message", (message: IngestMessage) => {
    if ("logged" in message) return feed?.write(message.logged);
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if ("error" in message) asked?.reject(message.error);
    else asked?.resolve(message.value);
  });
  worker.on("error", (error) => {
    throw error;
  });

  function ask(question: { ask: "start"; databaseUrl: string } | { ask: "problem" | "metrics" | "stop" }): Promise<string | undefined> {
    const asked = Promise.withResolvers<string | undefined>();
    const id = ++questions;
    waiting.set(id, asked);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage({ ...question, id } satisfies IngestQuestion);
    return asked.promise;
  }

  /** The answer, or `otherwise` when the thread is too busy for one. */
  async function askBriefly<Otherwise>(what: "problem" | "metrics", otherwise: Otherwise): Promise<string | undefined | Otherwise> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Otherwise>((resolve) => (timer = setTimeout(resolve, patienceMs, otherwise)));
    return await Promise.race([ask({ ask: what }), late]).finally(() => clearTimeout(timer));
  }

  return {
    start: async (databaseUrl) => (await ask({ ask: "start", databaseUrl }))!,
    problem: () => askBriefly("problem", `telemetry has not answered for ${patienceMs / 1_000} s`),
    metrics: async () => (await askBriefly("metrics", "")) ?? "",
    stop: async () => void (await ask({ ask: "stop" })),
    end: async () => void (await worker.terminate()),
  };
}
