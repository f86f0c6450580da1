import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createApp } from "#src/app.ts";
import { readConfig } from "#src/config.ts";
import { createContext } from "#src/context.ts";
import { bootPostgres } from "#db/embedded-postgres.ts";
import { migrate } from "#db/migrate.ts";
import { createPool } from "#db/pool.ts";
import { silentLog } from "#lib/log.ts";
import { hashPassword } from "#lib/passwords.ts";
import { createManualClock } from "#testing/manual-clock.ts";
import { addNode } from "#testing/test-world.ts";

test("while the database is away the last snapshot is served as stale, other calls answer 503, and it resumes by itself", async () => {
  const folder = await mkdtemp(join(tmpdir(), "busbar-away-"));
  const dataDir = join(folder, "postgres");
  let postgres = await bootPostgres({ dataDir, log: silentLog });
  const pool = createPool(postgres.url, { max: 4 });
  await migrate(pool, silentLog);
  await addNode(pool, 10001);
  await pool.query(
    "insert into app_user (username, email, password_hash, is_administrator) values ('night', 'night@busbar.example', $1, true)",
    [await hashPassword("Busbar-test-1")],
  );
  const clock = createManualClock();
  const context = await createContext({
    pool,
    config: readConfig({ DATA_DIR: folder }),
    log: silentLog,
    clock,
    consoleDir: folder,
    ports: () => ({ v1: 8080, v2: 5000 }),
  });
  const app = await createApp(context);
  await context.fleet.runTick();
  const login = await app.inject({
    method: "POST",
    url: "/api/sessions/administrator",
    payload: { username: "night", password: "Busbar-test-1" },
  });
  const { token } = login.json().data;
  const get = (url: string) => app.inject({ method: "GET", url, headers: { token } });
  const dashboard = async () => {
    await context.fleet.runTick();
    clock.advance(2);
    return (await get("/api/node-dashboard")).json().data;
  };
  expect(await dashboard()).toMatchObject({ isStale: false });
  expect((await get("/readyz")).statusCode).toBe(200);

  await postgres.stop();
  const stale = await dashboard();
  expect(stale.isStale).toBe(true);
  expect(Object.keys(stale.dashboardNodeMap)).toEqual(["10001"]);
  const refused = await get("/api/nodes/10001/realtime");
  expect([refused.statusCode, refused.headers["retry-after"], refused.json().errorCode]).toEqual([503, "2", "UNAVAILABLE"]);
  expect((await get("/healthz")).statusCode).toBe(200);
  expect((await get("/readyz")).json()).toEqual({ status: "not ready", problems: { fleet: "the database cannot be reached" } });

  postgres = await bootPostgres({ dataDir, log: silentLog });
  await expect.poll(async () => (await dashboard()).isStale).toBe(false);
  expect((await get("/api/nodes/10001/realtime")).statusCode).toBe(200);

  await context.stop();
  await app.close();
  await pool.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
});
