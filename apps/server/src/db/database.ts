import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "#lib/log.ts";
import { claimDataFolder } from "./data-folder.ts";
import { ReadOnlyReplica } from "./database-problem.ts";
import { bootPostgres } from "./embedded-postgres.ts";
import { createPool, databaseUrl } from "./pool.ts";
import { findRunningPostgres } from "./running-postgres.ts";

export interface Database {
  url: string;
  /** Stops the embedded server; an external one stays up. */
  stop(graceMs?: number): Promise<void>;
}

export interface OpenOptions {
  databaseUrl: string | undefined;
  dataDir: string;
  log: Log;
  /** For the embedded server. */
  settings?: Record<string, string>;
  /** How long the database may take to answer, such as when it starts with the machine, or the machine is busy. */
  patienceMs?: number;
}

const databaseName = "busbar";
/** Where the embedded database is. */
export const postgresFolder = (dataDir: string): string => join(dataDir, "postgres");
const oldestVersion = 15;

/** The external database when one is named, else an embedded one in the data folder. */
export async function openDatabase({
  databaseUrl: externalUrl,
  dataDir,
  log,
  settings,
  patienceMs = 30_000,
}: OpenOptions): Promise<Database> {
  if (externalUrl !== undefined) {
    await refuseUnusable(externalUrl, patienceMs, log);
    return { url: externalUrl, stop: () => Promise.resolve() };
  }
  claimDataFolder(dataDir);
  const postgres = await bootPostgres({ dataDir: postgresFolder(dataDir), log, settings });
  try {
    await createIfAbsent(postgres.url, patienceMs, log);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return { url: postgres.databaseUrl(databaseName), stop: (graceMs) => postgres.stop(graceMs) };
}

/** For a command beside a running program: its database when it runs, else as `openDatabase`. */
export async function joinDatabase(options: OpenOptions): Promise<Database> {
  const running = options.databaseUrl === undefined ? findRunningPostgres(postgresFolder(options.dataDir)) : undefined;
  return running === undefined ? openDatabase(options) : { url: databaseUrl(running, databaseName), stop: () => Promise.resolve() };
}

async function createIfAbsent(url: string, patienceMs: number, log: Log): Promise<void> {
  const pool = createPool(url, { max: 1 });
  try {
    const exists = () => pool.query("select 1 from pg_database where datname = $1", [databaseName]);
    const { rowCount } = await untilAnswered(exists, { name: "The embedded database", patienceMs, log });
    if (rowCount === 0) await pool.query(`create database ${databaseName}`);
  } finally {
    await pool.end();
  }
}

async function refuseUnusable(url: string, patienceMs: number, log: Log): Promise<void> {
  const pool = createPool(url, { max: 1 });
  try {
    const ask = async () => {
      const { rows } = await pool.query<{ version: number; isReplica: boolean }>(
        `select current_setting('server_version_num')::int as version, pg_is_in_recovery() as "isReplica"`,
      );
      // It may become the primary at this moment.
      if (rows[0]?.isReplica) throw new ReadOnlyReplica();
      return rows[0]?.version ?? 0;
    };
    const version = await untilAnswered(ask, { name: "DATABASE_URL", patienceMs, log });
    if (version < oldestVersion * 10_000) {
      throw new Error(`DATABASE_URL is a PostgreSQL ${Math.floor(version / 10_000)}; this program needs ${oldestVersion} or newer.`);
    }
  } finally {
    await pool.end();
  }
}

async function untilAnswered<Answer>(
  ask: () => Promise<Answer>,
  { name, patienceMs, log }: { name: string; patienceMs: number; log: Log },
): Promise<Answer> {
  const giveUpAt = performance.now() + patienceMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const { message } = error as Error;
      if (performance.now() > giveUpAt && error instanceof ReadOnlyReplica)
        throw new Error(`${name} leads to a read-only replica; it must lead to the primary.`, { cause: error });
      // The address itself is never in a message: it holds a password.
      if (performance.now() > giveUpAt) throw new Error(`${name} cannot be reached: ${message || "no answer"}`, { cause: error });
      log.info("waiting for the database");
      await pause(500);
    }
  }
}
