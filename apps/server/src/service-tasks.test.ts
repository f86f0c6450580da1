import { afterAll, beforeAll, expect, test } from "vitest";
import { createServiceTasks } from "./service-tasks.ts";
import { readConfig } from "./config.ts";
import { silentLog } from "#lib/log.ts";
import { sampleCev } from "#testing/sample-events.ts";
import { nameOf } from "#testing/sample-files.ts";
import { storeFile } from "#testing/store-file.ts";
import { createTestApp, type TestApp } from "#testing/test-app.ts";
import { addNode, addPlace } from "#testing/test-world.ts";

let server: TestApp;
beforeAll(async () => {
  server = await createTestApp();
});
afterAll(() => server.stop());

const allTasks = () =>
  createServiceTasks({
    pool: server.database.pool,
    config: readConfig({ DATA_DIR: server.dataDir }),
    log: silentLog,
    clock: server.clock,
    context: server.context,
  });

test("SYS-03 every job has a name and an interval of its own, and those of the day their time", async () => {
  const tasks = allTasks();
  const intervals = Object.fromEntries(tasks.map(({ name, intervalSeconds }) => [name, intervalSeconds]));
  expect(Object.keys(intervals)).toHaveLength(tasks.length);
  expect(intervals).toMatchObject({
    DataAnalysis: 15,
    EventFileParser: 10,
    FileExtraction: 5,
    AlarmEvaluation: 60,
    NotificationSender: 10,
    MissedDataMonitor: 300,
    ConnectivityMonitor: 30,
    DeploymentStatusRoll: 60,
    DailyProgressReport: 3_600,
    DemandRollup: 900,
    RetentionPruner: 3_600,
    HarmonicsPackager: 30,
    DownloadCleaner: 3_600,
    SubscriptionReport: 86_400,
    BillingRoll: 86_400,
    SessionReaper: 300,
    NodeClockMonitor: 600,
    NodeVerdicts: 5,
    CoverageFill: 60,
  });
  const daily = tasks.filter(({ intervalSeconds }) => intervalSeconds === 86_400);
  expect(daily.map(({ name, offsetSeconds }) => [name, offsetSeconds])).toEqual([
    ["SubscriptionReport", 12 * 3_600],
    ["BillingRoll", 8 * 3_600],
  ]);
});

test("A-63 services that read files notify a relay's people of what they say, and ourselves of those that fail again and again", async () => {
  const { pool } = server.database;
  const place = await addPlace(pool);
  await addNode(pool, 35_001, place, { type: "SEL" });
  await addNode(pool, 35_002, await addPlace(pool));
  await server.addUser("owner", place.customerId, { auto_subscribe_all_facilities: true });
  const at = Math.floor(server.clock.now() / 1000) - 60;
  await storeFile(server, nameOf(35_001, at, "E", "cev"), sampleCev(), { source: "upload" });
  for (let number = 2; number <= 7; number++)
    await storeFile(server, nameOf(35_001, at, "E", "cev", number), "no event", { source: "upload" });
  for (let quarter = 1; quarter <= 6; quarter++)
    await storeFile(server, nameOf(35_002, Math.floor(at / 900 - quarter) * 900, "D"), "no data point\n");
  const tasks = allTasks();
  for (const name of ["EventFileParser", "FileExtraction"])
    await tasks.find((task) => task.name === name)!.run(new AbortController().signal);
  const { rows } = await pool.query<{ kind: string; subject: string }>("select kind, subject from notification order by subject, kind");
  expect(rows).toEqual([
    { kind: "FILE_EXTRACTION_FAILED", subject: expect.stringContaining("(35001)") },
    { kind: "FILE_EXTRACTION_FAILED", subject: expect.stringContaining("(35002)") },
    { kind: "FAULT_relayTrip", subject: expect.stringContaining("(35001)") },
  ]);
});

test("A-63 ended sessions are kept as long as activities, whatever is kept longer or less long", async () => {
  const { pool } = server.database;
  await pool.query(`insert into system_config (key, value) values ('Retention_activityDays', '400'), ('Retention_eventDays', '90'),
    ('Retention_notificationDays', '500'), ('Retention_fileDays', '600'), ('Retention_sensorDataDays', '700')`);
  await server.login(await server.addAdministrator("reader"));
  const reaper = allTasks().find(({ name }) => name === "SessionReaper")!;
  const left = async (days: number) => {
    await pool.query("update session set expires_at = now() - $1 * interval '1 day', ends_at = now() - $1 * interval '1 day'", [days]);
    await reaper.run(new AbortController().signal);
    return (await pool.query("select from session")).rowCount;
  };
  expect([await left(399), await left(401)]).toEqual([1, 0]);
});
