import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Log } from "#lib/log.ts";
import type { PostgresUser } from "./postgres-user.ts";
import { worksIn } from "./process-lock.ts";

export interface PostgresProcess {
  pid: number;
  /** Resolves when it has ended, for whatever reason. */
  exited: Promise<unknown>;
}

/** Makes an empty database in the folder. */
export async function initialise(binaries: string, dataDir: string, user: PostgresUser): Promise<void> {
  const child = launch(
    join(binaries, "initdb"),
    ["-D", dataDir, "-U", "postgres", "-A", "trust", "--encoding=UTF8", "--locale=C.UTF-8", "--data-checksums", "--no-instructions"],
    user,
  );
  const output = collect(child);
  const code = await new Promise((done) => child.once("close", done).once("error", done));
  if (code !== 0) throw new Error(`The database could not be created in ${dataDir}: ${lastLines(output()) || String(code)}`);
}

/** Starts the server and waits until it takes connections, recovery included. */
export async function startProcess(
  binaries: string,
  dataDir: string,
  settings: Record<string, string>,
  user: PostgresUser,
  log: Log,
): Promise<PostgresProcess> {
  removeStaleSocket(settings["unix_socket_directories"] ?? "", dataDir);
  const child = launch(
    join(binaries, "postgres"),
    ["-D", dataDir, ...Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`])],
    user,
  );
  const exited = new Promise((done) => child.once("exit", done).once("error", done));
  const output = collect(child);
  const isReady = await new Promise<boolean>((done) => {
    child.stderr?.on("data", () => {
      if (/ready to accept (read-only )?connections/.test(output())) done(true);
    });
    child.once("close", () => done(false)).once("error", () => done(false));
  });
  if (!isReady) throw new Error(`PostgreSQL did not start: ${lastLines(output()) || "no message"}`);
  child.stderr?.on("data", (chunk: Buffer) => {
    for (const line of chunk.toString().split("\n"))
      if (/ (?:PANIC|FATAL): (?! *terminating connection due to administrator command)/.test(line))
        log.warn({ postgres: line }, "message of the database");
  });
  return { pid: child.pid as number, exited };
}

/**
 * The server that an earlier process left running on this folder; the pid file of a dead one is removed.
 * @returns undefined when there is none
 */
export async function findLeftProcess(dataDir: string, waitMs = 60_000): Promise<(PostgresProcess & { socketDir: string }) | undefined> {
  const pidFile = join(dataDir, "postmaster.pid");
  for (const giveUpAt = performance.now() + waitMs; performance.now() < giveUpAt; await pause(50)) {
    if (!existsSync(pidFile)) return undefined;
    const lines = readFileSync(pidFile, "utf8").split("\n");
    const pid = Number(lines[0]);
    // After a restart of the machine the number may belong to another program.
    if (!worksIn(pid, dataDir)) {
      rmSync(pidFile, { force: true });
      return undefined;
    }
    if (lines[7]?.trim() === "ready") return { pid, exited: processEnd(pid, dataDir), socketDir: lines[4] ?? "" };
  }
  throw new Error(`The database in ${dataDir} is neither up nor down after ${waitMs / 1000} s. Look for its process in ${pidFile}.`);
}

/** Ends the server, clients or not; after `graceMs` without its last checkpoint (the next start recovers). */
export async function endProcess({ pid, exited }: PostgresProcess, graceMs: number): Promise<void> {
  signal(pid, "SIGINT");
  const timer = setTimeout(() => signal(pid, "SIGQUIT"), graceMs);
  await exited;
  clearTimeout(timer);
}

function removeStaleSocket(socketDir: string, dataDir: string): void {
  const lock = join(socketDir, ".s.PGSQL.5432.lock");
  if (!existsSync(lock)) return;
  const pid = Number(readFileSync(lock, "utf8").split("\n")[0]);
  // The folder is ours alone and no server works on our data: a living process of this number is another program.
  if (worksIn(pid, dataDir)) return;
  rmSync(lock, { force: true });
  rmSync(join(socketDir, ".s.PGSQL.5432"), { force: true });
}

// Detached: a Ctrl-C in the terminal reaches us only, and we stop the database last.
function launch(program: string, args: string[], user: PostgresUser): ChildProcess {
  const [command = program, ...rest] = [...user.prefix, program, ...args];
  return spawn(command, rest, {
    ...user.ids,
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
    env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", TZ: "UTC" },
  });
}

function collect(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-4_000);
  });
  return () => text;
}

const lastLines = (text: string): string => text.trim().split("\n").slice(-3).join(" ");

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function processEnd(pid: number, dataDir: string): Promise<void> {
  while (worksIn(pid, dataDir)) await pause(200);
}
