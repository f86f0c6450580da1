import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readConfig, type Config } from "./config.ts";
import { watchEventLoop } from "./role-program.ts";
import { createRoleThread, type RoleThread } from "./role-thread.ts";
import { silentLog as log } from "#lib/log.ts";
import { createServiceStore } from "#services/service.store.ts";
import { createTestDatabase, type TestDatabase } from "#testing/test-database.ts";

let folder: string;
let config: Config;
let thread: RoleThread;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "busbar-role-"));
  config = readConfig({ DATA_DIR: folder, MQTT_PORT: "0", LOG_LEVEL: "silent" });
});
afterEach(async () => {
  await thread.end();
  await rm(folder, { recursive: true });
});

describe("a role", () => {
  let database: TestDatabase;
  beforeEach(async () => void (database = await createTestDatabase()));
  afterEach(async () => {
    await thread.stop();
    await database.stop();
  });

  test("ingest listens once it is started, and no longer when it is stopped", async () => {
    thread = createRoleThread("ingest", { config, log, drainMs: 1_000 });
    await expect.poll(() => thread.problem()).toBe("ingest has not been started yet");
    const { hostname, port } = new URL((await thread.start({ databaseUrl: database.url }))!);
    await expect.poll(() => thread.problem()).toBeUndefined();
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.destroy();
    const isShownAsRunning = async () =>
      (await createServiceStore(database.pool).listServices(Date.now() / 1000)).get("MqttIngest")?.isRunning;
    await expect.poll(isShownAsRunning).toBe(true);
    await thread.stop();
    await expect.poll(isShownAsRunning).toBe(false);
    const [refused] = (await once(connect(Number(port), hostname), "error")) as [NodeJS.ErrnoException];
    expect(refused.code).toBe("ECONNREFUSED");
  });

  test("a database that cannot be reached is the reason why it does not start", async () => {
    thread = createRoleThread("ingest", { config, log, drainMs: 1_000 });
    await expect(thread.start({ databaseUrl: "postgres://postgres@127.0.0.1:1/none" })).rejects.toThrow("ECONNREFUSED");
  });

  test("services run once they are started", async () => {
    thread = createRoleThread("services", { config, log, drainMs: 1_000 });
    await thread.start({ databaseUrl: database.url, consoleUrl: "http://127.0.0.1:1" });
    const countRuns = async () => {
      const { rows } = await database.pool.query<{ runs: number }>(`select count(*)::int as runs from service where run_count > 0`);
      return rows[0]!.runs;
    };
    await vi.waitUntil(async () => (await countRuns()) > 0);
    await expect.poll(() => thread.problem()).toBeUndefined();
    expect(await thread.metrics()).toContain("busbar_services_eventloop_lag_p99_seconds");
  });
});

test("A-63 how late an event loop was is given in seconds, each time since the last", async () => {
  thread = createRoleThread("ingest", { config, log, drainMs: 1_000, program: new URL("./testing/odd-role.ts", import.meta.url) });
  const registry = new Registry();
  const asked: number[] = [];
  let resets = 0;
  watchEventLoop("cook", registry, { percentile: (share) => (asked.push(share), 2_500_000_000), reset: () => void resets++ });
  for (const count of [1, 2]) {
    expect(await registry.metrics()).toMatch(/^busbar_cook_eventloop_lag_p99_seconds 2.5$/m);
    expect([asked.splice(0), resets]).toEqual([[99], count]);
  }
});

describe("a thread", () => {
  const broken: Error[] = [];
  beforeEach(() => {
    broken.length = 0;
    const program = new URL("./testing/odd-role.ts", import.meta.url);
    thread = createRoleThread("ingest", { config, log, drainMs: 1_000, program, onBroken: (error) => broken.push(error), patienceMs: 20 });
  });

  test("that does not answer is not ready, and has no figures", async () => {
    expect(await thread.problem()).toBe("the thread of ingest has not answered for 0.02 s");
    expect(await thread.metrics()).toBe("");
    expect(broken).toEqual([]);
  });

  test("that breaks is reported, and so is one that ends by itself; one that is ended is not", async () => {
    void thread.start({ databaseUrl: "throw" });
    await vi.waitUntil(() => broken.length === 2);
    expect(broken.map((error) => error.message)).toEqual(["broken on purpose", "The thread of ingest ended by itself with code 1."]);
    await thread.end();
    expect(broken).toHaveLength(2);
  });
});
