import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createApp } from "#src/app.ts";
import { readConfig } from "#src/config.ts";
import { createContext } from "#src/context.ts";
import { bootPostgres, type EmbeddedPostgres } from "#db/embedded-postgres.ts";
import { migrate } from "#db/migrate.ts";
import { createPool } from "#db/pool.ts";
import { createDiskGuard } from "#lib/disk-guard.ts";
import { silentLog } from "#lib/log.ts";
import { hashPassword } from "#lib/passwords.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { addNode } from "#testing/test-world.ts";

const password = "Busbar-test-1";

/** The application on a database server of its own, which a test may stop. */
async function createLonelyApp() {
  const folder = await mkdtemp(join(tmpdir(), "busbar-away-"));
  const boot = (): Promise<EmbeddedPostgres> => bootPostgres({ dataDir: join(folder, "postgres"), log: silentLog });
  let postgres = await boot();
  const patient = createPool(postgres.url, { max: 1 });
  await migrate(patient, silentLog);
  await patient.end();
  const pool = createPool(postgres.url, { max: 4, statementTimeoutMs: 1_000 });
  await addNode(pool, 10001);
  await pool.query(
    "insert into app_user (username, email, password_hash, is_administrator) values ('night', 'night@busbar.example', $1, true)",
    [await hashPassword(password)],
  );
  const clock = createManualClock();
  const context = await createContext({
    pool,
    config: readConfig({ DATA_DIR: folder }),
    log: silentLog,
    clock,
    registry: new Registry(),
    consoleDir: folder,
    disk: createDiskGuard({ folder, clock, log: silentLog }),
    ports: () => ({ v1: 8080, v2: 5000 }),
  });
  const app = await createApp(context);
  await context.fleet.runTick();
  const login = () => app.inject({ method: "POST", url: "/api/sessions/administrator", payload: { username: "night", password } });
  const { token } = (await login()).json().data as { token: string };
  const get = (url: string) => app.inject({ method: "GET", url, headers: { token } });
  return {
    pool,
    clock,
    login,
    get,
    async dashboard() {
      await context.fleet.runTick();
      clock.advance(2);
      return await get("/api/node-dashboard");
    },
    stopDatabase: () => postgres.stop(),
    async startDatabase() {
      postgres = await boot();
    },
    async stop() {
      await context.stop();
      await app.close();
      await pool.end();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let server: Awaited<ReturnType<typeof createLonelyApp>>;
beforeAll(async () => {
  server = await createLonelyApp();
});
afterAll(() => server.stop());

/** A machine that is busy with other tests may miss a tick. */
async function freshDashboard(): Promise<{ isStale: boolean; asOf: number }> {
  let data = { isStale: true, asOf: 0 };
  await expect
    .poll(async () => {
      ({ data } = (await server.dashboard()).json());
      return data.isStale;
    })
    .toBe(false);
  return data;
}

/** Everything but the dashboard is refused at once, with the time to try again. */
async function expectRefusals(): Promise<void> {
  for (const answer of [await server.get("/api/nodes/10001/realtime"), await server.login()]) {
    expect([answer.statusCode, answer.headers["retry-after"], answer.json().errorCode]).toEqual([503, "2", "UNAVAILABLE"]);
  }
}

test("while the database is away the last snapshot is served as stale, other calls answer 503, and it resumes by itself", async () => {
  const fresh = await freshDashboard();
  expect((await server.get("/readyz")).statusCode).toBe(200);

  await server.stopDatabase();
  const stale = (await server.dashboard()).json().data;
  expect(stale).toMatchObject({ isStale: true, asOf: fresh.asOf, dashboardNodeMap: { "10001": { serialNumber: "10001" } } });
  await expectRefusals();
  expect((await server.get("/healthz")).statusCode).toBe(200);
  const ready = await server.get("/readyz");
  expect([ready.statusCode, ready.headers["retry-after"]]).toEqual([503, "2"]);
  expect(ready.json()).toEqual({ status: "not ready", problems: { fleet: "the database cannot be reached" } });

  await server.startDatabase();
  await freshDashboard();
  expect((await server.get("/api/nodes/10001/realtime")).statusCode).toBe(200);
});

test("a session that was not seen for 15 minutes does not read even the snapshot of a database that is away", async () => {
  await freshDashboard();
  await server.stopDatabase();
  server.clock.advance(14 * 60);
  expect((await server.dashboard()).statusCode).toBe(200);
  server.clock.advance(60);
  expect((await server.dashboard()).statusCode).toBe(503);
  await server.startDatabase();
  await expect.poll(async () => (await server.dashboard()).statusCode).toBe(200);
});

test("a database that hangs is answered for like one that is away", async () => {
  await freshDashboard();
  const { rows } = await server.pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() union select pg_backend_pid()",
  );
  for (const { pid } of rows) process.kill(pid, "SIGSTOP");
  try {
    expect((await server.dashboard()).json().data.isStale).toBe(true);
    await expectRefusals();
  } finally {
    for (const { pid } of rows) process.kill(pid, "SIGCONT");
  }
  await freshDashboard();
});
