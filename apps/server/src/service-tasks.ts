import { join } from "node:path";
import type { Pool } from "pg";
import type { Config } from "./config.ts";
import type { Context } from "./context.ts";
import { recordActivity } from "#features/activities/activities.store.ts";
import { createAlarmEvaluation } from "#features/alarms/alarm-evaluation.task.ts";
import { createAlarmsStore } from "#features/alarms/alarms.store.ts";
import { createBillingRoll } from "#features/billing/billing-roll.task.ts";
import { createDailyProgressReport } from "#features/daily-progress/daily-progress-report.task.ts";
import { createSubscriptionReport } from "#features/digests/subscription-report.task.ts";
import { createDataAnalysisStore } from "#features/alarms/data-analysis.store.ts";
import { createDataAnalysis } from "#features/alarms/data-analysis.task.ts";
import type { NotifyOfAlarms } from "#features/alarms/write-alarm-changes.ts";
import { createDataPointMonitor } from "#features/data-point-alerts/data-point-monitor.task.ts";
import { createDownloadCleaner } from "#features/downloads/download-cleaner.task.ts";
import { createDownloadPacker } from "#features/downloads/download-packer.task.ts";
import { createDownloadsStore } from "#features/downloads/downloads.store.ts";
import { createPackageFolder } from "#features/downloads/package-folder.ts";
import { createEventFileParserStore } from "#features/event-files/event-file-parser.store.ts";
import { createEventFileParser } from "#features/event-files/event-file-parser.task.ts";
import { createEventReader } from "#features/event-files/event-reader.ts";
import { createActivityTally } from "#features/feeds/activity-tally.task.ts";
import { createFileExtractionStore } from "#features/file-extraction/file-extraction.store.ts";
import { createFileExtraction } from "#features/file-extraction/file-extraction.task.ts";
import { createSecondSeriesReader } from "#features/file-extraction/second-series.reader.ts";
import { createConnectivityMonitor } from "#features/fleet-notices/connectivity-monitor.task.ts";
import { createExtractionNotices } from "#features/fleet-notices/extraction-notices.ts";
import { createMissedDataMonitor } from "#features/fleet-notices/missed-data-monitor.task.ts";
import { createNodeClockMonitor } from "#features/fleet-notices/node-clock-monitor.task.ts";
import { createNotificationSender } from "#features/mail/notification-sender.task.ts";
import { createDemandRollup } from "#features/metering/demand-rollup.task.ts";
import { createNodeCommandPruner } from "#features/node-commands/node-commands.task.ts";
import { createDeploymentStatusRoll } from "#features/nodes/deployment-status-roll.task.ts";
import { createExpiredFilesStore } from "#features/retention/expired-files.store.ts";
import { createExpiredFiles } from "#features/retention/expired-files.ts";
import { createExpiredRowsStore } from "#features/retention/expired-rows.store.ts";
import { createRetentionPruner } from "#features/retention/retention-pruner.task.ts";
import { createFolderFileStore } from "#lib/file-store.ts";
import { createSessionReaper } from "#services/session-reaper.task.ts";
import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";
import type { Task } from "#services/service.ts";

export interface ServiceTasksOptions {
  pool: Pool;
  config: Config;
  log: Log;
  clock: Clock;
  context: Context;
}

/** Nobody waits for it: a busy machine must not make a file fail. */
const eventPatienceMs = 120_000;

/** Every job that runs again and again; the scheduler runs each in one process of all. */
export function createServiceTasks({ pool, config, log, clock, context }: ServiceTasksOptions): Task[] {
  const fileStore = createFolderFileStore(join(config.dataDir, "files"));
  const alarms = createAlarmsStore(pool);
  const notify: NotifyOfAlarms = (client, raised) => context.faultNotices.notify(client, raised);
  const downloads = createDownloadsStore(pool);
  const packages = createPackageFolder(join(config.dataDir, "downloads"));
  const tellFailures = createExtractionNotices(context.fleetNotices);
  return [
    createRetentionPruner({
      pool,
      clock,
      files: createExpiredFiles({ pool, store: createExpiredFilesStore(pool), fileStore, clock }),
      rows: createExpiredRowsStore(pool),
      readDays: () => context.retentionDays(),
    }),
    createSessionReaper(pool, clock, async () => (await context.retentionDays()).activities),
    createNotificationSender(pool, context.mail, clock),
    createConnectivityMonitor(context.fleetNotices),
    createMissedDataMonitor(context.fleetNotices),
    createNodeClockMonitor(context.fleetNotices),
    createDailyProgressReport(context.fleetNotices),
    createSubscriptionReport(context.fleetNotices),
    createBillingRoll({ ...context.fleetNotices, ...context.billingNotices }),
    createAlarmEvaluation({ pool, store: alarms, clock, limits: context.alarmLimits, notify }),
    createDataAnalysis({
      pool,
      store: createDataAnalysisStore(pool),
      alarms,
      clock,
      limits: context.alarmLimits,
      readSeconds: createSecondSeriesReader(fileStore),
      notify,
      reviewDataPoints: context.dataPointAlerts.review,
    }),
    createDataPointMonitor({ pool, clock, alerts: context.dataPointAlerts }),
    createDemandRollup(pool, clock),
    createNodeCommandPruner(pool, clock),
    createFileExtraction({
      pool,
      store: createFileExtractionStore(pool),
      fileStore,
      clock,
      tellFailures,
    }),
    createEventFileParser({
      pool,
      store: createEventFileParserStore(pool),
      read: createEventReader(fileStore, log, eventPatienceMs),
      clock,
      notify: (client, faults) => context.faultNotices.notify(client, faults),
      tellFailures,
    }),
    createDownloadPacker({ pool, store: downloads, packages, fileStore, mail: context.mail, clock, log }),
    createDownloadCleaner(pool, downloads, packages, clock),
    createDeploymentStatusRoll({ pool, clock, recordActivity }),
    createActivityTally(pool, clock),
  ];
}
