import { spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createPool, databaseUrl, patientConnectTimeoutMs, type Pool } from "@busbar/server/db/pool.ts";
import type { UndoStack } from "@busbar/server/undo-stack.ts";
import { embeddedUrl, socketFolder } from "@busbar/server/db/postgres-folder.ts";

export interface ServerProcess {
  pid: number;
  /** `health`: of a process that serves nothing else. */
  urls: { console: string; mqtt: string; health: string };
  /** From the start of the process until it said that it is ready. */
  readyMs: number;
  /** Warnings and errors that it logged. */
  complaints(): string[];
  stop(): Promise<void>;
  /** As a crash: no word before. */
  kill(): Promise<void>;
}

export interface ServerProcessOptions {
  dataDir: string;
  /** Takes the stop, before anything can go wrong. */
  undo: UndoStack;
  env?: Record<string, string>;
  profileDir?: string | undefined;
  /** All of them without it. */
  roles?: string;
  /** Takes each line of its log. */
  hear?: (entry: LogLine) => void;
}

const program = fileURLToPath(import.meta.resolve("@busbar/server/main.ts"));
const maxComplaints = 50;
const warnLevel = 40;

/** Runs the real program, with its embedded database, in a process of its own on free ports. */
export async function startServerProcess({
  dataDir,
  undo,
  env = {},
  profileDir,
  roles,
  hear,
}: ServerProcessOptions): Promise<ServerProcess> {
  const profile = profileDir === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${resolve(profileDir)}`];
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...profile, program, ...(roles === undefined ? [] : ["--roles", roles])], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0", V2_PORT: "0", MQTT_PORT: "0", LOG_LEVEL: "info", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A group of its own: Ctrl-C reaches the benchmark only, which then stops it.
    detached: true,
  });
  const complaints: string[] = [];
  const complain = (text: string) => {
    if (complaints.length < maxComplaints) complaints.push(text);
  };
  child.stderr.on("data", (chunk: Buffer) => complain(chunk.toString().trim()));
  const exited = once(child, "exit") as Promise<[number | null, string | null]>;
  const stop = async () => {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
    await exited;
    clearTimeout(timer);
  };
  undo.add(stop);

  const ready = new Promise<{ console?: string; mqtt?: string; health?: string }>((done, fail) => {
    createInterface(child.stdout).on("line", (line) => {
      const entry = readLogLine(line);
      if (entry === undefined) return;
      hear?.(entry);
      if (entry.level >= warnLevel) complain(line);
      if (entry.msg === "ready") done(entry);
    });
    void exited.then(([code]) => fail(new Error(`The server ended with code ${code} before it was ready: ${complaints.join(" ")}`)));
  });
  const urls = await ready;
  return {
    pid: child.pid ?? 0,
    urls: { console: urls.console ?? "", mqtt: urls.mqtt ?? "", health: urls.health ?? "" },
    readyMs: performance.now() - startedAt,
    complaints: () => complaints,
    stop,
    async kill() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}

export interface LogLine {
  level: number;
  msg: string;
  console?: string;
  mqtt?: string;
  health?: string;
  /** Of a client that was refused. */
  address?: string;
  /** Of an end: how many proxies were shown it, and whether they came no more. */
  proxies?: number;
  isQuiet?: boolean;
}

function readLogLine(line: string): LogLine | undefined {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined; // not every line of a dying process is whole
  }
}

/** The pool of the database that a server process runs in its data folder. */
export function openServerDatabase(dataDir: string, max = 4): Pool {
  return createPool(databaseUrl(embeddedUrl(socketFolder(join(resolve(dataDir), "postgres"))), "busbar"), {
    max,
    applicationName: "busbar bench",
    connectTimeoutMs: patientConnectTimeoutMs,
  });
}

export const postgresFolder = (dataDir: string): string => join(resolve(dataDir), "postgres");
