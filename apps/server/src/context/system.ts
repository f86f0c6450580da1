import { join } from "node:path";
import type { Pool } from "pg";
import type { Registry } from "prom-client";
import type { Config } from "../config.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import type { ConsoleFilesDependencies } from "#features/system/console-files/console-files.routes.ts";
import { createActivityFeed } from "#features/system/feeds/activity-feed.read-model.ts";
import { createChanges } from "#features/system/feeds/changes.read-model.ts";
import { feedsHandlers } from "#features/system/feeds/feeds.handlers.ts";
import { createLoginFeed } from "#features/system/feeds/login-feed.read-model.ts";
import { createNotificationFeed } from "#features/system/feeds/notification-feed.read-model.ts";
import { homeNeedsHandlers } from "#features/system/home-needs/home-needs.handlers.ts";
import { createHomeNeedsReadModel } from "#features/system/home-needs/home-needs.read-model.ts";
import { findHandlers } from "#features/system/find/find.handlers.ts";
import { createFindReadModel } from "#features/system/find/find.read-model.ts";
import { readPlatformFigures } from "#features/system/health/platform-figures.read-model.ts";
import { registerPlatformMetrics } from "#features/system/health/platform-metrics.ts";
import { savedViewsHandlers } from "#features/system/saved-views/saved-views.handlers.ts";
import { createSavedViews } from "#features/system/saved-views/saved-views.service.ts";
import { systemConfigHandlers } from "#features/system/system-config/system-config.handlers.ts";
import type { SystemConfig } from "#features/system/system-config/system-config.service.ts";
import { createLogCollector } from "#features/system/system-messages/log-collector.ts";
import { createSystemFigures } from "#features/system/system-messages/system-figures.ts";
import { systemMessagesHandlers } from "#features/system/system-messages/system-messages.handlers.ts";
import { createSystemMessages } from "#features/system/system-messages/system-messages.service.ts";
import { createSystemMessagesStore } from "#features/system/system-messages/system-messages.store.ts";
import { systemServicesHandlers } from "#features/system/system-services/system-services.handlers.ts";
import { createSystemServices } from "#features/system/system-services/system-services.service.ts";
import { createWaitingWork } from "#features/system/system-services/waiting-work.read-model.ts";
import type { FleetCache } from "#features/telemetry/node-dashboard/fleet-cache.ts";
import type { Clock } from "#lib/clock.ts";
import { readDiskSpace } from "#lib/disk-space.ts";
import { feedOf } from "#lib/log-feed.ts";
import type { Log } from "#lib/log.ts";
import { createServiceStore } from "#services/service.store.ts";

export interface SystemDependencies {
  pool: Pool;
  config: Config;
  log: Log;
  clock: Clock;
  registry: Registry;
  consoleDir: string;
  ports: () => { v1: number; v2: number | undefined };
  fleet: FleetCache;
  mail: Mail;
  systemConfig: SystemConfig;
}

/** The program about itself: settings, services, messages, feeds, figures, and the console's files. */
export function createSystem(dependencies: SystemDependencies) {
  const { pool, config, log, clock, registry, fleet, mail, systemConfig } = dependencies;
  registerPlatformMetrics({
    registry,
    readFigures: () => readPlatformFigures(pool, clock.now() / 1000),
    readDisk: () => readDiskSpace(config.dataDir),
  });
  const figures = createSystemFigures(config.dataDir);
  const messagesStore = createSystemMessagesStore(pool);
  const feed = feedOf(log);
  const logCollector = feed && createLogCollector(feed, messagesStore);
  const systemMessages = createSystemMessages({
    pool,
    store: messagesStore,
    figures,
    mail,
    recipients: () => systemConfig.get("System_debugRecipients"),
    clock,
  });
  return {
    handlers: {
      ...systemConfigHandlers(systemConfig),
      ...systemServicesHandlers(
        createSystemServices({ pool, store: createServiceStore(pool), waitingWork: createWaitingWork(pool), clock }),
      ),
      ...homeNeedsHandlers(createHomeNeedsReadModel(pool), clock),
      ...systemMessagesHandlers(systemMessages),
      ...savedViewsHandlers(createSavedViews(pool)),
      ...findHandlers(createFindReadModel(pool)),
      ...feedsHandlers({
        activities: createActivityFeed(pool),
        changes: createChanges(pool),
        notifications: createNotificationFeed(pool),
        logins: createLoginFeed(pool),
        countNodes: () => countNodes(fleet),
        clock,
      }),
    },
    consoleFiles: consoleFilesOf(dependencies),
    start() {
      figures.start();
      logCollector?.start();
    },
    async stop() {
      figures.stop();
      await logCollector?.stop();
    },
  };
}

function countNodes(fleet: FleetCache): { connected: number; all: number } {
  let connected = 0;
  for (const { live } of fleet.snapshot.entries.values()) if (live.isConnected) connected++;
  return { connected, all: fleet.snapshot.entries.size };
}

function consoleFilesOf({ config, log, clock, consoleDir, ports }: SystemDependencies): ConsoleFilesDependencies {
  return {
    clock,
    consoleDir,
    updatesFile: join(config.dataDir, "updates.json"),
    log,
    settings: () => ({
      v1Port: ports().v1,
      v2Port: ports().v2,
      productionHosts: config.productionHosts,
      loginServers: config.loginServers,
      showServerFlags: config.showServerFlags,
      initialCredential: config.initialCredential,
    }),
  };
}
