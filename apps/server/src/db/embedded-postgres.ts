import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "#lib/log.ts";
import { embeddedPostgresBinaries } from "./postgres-binaries.ts";
import { embeddedUrl, lockFolder, makePrivateFolder, refuseForeignFolder, socketFolder } from "./postgres-folder.ts";
import { endProcess, findLeftProcess, initialise, startProcess, type PostgresProcess } from "./postgres-process.ts";
import { databaseUrl } from "./pool.ts";
import { choosePostgresUser, type PostgresUser } from "./postgres-user.ts";

export interface EmbeddedPostgres {
  url: string;
  databaseUrl(name: string): string;
  mode: "started" | "attached";
  readonly pid: number;
  /** Stops the server, waiting up to `graceMs` for its last checkpoint. */
  stop(graceMs?: number): Promise<void>;
}

export interface BootOptions {
  dataDir: string;
  log: Log;
  settings?: Record<string, string>;
}

const durable = { fsync: "on", full_page_writes: "on", synchronous_commit: "on" };
const firstRestartDelayMs = 200;
const maxRestartDelayMs = 5_000;

/**
 * Runs a real PostgreSQL on a private unix socket. Only one living process may use a data folder; a server that a killed
 * process left behind is adopted, one that dies is started again.
 */
export async function bootPostgres({ dataDir: folder, log, settings }: BootOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(folder);
  const binaries = embeddedPostgresBinaries();
  const releaseLock = lockFolder(dataDir);
  try {
    // Not before it is ours alone: another copy may be filling it at this moment.
    refuseForeignFolder(dataDir);
    const user = choosePostgresUser(dataDir, binaries);
    const socketDir = socketFolder(dataDir);
    const start = async () => {
      makePrivateFolder(socketDir, user);
      return startProcess(binaries, dataDir, { ...serverSettings(socketDir), ...settings }, user, log);
    };
    let server: PostgresProcess;
    const left = await findLeftProcess(dataDir);
    const isAdopted = left !== undefined && left.socketDir === socketDir && existsSync(join(socketDir, ".s.PGSQL.5432"));
    if (isAdopted) {
      log.info({ pid: left.pid }, "adopting the database server that an earlier process left running");
      server = left;
    } else {
      // Without its socket no one can talk to it any more.
      if (left) await endProcess(left, 30_000);
      makePrivateFolder(dataDir, user);
      if (!existsSync(join(dataDir, "PG_VERSION"))) await makeDatabase(binaries, dataDir, user);
      server = await start();
    }

    const stopping = new AbortController();
    const supervised = keepRunning(
      () => server.exited,
      async () => (server = await start()),
      stopping.signal,
      log,
    );
    const url = embeddedUrl(socketDir);
    return {
      url,
      databaseUrl: (name) => databaseUrl(url, name),
      mode: isAdopted ? "attached" : "started",
      get pid() {
        return server.pid;
      },
      async stop(graceMs = 30_000) {
        stopping.abort();
        const running = server;
        await endProcess(running, graceMs);
        await supervised;
        // It may just have been started again.
        if (server !== running) await endProcess(server, graceMs);
        rmSync(socketDir, { recursive: true, force: true });
        releaseLock();
      },
    };
  } catch (error) {
    releaseLock();
    throw error;
  }
}

// Made beside its place and moved there when it is whole: a start that is killed meanwhile leaves nothing that looks like a database.
async function makeDatabase(binaries: string, dataDir: string, user: PostgresUser): Promise<void> {
  const unfinished = `${basename(dataDir)}.unfinished-`;
  const removeUnfinished = () => {
    for (const name of readdirSync(dirname(dataDir)))
      if (name.startsWith(unfinished)) rmSync(join(dirname(dataDir), name), { recursive: true, force: true, maxRetries: 10 });
  };
  removeUnfinished();
  const folder = join(dirname(dataDir), unfinished + randomUUID());
  makePrivateFolder(folder, user);
  try {
    await initialise(binaries, folder, user);
    renameSync(folder, dataDir);
  } finally {
    // Also what the program that a killed start left behind has written since.
    removeUnfinished();
  }
}

function serverSettings(socketDir: string): Record<string, string> {
  return {
    listen_addresses: "",
    unix_socket_directories: socketDir,
    unix_socket_permissions: "0700",
    max_connections: "100",
    shared_buffers: "256MB",
    max_wal_size: "2GB",
    wal_compression: "on",
    ...durable,
  };
}

// Backends of a killed server hold its shared memory for a moment: the first attempts may be refused.
async function keepRunning(
  exited: () => Promise<unknown>,
  restart: () => Promise<unknown>,
  stopping: AbortSignal,
  log: Log,
): Promise<void> {
  let delayMs = firstRestartDelayMs;
  for (;;) {
    await exited();
    if (stopping.aborted) return;
    log.error("the database server ended by itself; starting it again");
    for (let isUp = false; !isUp && !stopping.aborted;) {
      try {
        await restart();
        isUp = true;
        delayMs = firstRestartDelayMs;
      } catch (error) {
        log.error({ err: error, delayMs }, "the database server does not start");
        await pause(delayMs, undefined, { signal: stopping }).catch(() => undefined);
        delayMs = Math.min(delayMs * 2, maxRestartDelayMs);
      }
    }
    if (stopping.aborted) return;
  }
}
