import { setTimeout as pause } from "node:timers/promises";
import { Client, Pool, type ClientConfig, type QueryConfig } from "pg";

// For other workspaces, which know the database through this one only.
export type { Pool, PoolClient } from "pg";

export interface PoolOptions {
  max?: number;
  applicationName?: string;
  /** A statement that runs longer is ended: a hanging database answers 503 instead of holding sockets. */
  statementTimeoutMs?: number;
  /** Usually short: who waits for an answer hears soon that the database is away. */
  connectTimeoutMs?: number;
  /** Statements are sent without waiting for the answers of those before; see `inPipelinedTransaction`. */
  pipeline?: boolean;
}

/**
 * A pipelined transaction is sent whole: a pause inside it means that its sender is cut off, and whoever goes on with its work waits for its locks.
 */
const longestPauseMs = 10_000;
/** Of what no one waits for: a start, tests and benchmarks, however busy the machine is. */
export const patientConnectTimeoutMs = 60_000;

/** Prepares a statement that has a name, and writes the name at the head of its text, where the server's own views and logs show it. */
class NamingClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    const send = this.query.bind(this) as (statement: unknown, ...rest: unknown[]) => unknown;
    this.query = ((statement: unknown, ...rest: unknown[]) => send(withNameInText(statement), ...rest)) as typeof this.query;
  }
}

function withNameInText(statement: unknown): unknown {
  const { name, text } = statement as Partial<QueryConfig>;
  return name !== undefined && text !== undefined ? { ...(statement as QueryConfig), text: `/* ${name} */ ${text}` } : statement;
}

/** `url` with another database name. */
export function databaseUrl(url: string, database: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/]*)\/[^?]*/, `$1/${encodeURIComponent(database)}`);
}

/** Connections are made on first use; a broken idle connection is dropped silently and the next query opens a new one. */
export function createPool(url: string, options: PoolOptions = {}): Pool {
  const pool = new Pool({
    Client: NamingClient,
    connectionString: url,
    max: options.max ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 3_000,
    idleTimeoutMillis: 30_000,
    // A database whose machine is gone without a word is noticed on connections that only listen, too.
    keepAlive: true,
    keepAliveInitialDelayMillis: 15_000,
    application_name: options.applicationName ?? "busbar",
    ...(options.pipeline ? { pipeline: true, idle_in_transaction_session_timeout: longestPauseMs } : {}),
    ...(options.statementTimeoutMs
      ? { statement_timeout: options.statementTimeoutMs, query_timeout: options.statementTimeoutMs + 1_000 }
      : {}),
  });
  // An idle connection that breaks is the pool's.
  pool.on("error", () => undefined);
  // One that someone holds may break between two statements; the next one rejects. Without a listener the process would end.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

/** Ends the pool; what someone holds and does not give back is left behind after a while. */
export async function endPool(pool: Pool, patienceMs: number): Promise<void> {
  const late = new AbortController();
  const ended = pool.end().finally(() => late.abort());
  await Promise.race([ended, pause(patienceMs, undefined, { signal: late.signal }).catch(() => undefined)]);
}
