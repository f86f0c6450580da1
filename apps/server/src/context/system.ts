import type { Pool } from "pg";
import type { Config } from "../config.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import { systemConfigHandlers } from "#features/system/system-config/system-config.handlers.ts";
import { createSystemConfig } from "#features/system/system-config/system-config.service.ts";
import { createSystemConfigStore } from "#features/system/system-config/system-config.store.ts";
import { createLogCollector } from "#features/system/system-messages/log-collector.ts";
import { createSystemFigures } from "#features/system/system-messages/system-figures.ts";
import { systemMessagesHandlers } from "#features/system/system-messages/system-messages.handlers.ts";
import { createSystemMessages } from "#features/system/system-messages/system-messages.service.ts";
import { createSystemMessagesStore } from "#features/system/system-messages/system-messages.store.ts";
import { systemServicesHandlers } from "#features/system/system-services/system-services.handlers.ts";
import { createSystemServices } from "#features/system/system-services/system-services.service.ts";
import type { Clock } from "#lib/clock.ts";
import { feedOf } from "#lib/log-feed.ts";
import type { Log } from "#lib/log.ts";
import { createServiceStore } from "#services/service.store.ts";

export interface SystemDependencies {
  pool: Pool;
  config: Config;
  log: Log;
  clock: Clock;
  mail: Mail;
}

/** The program about itself: settings, services, messages, figures. */
export function createSystem({ pool, config, log, clock, mail }: SystemDependencies) {
  const systemConfig = createSystemConfig({ pool, store: createSystemConfigStore(pool), log });
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
    systemConfig,
    handlers: {
      ...systemConfigHandlers(systemConfig),
      ...systemServicesHandlers(createSystemServices({ pool, store: createServiceStore(pool) })),
      ...systemMessagesHandlers(systemMessages),
    },
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
