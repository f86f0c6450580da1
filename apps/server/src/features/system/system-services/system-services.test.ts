import type { Service } from "@busbar/contract/system/system-services.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { silentLog } from "#lib/log.ts";
import { createContinuousServices } from "#services/continuous-services.ts";
import { createScheduler, type Scheduler } from "#services/scheduler.ts";
import type { Task } from "#services/service.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";

let server: TestApp;
let token: string;
let scheduler: Scheduler;
const did = (count: number) => `Did ${count}`;
const sweep = vi.fn<Task["run"]>(() => Promise.resolve({ processedCount: 4, logEntry: "Swept 4" }));
const quick = vi.fn<Task["run"]>(() => Promise.resolve(1));
const ownPage = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };

beforeAll(async () => {
  server = await createTestApp();
  token = await server.login(await server.addAdministrator("sys", ["systemAdministrator"]));
  const { pool } = server.database;
  scheduler = createScheduler({
    pool,
    tasks: [
      { name: "Sweeper", intervalSeconds: 60, did, run: sweep },
      { name: "Quick", intervalSeconds: 5, did, run: quick },
    ],
    clock: server.clock,
    log: silentLog,
  });
  await scheduler.tick();
});
afterAll(async () => {
  await scheduler.stop();
  await server.stop();
});
beforeEach(async () => {
  await server.database.pool.query("update service set is_enabled = true, is_run_requested = false");
  await server.database.pool.query("delete from activity");
});

const send = (method: "GET" | "PATCH", path: string, options: { by?: string; headers?: Record<string, string> } = {}) =>
  server.call({
    method,
    url: `/api/system/services${path}`,
    headers: options.headers ?? {},
    ...(options.by === "" ? {} : { token: options.by ?? token }),
  });
const services = async () => (await send("GET", "")).json["data"] as Record<string, Service>;
const said = ({ status, json }: { status: number; json: Record<string, unknown> }) => [status, json["errorMessage"]];
const activities = async () =>
  (await server.database.pool.query("select actor, action, object, description from activity where action like 'SERVICE%' order by id"))
    .rows;

const every: readonly ["GET" | "PATCH", string][] = [
  ["GET", ""],
  ["GET", "/Sweeper/waiting"],
  ["GET", "/Sweeper/enable"],
  ["GET", "/Sweeper/disable"],
  ["PATCH", "/Sweeper/enable"],
  ["PATCH", "/Sweeper/disable"],
  ["PATCH", "/enable"],
  ["PATCH", "/disable"],
  ["PATCH", "/Sweeper/run"],
];
describe("SEC-02 only a systemAdministrator steers services", () => {
  test.each(every)("%s %s", async (method, path) => {
    expect((await send(method, path, { by: "", headers: ownPage })).status).toBe(401);
    for (const roles of [[], ["accountsAdministrator"]]) {
      server.clock.advance(10);
      const by = await server.login(await server.addAdministrator(`p${Math.random().toString(36).slice(2)}`, roles));
      expect(said(await send(method, path, { by, headers: ownPage }))).toEqual([403, "This needs the role systemAdministrator"]);
    }
    expect((await services())["Sweeper"]?.isEnabled).toBe(true);
  });
});

test("an unknown or improper name is refused", async () => {
  expect(said(await send("PATCH", "/Nothing/enable"))).toEqual([404, "Service Nothing was not found"]);
  expect(said(await send("PATCH", "/Nothing/run"))).toEqual([404, "Service Nothing was not found"]);
  expect((await send("PATCH", "/a-b/enable")).status).toBe(400);
});

test("SYS-01 SYS-03 every field of a service shows the real job", async () => {
  server.clock.advance(60);
  await scheduler.tick();
  const { Sweeper } = await services();
  expect(Sweeper).toEqual({
    isEnabled: true,
    isScheduledService: true,
    isRunning: false,
    interval: 60,
    countProcessedLastRun: 4,
    countProcessedLifetime: 8,
    logEntry: "Swept 4",
    durationLastRun: 0,
    durationAverage: 0,
    timestampLastFinished: expect.any(Number),
    timestampNextRun: Sweeper!.timestampLastFinished! + 60,
    failingSince: null,
    durationsOfLastRuns: [0, 0],
    failuresOfLastRuns: [false, false],
    lastWork: { did: "Did 4", timestamp: Sweeper!.timestampLastFinished },
    waiting: null,
  });
});

test("A-62 what waits is counted and listed, of every queue, the oldest first", async () => {
  const { pool } = server.database;
  expect(said(await send("GET", "/Nothing/waiting"))).toEqual([404, "Service Nothing was not found"]);
  const now = Math.floor(server.clock.now() / 1000);
  await pool.query(
    "insert into service (name, interval_seconds, next_run_at) select n, 10, now() from unnest('{NotificationSender,MqttIngest}'::text[]) n",
  );
  await pool.query(
    `insert into service_set_aside (service, kind, item, reason, tries, first_at, last_at, next_try_at)
     select 'Sweeper', 'file', n::text, 'unreadable', 3, to_timestamp($1::float8 - n), now(), to_timestamp($1 + 60) from generate_series(1, 250) n`,
    [now],
  );
  await pool.query(
    `insert into notification (kind, subject, body, recipients_to, message_id, created_at, attempts, next_attempt_at, sent_failed_reason)
     values ('TEST', 's', 'b', '{}', 'm', to_timestamp($1), 2, to_timestamp($1 + 30), 'SMTP: busy'), ('TEST', 's', 'b', '{}', 'n', now(), 0, now(), null)`,
    [now],
  );
  await pool.query("insert into file_request (serial_number, request, requested_at) values (10701, '{}', to_timestamp($1))", [now]);
  const { Sweeper, Quick, NotificationSender } = await services();
  expect([Sweeper?.waiting, Quick?.waiting, NotificationSender?.waiting]).toEqual([
    { count: 250, since: now - 250, nextTry: now + 60 },
    null,
    { count: 1, since: now, nextTry: now + 30 },
  ]);
  const listOf = async (name: string) => (await send("GET", `/${name}/waiting`)).json["data"] as unknown[];
  const files = await listOf("Sweeper");
  expect(files).toHaveLength(200);
  expect(files[0]).toEqual({ kind: "file", item: "250", reason: "unreadable", tries: 3, since: now - 250, nextTry: now + 60 });
  expect(await listOf("NotificationSender")).toMatchObject([{ kind: "notification", reason: "SMTP: busy", tries: 2, nextTry: now + 30 }]);
  expect(await listOf("MqttIngest")).toMatchObject([{ kind: "request to node", item: "10701", tries: 0, nextTry: null }]);
  await pool.query(
    "delete from service where name in ('NotificationSender', 'MqttIngest'); truncate service_set_aside, notification, file_request cascade",
  );
});

test("SYS-01 a service is switched off and on by the console's GET and by PATCH, each recorded once", async () => {
  expect((await send("GET", "/Sweeper/disable", { headers: ownPage })).json["data"]).toEqual({ changed: 1 });
  expect((await services())["Sweeper"]?.isEnabled).toBe(false);
  sweep.mockClear();
  server.clock.advance(120);
  await scheduler.tick();
  expect(sweep).not.toHaveBeenCalled();
  expect((await send("PATCH", "/Sweeper/disable")).json["data"]).toEqual({ changed: 0 });
  expect((await send("PATCH", "/Sweeper/enable")).json["data"]).toEqual({ changed: 1 });
  await scheduler.tick();
  expect(sweep).toHaveBeenCalledTimes(1);
  expect(await activities()).toEqual([
    { actor: "sys", action: "SERVICE_DISABLE", object: "Sweeper", description: "Disabled Sweeper" },
    { actor: "sys", action: "SERVICE_ENABLE", object: "Sweeper", description: "Enabled Sweeper" },
  ]);
});

describe("SYS-01 a GET that changes something is for the console's own page only", () => {
  test.each<Record<string, string>>([
    {},
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" },
    { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors" },
    { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" },
    { "sec-fetch-site": "same-origin", "sec-fetch-mode": "no-cors" },
    { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" },
  ])("%j", async (headers) => {
    const refusal = [403, "This address changes something and is for the console's own pages. Use PATCH"];
    expect(said(await send("GET", "/Sweeper/disable", { headers }))).toEqual(refusal);
    expect((await services())["Sweeper"]?.isEnabled).toBe(true);
  });
});

test("SYS-01 all off and all on", async () => {
  expect((await send("PATCH", "/disable")).json["data"]).toEqual({ changed: 2 });
  expect(Object.values(await services()).map(({ isEnabled }) => isEnabled)).toEqual([false, false]);
  expect((await send("PATCH", "/enable")).json["data"]).toEqual({ changed: 2 });
  expect((await send("PATCH", "/enable")).json["data"]).toEqual({ changed: 0 });
  expect((await activities()).map((row: { description: string }) => row.description)).toEqual([
    "Disabled Quick, Sweeper",
    "Enabled Quick, Sweeper",
  ]);
});

test("SYS-01 run now works also while disabled, and only where the interval is over 5", async () => {
  await send("PATCH", "/disable");
  sweep.mockClear();
  expect((await send("PATCH", "/Sweeper/run")).json["data"]).toEqual({ changed: 1 });
  await scheduler.tick();
  expect(sweep).toHaveBeenCalledTimes(1);
  expect(said(await send("PATCH", "/Quick/run"))).toEqual([409, "Quick runs every 5 s anyway"]);
});

test("SYS-03 what runs all the time is shown while its process lives, and cannot be switched", async () => {
  let problem: string | undefined = "the database is slow";
  let count = 5;
  const continuous = createContinuousServices({
    pool: server.database.pool,
    services: [{ name: "Stream", did, processed: () => Promise.resolve(count), problem: () => problem }],
    clock: server.clock,
    log: silentLog,
  });
  await continuous.tick();
  expect((await services())["Stream"]).toMatchObject({
    isScheduledService: false,
    isRunning: true,
    isEnabled: true,
    countProcessedLastRun: 5,
    logEntry: "the database is slow",
    timestampNextRun: null,
    failingSince: Math.floor(server.clock.now() / 1000),
    lastWork: { did: "Did 5", timestamp: Math.floor(server.clock.now() / 1000) },
  });
  count = 12;
  problem = undefined;
  await continuous.tick();
  expect((await services())["Stream"]).toMatchObject({
    countProcessedLastRun: 7,
    countProcessedLifetime: 12,
    logEntry: "",
    failingSince: null,
  });
  for (const verb of ["disable", "run"])
    expect(said(await send("PATCH", `/Stream/${verb}`))).toEqual([409, "Stream runs as long as the server and cannot be switched"]);
  await send("PATCH", "/disable");
  expect((await services())["Stream"]).toMatchObject({ isEnabled: true, isRunning: true });
  await continuous.stop();
  await vi.waitUntil(async () => !(await services())["Stream"]?.isRunning);
  await server.database.pool.query("delete from service where name = 'Stream'");
});
