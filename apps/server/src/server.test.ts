import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { bootPostgres } from "#db/embedded-postgres.ts";
import { inTransaction } from "#db/transaction.ts";
import { createDownloadsStore } from "#features/files/downloads/downloads.store.ts";
import { systemClock as clock } from "#lib/clock.ts";
import { createFolderFileStore } from "#lib/file-store.ts";
import { silentLog } from "#lib/log.ts";
import { nameOf } from "#testing/sample-files.ts";
import { storeFile } from "#testing/store-file.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";
import { addNode } from "#testing/test-world.ts";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));

let folder: string;
let children: ChildProcess[];
beforeEach(async () => {
  folder = await makeFolder();
  children = [];
});
afterEach(async () => {
  for (const child of children) await end(child);
  await rm(folder, { recursive: true, force: true });
});

async function makeFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "busbar-server-"));
  await chmod(made, 0o755);
  return made;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGTERM");
  await once(child, "exit");
}

interface Started {
  child: ChildProcess;
  ended: Promise<[number | null]>;
  /** Everything it wrote to standard output and standard error. */
  said(): string;
}

function start(env: Record<string, string>, args: string[] = []): Started {
  const started = launch(join(folder, "data"), env, args);
  children.push(started.child);
  return started;
}

function launch(dataDir: string, env: Record<string, string> = {}, args: string[] = []): Started {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, PORT: "0", V2_PORT: "0", MQTT_PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
  return { child, ended: once(child, "close") as Promise<[number | null]>, said: () => said };
}

interface Ready {
  console: string;
  mqtt?: string;
  v2?: string;
  health?: string;
}

async function waitUntilReady(started: Started): Promise<Ready> {
  const { child } = started;
  const line = await vi.waitUntil(() => {
    if (child.exitCode !== null) throw new Error(started.said());
    return started
      .said()
      .split("\n")
      .find((text) => text.includes('"msg":"ready"'));
  });
  return JSON.parse(line) as Ready;
}

const status = async (url: string) => (await fetch(url)).status;

describe("on an empty folder", () => {
  let ownFolder: string;
  let server: Started;
  let ready: Ready;
  beforeAll(async () => {
    ownFolder = await makeFolder();
    server = launch(join(ownFolder, "data"));
    ready = await waitUntilReady(server);
  });
  afterAll(async () => {
    await end(server.child);
    await rm(ownFolder, { recursive: true, force: true });
  });

  test("it starts and answers on both ports", async () => {
    expect(await status(`${ready.console}/readyz`)).toBe(200);
    expect(await status(`${ready.v2}/healthz`)).toBe(200);
  });

  test("A-46 every folder that it makes there is closed to others, those of files too", async () => {
    const dataDir = join(ownFolder, "data");
    await createFolderFileStore(join(dataDir, "files")).putAll([Buffer.from("a file of a node")]);
    const folders = (await readdir(dataDir, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name));
    expect(folders.length).toBeGreaterThan(3);
    const open = [];
    for (const path of folders) if (((await stat(path)).mode & 0o077) !== 0) open.push(path);
    expect(open).toEqual([]);
    // Where PostgreSQL is another user's, it goes through, and sees nothing.
    expect((await stat(dataDir)).mode & 0o066).toBe(0);
  });

  test("an embedded database that is killed is started again, and everything resumes", async () => {
    const readPid = () => Number(readFileSync(join(ownFolder, "data", "postgres", "postmaster.pid"), "utf8").split("\n")[0]);
    const killed = readPid();
    process.kill(killed, "SIGKILL");
    // In between there is no such file.
    await vi.waitFor(() => expect(readPid()).not.toBe(killed));
    await vi.waitUntil(async () => (await status(`${ready.console}/readyz`)) === 200, { interval: 100 });
    expect(server.child.exitCode).toBeNull();
  });
});

test("A-40 a process that ends says so first, answers what comes over open connections, closes each with its answer, and leaves nothing behind", async () => {
  const server = start({ DRAIN_SECONDS: "2" });
  const { console: url } = await waitUntilReady(server);
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let answers = "";
  socket.on("data", (chunk: Buffer) => (answers += chunk.toString()));
  socket.write("GET /healthz HTTP/1.1\r\nhost:");
  server.child.kill("SIGINT");
  const ready = await vi.waitUntil(async () => {
    const answer = await fetch(`${url}/readyz`);
    return answer.status === 503 && answer;
  });
  expect(await ready.json()).toEqual({ status: "not ready", problems: { process: "it is stopping" } });
  expect(ready.headers.get("connection")).toBe("close");
  await vi.waitUntil(() =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    ),
  );
  socket.write(" here\r\n\r\n");
  await once(socket, "close");
  expect(answers.match(/HTTP\/1\.1 \d+|connection: close/gi)).toEqual(["HTTP/1.1 200", "Connection: close"]);
  expect(await server.ended).toEqual([0, null]);
  expect(existsSync(join(folder, "data", "postgres", "postmaster.pid"))).toBe(false);
  expect(existsSync(join(folder, "data", "postgres.lock"))).toBe(false);
});

test("A-46 a folder of files that was open to all is closed", async () => {
  const files = join(folder, "files");
  await mkdir(files, { mode: 0o755 });
  await createFolderFileStore(files).putAll([Buffer.from("x")]);
  expect((await stat(files)).mode & 0o077).toBe(0);
});

test("while an external database is away nothing exits, and everything resumes by itself", async () => {
  const dataDir = join(folder, "external");
  const first = await bootPostgres({ dataDir, log: silentLog });
  const server = start({ DATABASE_URL: first.url });
  const { console: url } = await waitUntilReady(server);
  await first.stop();
  await vi.waitUntil(async () => (await status(`${url}/readyz`)) === 503, { interval: 100 });
  const second = await bootPostgres({ dataDir, log: silentLog });
  await vi.waitUntil(async () => (await status(`${url}/readyz`)) === 200, { interval: 100 });
  server.child.kill("SIGTERM");
  expect(await server.ended).toEqual([0, null]);
  await second.stop();
});

/** Someone waits for the files of a node. */
async function askForPackage(database: TestDatabase): Promise<void> {
  const { pool } = database;
  await addNode(pool, 10_001);
  await storeFile({ database, dataDir: join(folder, "data"), clock }, nameOf(10_001, 1_790_000_100, "D"), "a file");
  const { rows } = await pool.query<{ id: number }>(
    "insert into app_user (username, email, first_name, last_name, is_administrator) values ('waits', 'w@busbar.example', '', '', true) returning id",
  );
  const now = clock.now() / 1000;
  const job = { id: randomUUID(), userId: rows[0]!.id, kind: "files" as const, serial: 10_001, from: null, to: null };
  await inTransaction(pool, (client) =>
    createDownloadsStore(pool).insert(client, { ...job, address: "w@busbar.example", createdAt: now, expiresAt: now + 86_400 }),
  );
}

test("SYS-04 a process without the role api can be asked how it is, and its warnings and errors reach the system pages", async () => {
  const database = await createTestDatabase();
  const env = { DATABASE_URL: database.url, MQTT_URL: "mqtt://127.0.0.1:9", PUBLIC_URL: "https://busbar.example/admin/" };
  await askForPackage(database);
  const worker = start(env, ["--roles", "ingest,services"]);
  const { health } = await waitUntilReady(worker);
  // A busy machine's thread may be late with its own reason.
  await expect
    .poll(async () => {
      const ready = await fetch(`${health}/readyz`);
      return [ready.status, await ready.json()];
    })
    .toEqual([503, { status: "not ready", problems: { ingest: expect.stringContaining("broker") as string } }]);
  expect(await status(`${health}/healthz`)).toBe(200);
  expect(await (await fetch(`${health}/metrics`)).text()).toContain("busbar_ingest_stored_total");
  expect(await status(`${health}/api/system/services`)).toBe(404);
  await vi.waitUntil(async () => (await database.pool.query("select from system_message where source = 'log'")).rowCount! > 0);
  // What services send leads to the console as people reach it.
  const sent = () => database.pool.query<{ body: string }>("select body from notification where kind = 'DOWNLOAD_READY'");
  await vi.waitUntil(async () => (await sent()).rowCount === 1);
  expect((await sent()).rows[0]!.body).toContain("\nhttps://busbar.example/admin/#/downloads\n");

  const beside = start({ ...env, PORT: new URL(health!).port }, ["--roles", "services"]);
  expect((await waitUntilReady(beside)).health).toBeUndefined();
  expect(beside.said()).toContain("Until then this process cannot be asked for /healthz, /readyz and /metrics.");
  for (const { child, ended } of [worker, beside]) {
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  }
  await database.stop();
});

test("a taken V2_PORT is a warning: the second version is served under PORT", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const taken = (other.address() as AddressInfo).port;
  const database = await createTestDatabase();
  const server = start({ V2_PORT: String(taken), DATABASE_URL: database.url }, ["--roles", "api"]);
  const { console: url, v2 } = await waitUntilReady(server);
  other.close();
  expect(v2).toBeUndefined();
  expect(server.said()).toContain(`V2_PORT ${taken} is in use on 127.0.0.1.`);
  // Its own call without a session is refused, not unknown.
  expect((await fetch(`${url}/api/v2/sessions`, { method: "DELETE" })).status).toBe(401);
  await end(server.child);
  await database.stop();
});

describe("ends with one sentence and an exit code", () => {
  const refused = async (started: Started) => {
    const [code] = await started.ended;
    return { code, said: started.said().trim().split("\n").at(-1) };
  };

  test("for a taken PORT, leaving no database behind", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const taken = (other.address() as AddressInfo).port;
    expect(await refused(start({ PORT: String(taken) }))).toEqual({
      code: 1,
      said: `PORT ${taken} is in use on 127.0.0.1. Stop the other program or set PORT to another port.`,
    });
    other.close();
    expect(existsSync(join(folder, "data", "postgres", "postmaster.pid"))).toBe(false);
  });

  test("for a taken MQTT_PORT", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const taken = (other.address() as AddressInfo).port;
    const database = await createTestDatabase();
    expect(await refused(start({ MQTT_PORT: String(taken), DATABASE_URL: database.url }))).toEqual({
      code: 1,
      said: `MQTT_PORT ${taken} is in use on 127.0.0.1. Stop the other program or set MQTT_PORT to another port.`,
    });
    other.close();
    await database.stop();
  });

  test("for a bad value", async () => {
    expect(await refused(start({ PORT: "eighty" }))).toEqual({ code: 2, said: 'PORT is a whole number from 0 to 65535, not "eighty".' });
  });

  test("for an unknown role and an unknown option", async () => {
    expect(await refused(start({}, ["--roles", "api,cook"]))).toEqual({
      code: 2,
      said: '--roles lists broker, ingest, api, services, separated by commas, not "cook".',
    });
    expect(await refused(start({}, ["--role", "api"]))).toMatchObject({ code: 2, said: expect.stringContaining("--role") });
  });

  test("for a broker without ingest behind it", async () => {
    expect(await refused(start({}, ["--roles", "broker,api"]))).toEqual({
      code: 2,
      said: "The roles broker and ingest go together, unless MQTT_URL names another broker.",
    });
  });

  test("for a folder that holds something else", async () => {
    await writeFile(join(folder, "letters.txt"), "");
    expect(await refused(start({ DATA_DIR: folder }))).toEqual({
      code: 1,
      said: `DATA_DIR ${folder} is not empty and not ours (found letters.txt). Choose another folder.`,
    });
  });

  test("for a folder that cannot be made", async () => {
    await writeFile(join(folder, "file"), "");
    const { code, said } = await refused(start({ DATA_DIR: join(folder, "file", "data") }));
    expect([code, said]).toEqual([1, expect.stringContaining(`DATA_DIR ${join(folder, "file", "data")} cannot be written`)]);
  });

  test("for an address that is not this machine's", async () => {
    const database = await createTestDatabase();
    const started = start({ HOST: "192.0.2.1", DATABASE_URL: database.url });
    expect(await refused(started)).toEqual({ code: 1, said: "HOST 192.0.2.1 is no address of this machine." });
    await database.stop();
  });
});
