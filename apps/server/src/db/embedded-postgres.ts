import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { Log } from "#lib/log.ts";
import { embeddedPostgresBinaries } from "./postgres-binaries.ts";
import { databaseUrl } from "./pool.ts";
import { choosePostgresUser } from "./postgres-user.ts";
import type { PostgresUser } from "./postgres-user.ts";
import { acquireProcessLock, isProcess } from "./process-lock.ts";

export interface EmbeddedPostgres {
  url: string;
  databaseUrl(name: string): string;
  mode: "started" | "attached";
  pid: number;
  stop(): Promise<void>;
}

export interface BootOptions {
  dataDir: string;
  log: Log;
  settings?: Record<string, string>;
}

const supportedMajor = "18";
const durable = { data_sync_retry: "off", fsync: "on", full_page_writes: "on", synchronous_commit: "on" };

/**
 * Runs a real PostgreSQL on a private unix socket. Only one living process may use a data folder; a server that a killed
 * process left behind is adopted.
 */
export async function bootPostgres(options: BootOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  refuseForeignFolder(dataDir);
  const binaries = embeddedPostgresBinaries();
  const releaseLock = prepareFolder(dataDir);
  try {
    const user = choosePostgresUser(dataDir, binaries);
    const socketDir = join(tmpdir(), `busbar-${createHash("sha256").update(dataDir).digest("hex").slice(0, 12)}`);
    for (const folder of [socketDir, dataDir]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (user.ids) chownSync(folder, user.ids.uid, user.ids.gid);
    }
    const url = `postgresql://postgres@/postgres?host=${encodeURIComponent(socketDir)}`;
    const finish = (pid: number, mode: "started" | "attached", exited: Promise<unknown>): EmbeddedPostgres => ({
      url,
      databaseUrl: (name) => databaseUrl(url, name),
      mode,
      pid,
      async stop() {
        signal(pid, "SIGINT");
        await exited;
        releaseLock();
      },
    });

    const left = await findLeftServer(dataDir);
    if (left !== undefined) {
      options.log.info({ pid: left }, "adopting the PostgreSQL that an earlier process left running");
      return finish(left, "attached", Promise.resolve().then(() => processEnd(left)));
    }
    if (!existsSync(join(dataDir, "PG_VERSION"))) await initialise(binaries, dataDir, user);
    removeStaleSocket(socketDir);
    const settings = {
      listen_addresses: "",
      unix_socket_directories: socketDir,
      unix_socket_permissions: "0700",
      max_connections: "100",
      shared_buffers: "256MB",
      max_wal_size: "2GB",
      wal_compression: "on",
      ...durable,
      ...options.settings,
    };
    const child = launch(join(binaries, "postgres"), ["-D", dataDir, ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`])], user);
    const exited = new Promise((done) => child.once("exit", done));
    await waitUntilReady(child);
    return finish(child.pid as number, "started", exited);
  } catch (error) {
    releaseLock();
    throw error;
  }
}

function refuseForeignFolder(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  const version = join(dataDir, "PG_VERSION");
  let names: string[];
  try {
    names = readdirSync(dataDir);
  } catch (error) {
    throw new Error(`The data folder ${dataDir} cannot be read: ${(error as Error).message}`);
  }
  if (existsSync(version)) {
    const major = readFileSync(version, "utf8").trim();
    if (major !== supportedMajor) throw new Error(`The data folder ${dataDir} holds a PostgreSQL ${major} database; this version needs ${supportedMajor}.`);
  } else if (names.length > 0) {
    throw new Error(`The data folder ${dataDir} is not empty and holds no database of ours (found ${names[0]}). Choose another DATA_DIR.`);
  }
}

function prepareFolder(dataDir: string): () => void {
  const parent = dirname(dataDir);
  try {
    mkdirSync(parent, { recursive: true });
    return acquireProcessLock(`${dataDir}.lock`, `The data folder ${parent}`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EROFS" || code === "ENOTDIR" || code === "EEXIST") {
      throw new Error(`The data folder ${parent} cannot be written: ${(error as Error).message}`);
    }
    throw error;
  }
}

/** Pid of a running server on this folder; removes the pid file of a dead one. */
async function findLeftServer(dataDir: string): Promise<number | undefined> {
  const pidFile = join(dataDir, "postmaster.pid");
  for (;;) {
    if (!existsSync(pidFile)) return undefined;
    const lines = readFileSync(pidFile, "utf8").split("\n");
    const pid = Number(lines[0]);
    // After a restart of the machine the number may belong to another program.
    if (!isProcess(pid, "postgres")) {
      rmSync(pidFile, { force: true });
      return undefined;
    }
    const status = (lines[7] ?? "").trim();
    if (status === "ready") return pid;
    await pause(50);
  }
}

async function initialise(binaries: string, dataDir: string, user: PostgresUser): Promise<void> {
  const child = launch(
    join(binaries, "initdb"),
    ["-D", dataDir, "-U", "postgres", "-A", "trust", "--encoding=UTF8", "--locale=C.UTF-8", "--data-checksums", "--no-instructions"],
    user,
  );
  const output = collect(child);
  const code = await new Promise((done) => child.once("exit", done));
  if (code !== 0) throw new Error(`The database could not be created in ${dataDir}: ${output().trim().split("\n").at(-1)}`);
}

function removeStaleSocket(socketDir: string): void {
  const lock = join(socketDir, ".s.PGSQL.5432.lock");
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, "utf8").split("\n")[0]);
  if (isProcess(pid, "postgres")) return;
  rmSync(lock, { force: true });
  rmSync(join(socketDir, ".s.PGSQL.5432"), { force: true });
}

// Detached: a Ctrl-C in the terminal reaches us only, and we stop the database last.
function launch(program: string, args: string[], user: PostgresUser): ChildProcess {
  const [command = program, ...rest] = [...user.prefix, program, ...args];
  return spawn(command, rest, { ...user.ids, stdio: ["ignore", "ignore", "pipe"], detached: true, env: { ...process.env, LC_ALL: "C.UTF-8", TZ: "UTC" } });
}

function collect(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-4_000);
  });
  return () => text;
}

async function waitUntilReady(child: ChildProcess): Promise<void> {
  const output = collect(child);
  const ready = await new Promise<boolean>((done) => {
    child.stderr?.on("data", () => {
      if (output().includes("ready to accept connections")) done(true);
    });
    child.once("error", () => done(false));
    child.once("exit", () => done(false));
  });
  if (!ready) throw new Error(`PostgreSQL did not start: ${output().trim().split("\n").slice(-3).join(" ") || "no message"}`);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function processEnd(pid: number): Promise<void> {
  while (isProcess(pid, "postgres")) await pause(50);
}

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));
