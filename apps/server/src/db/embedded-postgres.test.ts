import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { silentLog, type Log } from "#lib/log.ts";
import { claimDataFolder } from "./data-folder.ts";
import { databaseProblem } from "./database-problem.ts";
import { joinDatabase, openDatabase } from "./database.ts";
import { bootPostgres } from "./embedded-postgres.ts";
import { inPipelinedTransaction } from "./pipelined-transaction.ts";
import { createPool } from "./pool.ts";
import { socketFolder } from "./postgres-folder.ts";
import { inTransaction } from "./transaction.ts";

const program = fileURLToPath(new URL("../testing/boot-child.ts", import.meta.url));

interface Said {
  mode?: "started" | "attached";
  pid?: number;
  url?: string;
  error?: string;
}

let folder: string;
let children: ChildProcess[];
const databases = new Set<number>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "busbar-pg-"));
  await chmod(folder, 0o755);
  children = [];
});
afterEach(async () => {
  for (const child of children) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  for (const pid of databases) await end(pid, "SIGQUIT");
  databases.clear();
  await rm(folder, { recursive: true, force: true });
});

async function end(pid: number, signal: NodeJS.Signals): Promise<void> {
  if (isRunning(pid)) process.kill(pid, signal);
  await vi.waitUntil(() => !isRunning(pid));
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}/cwd`) && process.kill(pid, 0);
}

async function boot(dataDir: string): Promise<{ child: ChildProcess; said: Said }> {
  const child = spawn(process.execPath, [program, dataDir], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), "line"), once(child, "exit")])) as [string];
  const said = JSON.parse(line) as Said;
  if (said.pid) databases.add(said.pid);
  return { child, said };
}

async function query(url: string, text: string): Promise<unknown[]> {
  const pool = createPool(url, { max: 1 });
  try {
    return (await pool.query<Record<string, unknown>>(text)).rows;
  } finally {
    await pool.end();
  }
}

test("a stopped copy leaves neither process nor lock nor socket", async () => {
  const dataDir = join(folder, "postgres");
  const { child, said } = await boot(dataDir);
  expect(said.mode).toBe("started");
  expect(await query(said.url!, "show data_checksums")).toEqual([{ data_checksums: "on" }]);
  child.kill("SIGTERM");
  await once(child, "exit");
  expect(isRunning(said.pid!)).toBe(false);
  expect(existsSync(`${dataDir}.lock`)).toBe(false);
  expect(existsSync(join(dataDir, "postmaster.pid"))).toBe(false);
});

test("a server left by a killed parent is adopted with its data, and stopped by its adopter", async () => {
  const dataDir = join(folder, "postgres");
  const first = await boot(dataDir);
  await query(first.said.url!, "create table kept as select 42 as answer");
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  expect(isRunning(first.said.pid!)).toBe(true);

  const second = await boot(dataDir);
  expect(second.said).toMatchObject({ mode: "attached", pid: first.said.pid });
  expect(await query(second.said.url!, "select answer from kept")).toEqual([{ answer: 42 }]);
  second.child.kill("SIGTERM");
  await once(second.child, "exit");
  // Its end is collected by the machine's first process, when that comes to it.
  await vi.waitFor(() => expect(isRunning(first.said.pid!)).toBe(false));
});

test("a database that does not answer at once, as on a busy machine, is waited for", async () => {
  claimDataFolder(folder);
  const { child, said } = await boot(join(folder, "postgres"));
  child.kill("SIGKILL");
  await once(child, "exit");
  // It takes connections a moment before its file says so.
  await vi.waitUntil(
    () =>
      readFileSync(join(folder, "postgres", "postmaster.pid"), "utf8")
        .split("\n")[7]
        ?.trim() === "ready",
  );
  process.kill(said.pid!, "SIGSTOP");
  const goOn = vi.fn<() => void>(() => void process.kill(said.pid!, "SIGCONT"));
  const log = { ...silentLog, info: (words: unknown) => void (words === "waiting for the database" && goOn()) } as unknown as Log;
  const database = await openDatabase({ databaseUrl: undefined, dataDir: folder, log }).finally(goOn);
  expect(goOn).toHaveBeenCalledTimes(2);
  expect(await query(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
  // A command beside it works on the same one, and leaves it running.
  const joined = await joinDatabase({ databaseUrl: undefined, dataDir: folder, log: silentLog });
  expect(joined.url).toBe(database.url);
  await joined.stop();
  expect(await query(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await database.stop();
});

test("two starts at the same moment: one runs, the other is refused by name", async () => {
  const dataDir = join(folder, "postgres");
  const both = await Promise.all([boot(dataDir), boot(dataDir)]);
  const started = both.filter(({ said }) => said.mode === "started");
  const refused = both.filter(({ said }) => said.error);
  expect([started.length, refused.length]).toEqual([1, 1]);
  expect(refused[0]!.said.error).toBe(
    `The data folder ${folder} is in use by another running copy (process ${started[0]!.child.pid}). Stop it, or set DATA_DIR to another folder.`,
  );
});

test("a start that is killed while it makes the database is made up for by the next one", async () => {
  const dataDir = join(folder, "postgres");
  const unfinished = async () => (await readdir(folder)).filter((name) => name.includes("unfinished"));
  const first = spawn(process.execPath, [program, dataDir], { stdio: "ignore" });
  const ended = once(first, "exit");
  await vi.waitUntil(async () => (await unfinished()).length > 0, { interval: 10 });
  first.kill("SIGKILL");
  await ended;
  expect(existsSync(join(dataDir, "PG_VERSION"))).toBe(false);

  const { said } = await boot(dataDir);
  expect(said.mode).toBe("started");
  expect(await unfinished()).toEqual([]);
});

test("a database that is killed comes back by itself with its data; left without its socket it is ended, and started anew", async () => {
  const dataDir = join(folder, "postgres");
  const { child, said } = await boot(dataDir);
  await query(said.url!, "create table kept as select 42 as answer");
  process.kill(said.pid!, "SIGKILL");
  const back = await vi.waitUntil(() => query(said.url!, "select answer from kept").catch(() => undefined), { interval: 100 });
  expect(back).toEqual([{ answer: 42 }]);
  const pidFile = join(dataDir, "postmaster.pid");
  // It takes connections a moment before its file says so.
  const left = await vi.waitUntil(() => {
    const lines = readFileSync(pidFile, "utf8").split("\n");
    return lines[7]?.trim() === "ready" && Number(lines[0]);
  });
  databases.add(left);
  child.kill("SIGKILL");
  await once(child, "exit");
  await rm(join(socketFolder(dataDir), ".s.PGSQL.5432"));
  const next = await boot(dataDir);
  expect([next.said.mode, isRunning(left)]).toEqual(["started", false]);
  expect(await query(next.said.url!, "select answer from kept")).toEqual([{ answer: 42 }]);
  next.child.kill("SIGTERM");
  await once(next.child, "exit");
  expect(existsSync(pidFile)).toBe(false);
});

test("pid file, socket lock and our lock of dead processes are recognised, also when their number lives on", async () => {
  const dataDir = join(folder, "postgres");
  const first = await boot(dataDir);
  const pidFile = await readFile(join(dataDir, "postmaster.pid"), "utf8");
  process.kill(first.child.pid!, "SIGKILL");
  await once(first.child, "exit");
  await end(first.said.pid!, "SIGQUIT");
  // This test's own process has the number now, as after a restart of the machine.
  await writeFile(join(dataDir, "postmaster.pid"), pidFile.replace(/^\d+/, String(process.pid)));
  await writeFile(`${dataDir}.lock`, `${process.pid} 1`);

  const second = await boot(dataDir);
  expect(second.said.mode).toBe("started");
});

test("a folder that no one else can enter works too", async () => {
  await chmod(folder, 0o700);
  const { child, said } = await boot(join(folder, "inside", "postgres"));
  expect(said.mode).toBe("started");
  child.kill("SIGTERM");
  await once(child, "exit");
});

describe("refused in one sentence that names the folder", () => {
  const start = (dataDir: string) => bootPostgres({ dataDir, log: silentLog });

  test("someone else's folder", async () => {
    await writeFile(join(folder, "letters.txt"), "");
    await expect(start(folder)).rejects.toThrow(
      `The data folder ${folder} is not empty and holds no database of ours (found letters.txt). Choose another DATA_DIR.`,
    );
    // Another copy may have it.
    expect(existsSync(`${folder}.lock`)).toBe(false);
  });

  test("another major version", async () => {
    await writeFile(join(folder, "PG_VERSION"), "14\n");
    await expect(start(folder)).rejects.toThrow(`The data folder ${folder} holds a PostgreSQL 14 database; this version needs 18.`);
  });

  test("a file in the way", async () => {
    await writeFile(join(folder, "file"), "");
    await expect(start(join(folder, "file", "postgres"))).rejects.toThrow(`The data folder ${join(folder, "file")} cannot be written`);
  });

  test("a folder that cannot be made", async () => {
    await expect(start("/sys/busbar/postgres")).rejects.toThrow("The data folder /sys/busbar cannot be written");
  });
});

test("a read-only replica as DATABASE_URL is refused with a sentence, and what it refuses to write ends the connection", async () => {
  const dataDir = join(folder, "replica");
  const primary = await bootPostgres({ dataDir, log: silentLog });
  await primary.stop();
  // Without a primary it stays one.
  await writeFile(join(dataDir, "standby.signal"), "");
  const replica = await bootPostgres({ dataDir, log: silentLog });
  const pool = createPool(replica.url, { max: 1 });
  try {
    await expect(openDatabase({ databaseUrl: replica.url, dataDir: folder, log: silentLog, patienceMs: 0 })).rejects.toThrow(
      "DATABASE_URL leads to a read-only replica; it must lead to the primary.",
    );
    expect(await databaseProblem(pool)).toBe("the database is a read-only replica: DATABASE_URL must lead to the primary");
    const pid = async () => (await pool.query<{ pid: number }>("select pg_backend_pid() as pid")).rows[0]!.pid;
    const first = await pid();
    await inTransaction(pool, (client) => client.query("select 1"));
    expect(await pid()).toBe(first);
    await expect(inTransaction(pool, (client) => client.query("create table refused ()"))).rejects.toMatchObject({ code: "25006" });
    const second = await pid();
    expect(second).not.toBe(first);
    await expect(inPipelinedTransaction(pool, (client) => [client.query("create table refused ()")])).rejects.toMatchObject({
      code: "25006",
    });
    expect(await pid()).not.toBe(second);
  } finally {
    await pool.end();
    await replica.stop();
  }
});
