import { expect, test } from "vitest";
import { createServiceTasks } from "./service-tasks.ts";
import { readConfig } from "./config.ts";
import { silentLog } from "#lib/log.ts";
import { createTestApp } from "#testing/test-app.ts";

test("SYS-03 every job has a name and an interval of its own, and those of the day their time", async () => {
  const server = await createTestApp();
  const tasks = createServiceTasks({
    pool: server.database.pool,
    config: readConfig({ DATA_DIR: server.dataDir }),
    log: silentLog,
    clock: server.clock,
    context: server.context,
  });
  await server.stop();
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
