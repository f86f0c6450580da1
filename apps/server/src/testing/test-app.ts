import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { FastifyInstance, InjectOptions } from "fastify";
import { pino } from "pino";
import { Registry } from "prom-client";
import { waitLimitMs } from "../../../../scripts/patience.ts";
import { createSecretsKey } from "#db/secrets-key.ts";
import { openTotpSecret, readTotpKey } from "#shared/totp-secret.store.ts";
import { createApp } from "#src/app.ts";
import { readConfig } from "#src/config.ts";
import { createContext, type Context } from "#src/context.ts";
import { createServicesContext, type ServicesContext } from "#src/services-context.ts";
import { createSystemConfig } from "#features/system/system-config/system-config.service.ts";
import { createSystemConfigStore } from "#features/system/system-config/system-config.store.ts";
import { createDiskGuard } from "#lib/disk-guard.ts";
import type { StatFs } from "#lib/disk-space.ts";
import type { Log } from "#lib/log.ts";
import { hashPassword } from "#lib/passwords.ts";
import { newTotpSecret, totpCode, totpPeriodSeconds } from "#lib/totp.ts";
import { createManualClock, type ManualClock } from "./manual-clock.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";

export const testPassword = "Busbar-test-1";

export interface TestApp {
  app: FastifyInstance;
  context: Context & ServicesContext;
  database: TestDatabase;
  clock: ManualClock;
  /** Everything that was logged, at the most talkative level. */
  logText(): string;
  dataDir: string;
  /** Makes an administrator and returns the username. */
  addAdministrator(username: string, roles?: string[]): Promise<string>;
  /** Makes a user of a customer and returns the id. */
  addUser(username: string, customerId: number, columns?: Record<string, unknown>): Promise<number>;
  login(username: string): Promise<string>;
  /** A 2FA code that this administrator has not used yet; enrols them if need be and lets the clock pass a time step. */
  passcode(username: string): Promise<string>;
  call(
    options: InjectOptions & { token?: string },
  ): Promise<{ status: number; json: Record<string, unknown>; headers: Record<string, unknown>; text: string }>;
  stop(): Promise<void>;
}

interface TestAppOptions {
  statfs?: StatFs;
  clock?: ManualClock;
  /** Of another one, which it leaves as it is. */
  database?: TestDatabase;
  log?: Log;
}

/** The real application, on a database of its own or beside another one. */
export async function createTestApp(
  env: Record<string, string> = {},
  { statfs, clock = createManualClock(), database: given, log: ownLog }: TestAppOptions = {},
): Promise<TestApp> {
  const database = given ?? (await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), "busbar-app-"));
  let logged = "";
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logged += chunk.toString();
      done();
    },
  });
  const log = ownLog ?? pino({ level: "trace" }, sink);
  const config = readConfig({ DATA_DIR: dataDir, LOGIN_TWO_FACTOR: "off", ...env });
  const secretsKey = createSecretsKey(config.secretsKeyFile);
  const { pool } = database;
  const systemConfig = createSystemConfig({ pool, store: createSystemConfigStore(pool), log });
  const consoleUrl = () => config.publicUrl ?? "http://127.0.0.1:8080";
  const api = await createContext({
    pool,
    config,
    log,
    clock,
    registry: new Registry(),
    consoleDir: join(dataDir, "console"),
    disk: createDiskGuard({ folder: dataDir, clock, log, ...(statfs ? { statfs } : {}) }),
    ports: () => ({ v1: 8080, v2: 5000 }),
    eventPatienceMs: waitLimitMs,
  });
  const context = { ...createServicesContext({ pool, config, log, clock, systemConfig, consoleUrl }), ...api };
  const app = await createApp(context);
  await context.fleet.runTick();
  const passwordHash = await hashPassword(testPassword);

  const call: TestApp["call"] = async ({ token, ...options }) => {
    const headers = { ...options.headers, ...(token === undefined ? {} : { token, authorization: `Bearer ${token}` }) };
    const response = await app.inject({ ...options, headers });
    const isJson = String(response.headers["content-type"]).startsWith("application/json");
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      json: isJson && response.body ? JSON.parse(response.body) : {},
    };
  };

  return {
    app,
    context,
    database,
    clock,
    dataDir,
    logText: () => logged,
    async addAdministrator(username, roles = []) {
      await database.pool.query(
        `insert into app_user (username, email, first_name, last_name, password_hash, is_administrator, roles) values ($1, $2, 'Test', 'Person', $3, true, $4)`,
        [username, `${username}@busbar.example`, passwordHash, roles],
      );
      return username;
    },
    async addUser(username, customerId, columns = {}) {
      const fields = { email: `${username}@customer.example`, first_name: "Test", last_name: "User", ...columns };
      const names = Object.keys(fields);
      const { rows } = await database.pool.query<{ id: number }>(
        `insert into app_user (username, customer_id, password_hash, ${names.join(", ")})
         values ($1, $2, $3, ${names.map((_, index) => `$${index + 4}`).join(", ")}) returning id`,
        [username, customerId, passwordHash, ...Object.values(fields)],
      );
      return rows[0]!.id;
    },
    async login(username) {
      const { json, status } = await call({
        method: "POST",
        url: "/api/sessions/administrator",
        payload: { username, password: testPassword },
      });
      if (status !== 200) throw new Error(`sign-in of ${username} answered ${status}`);
      return (json["data"] as { token: string }).token;
    },
    async passcode(username) {
      clock.advance(totpPeriodSeconds);
      const { rows } = await database.pool.query<{ userId: number; secret: string }>(
        `insert into user_totp (user_id, secret) select id, $2 from app_user where username = $1
         on conflict (user_id) do update set user_id = excluded.user_id returning user_id as "userId", secret`,
        [username, newTotpSecret()],
      );
      const { userId, secret } = rows[0]!;
      return totpCode(openTotpSecret(secret, await readTotpKey(database.pool, secretsKey), userId), clock.now());
    },
    call,
    async stop() {
      await context.stop();
      await app.close();
      if (!given) await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
