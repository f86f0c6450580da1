import { join } from "node:path";
import type { Pool } from "pg";
import type { Config } from "./config.ts";
import type { ServicesContext } from "./services-context.ts";
import { createAlarmEvaluation } from "#features/alarms/alarms/alarm-evaluation.task.ts";
import { createAlarmsStore } from "#features/alarms/alarms/alarms.store.ts";
import { createBillingRoll } from "#features/office/billing/billing-roll.task.ts";
import { createDailyProgressReport } from "#features/office/daily-progress/daily-progress-report.task.ts";
import { createSubscriptionReport } from "#features/alarms/digests/subscription-report.task.ts";
import { createDataAnalysisStore } from "#features/alarms/alarms/data-analysis.store.ts";
import { createDataAnalysis } from "#features/alarms/alarms/data-analysis.task.ts";
import type { NotifyOfAlarms } from "#features/alarms/alarms/write-alarm-changes.ts";
import { createDataPointMonitor } from "#features/alarms/data-point-alerts/data-point-monitor.task.ts";
import { createDownloadCleaner } from "#features/files/downloads/download-cleaner.task.ts";
import { createDownloadPacker } from "#features/files/downloads/download-packer.task.ts";
import { createDownloadsStore } from "#features/files/downloads/downloads.store.ts";
import { createPackageFolder } from "#features/files/downloads/package-folder.ts";
import { createEventFileParserStore } from "#features/files/event-files/event-file-parser.store.ts";
import { createEventFileParser } from "#features/files/event-files/event-file-parser.task.ts";
import { createEventReader } from "#features/files/event-files/event-reader.ts";
import { createRecordedEventsStore } from "#features/files/event-files/recorded-events.store.ts";
import { createActivityTally } from "#features/system/feeds/activity-tally.task.ts";
import { createFileExtractionStore } from "#features/files/file-extraction/file-extraction.store.ts";
import { createFileExtraction } from "#features/files/file-extraction/file-extraction.task.ts";
import { createSecondSeriesReader } from "#features/files/file-extraction/second-series.reader.ts";
import { createConnectivityMonitor } from "#features/alarms/fleet-notices/connectivity-monitor.task.ts";
import { createIncidentFollowedStore } from "#features/alarms/incidents/incident-followed.store.ts";
import { createIncidents } from "#features/alarms/incidents/incidents.task.ts";
import { createExtractionNotices } from "#features/alarms/fleet-notices/extraction-notices.ts";
import { createMissedDataMonitor } from "#features/alarms/fleet-notices/missed-data-monitor.task.ts";
import { createNodeClockMonitor } from "#features/alarms/fleet-notices/node-clock-monitor.task.ts";
import { createNotificationSender } from "#features/alarms/mail/notification-sender.task.ts";
import { createDemandRollup } from "#features/telemetry/metering/demand-rollup.task.ts";
import { createCoverageFillStore } from "#features/telemetry/coverage/coverage-fill.store.ts";
import { createCoverageFill } from "#features/telemetry/coverage/coverage-fill.task.ts";
import { createNodeSignalsStore } from "#features/telemetry/node-verdicts/node-signals.store.ts";
import { createNodeVerdicts } from "#features/telemetry/node-verdicts/node-verdicts.task.ts";
import { createTrendAggregatesStore } from "#features/telemetry/trends/trend-aggregates.store.ts";
import { createTrendAggregates } from "#features/telemetry/trends/trend-aggregates.task.ts";
import { createTrendsReadModel } from "#features/telemetry/trends/trends.read-model.ts";
import { createSecretsKey } from "#db/secrets-key.ts";
import { createBatchRunsStore } from "#features/telemetry/config-batches/batch-runs.store.ts";
import { createBatchSeal } from "#features/telemetry/config-batches/batch-seal.ts";
import { createConfigBatchesTask } from "#features/telemetry/config-batches/config-batches.task.ts";
import { createNodeCommands } from "#features/telemetry/node-commands/node-commands.service.ts";
import { createNodeValues } from "#features/telemetry/node-config/node-values.ts";
import { createNodeCommandPruner } from "#features/telemetry/node-commands/node-commands.task.ts";
import { createDeploymentStatusRoll } from "#features/directory/nodes/deployment-status-roll.task.ts";
import { createExpiredFilesStore } from "#features/system/retention/expired-files.store.ts";
import { createExpiredFiles } from "#features/system/retention/expired-files.ts";
import { createExpiredRowsStore } from "#features/system/retention/expired-rows.store.ts";
import { createRetentionPruner } from "#features/system/retention/retention-pruner.task.ts";
import { openFileStore } from "#lib/open-file-store.ts";
import { createSessionReaper } from "#services/session-reaper.task.ts";
import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";
import type { Task } from "#services/service.ts";

export interface ServiceTasksOptions {
  pool: Pool;
  config: Config;
  log: Log;
  clock: Clock;
  context: ServicesContext;
}

/** No one waits for it: a busy machine must not make a file fail. */
const eventPatienceMs = 120_000;

/** Every job that runs again and again; the scheduler runs each in one process of all. */
export function createServiceTasks({ pool, config, log, clock, context }: ServiceTasksOptions): Task[] {
  const fileStore = openFileStore(config).store;
  const alarms = createAlarmsStore(pool);
  const notify: NotifyOfAlarms = (client, raised) => context.faultNotices.notify(client, raised);
  const downloads = createDownloadsStore(pool);
  const packages = createPackageFolder(join(config.dataDir, "downloads"));
  const notifyFailures = createExtractionNotices(context.fleetNotices);
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
    createConfigBatchesTask({
      pool,
      store: createBatchRunsStore(pool),
      seal: createBatchSeal(pool, createSecretsKey(config.secretsKeyFile)),
      openNodes() {
        const commands = createNodeCommands(pool);
        const answerTimeoutMs = config.nodeAnswerMs;
        return { commands, values: createNodeValues({ pool, nodeCommands: commands, clock, answerTimeoutMs }) };
      },
      clock,
      log,
    }),
    createCoverageFill(pool, createCoverageFillStore(pool), clock),
    createTrendAggregates({ pool, store: createTrendAggregatesStore(pool), readModel: createTrendsReadModel(pool), clock }),
    createNodeVerdicts({ pool, store: createNodeSignalsStore(pool), clock }),
    createIncidents({ pool, store: createIncidentFollowedStore(pool), clock }),
    createFileExtraction({
      pool,
      store: createFileExtractionStore(pool),
      fileStore,
      clock,
      notifyFailures,
    }),
    createEventFileParser({
      pool,
      store: createEventFileParserStore(pool),
      events: createRecordedEventsStore(pool),
      read: createEventReader(fileStore, log, eventPatienceMs),
      clock,
      notify: (client, faults) => context.faultNotices.notify(client, faults),
      notifyFailures,
    }),
    createDownloadPacker({ pool, store: downloads, packages, fileStore, mail: context.mail, clock, log }),
    createDownloadCleaner(pool, downloads, packages, clock),
    createDeploymentStatusRoll({ pool, clock }),
    createActivityTally(pool, clock),
  ];
}
