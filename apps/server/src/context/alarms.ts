import type { Pool } from "pg";
import type { Config } from "../config.ts";
import type { FleetLimits } from "#features/alarms/alarms/alarm-settings.view.ts";
import { createDataPointAlerts } from "#features/alarms/data-point-alerts/data-point-alerts.service.ts";
import { createDigests } from "#features/alarms/digests/digests.service.ts";
import { createFaultNotices } from "#features/alarms/fault-notices/fault-notices.service.ts";
import { incidentsHandlers } from "#features/alarms/incidents/incidents.handlers.ts";
import { createIncidentCare } from "#features/alarms/incidents/incidents.service.ts";
import { createMailTransport } from "#features/alarms/mail/mail-transport.ts";
import { createMail, type Mail } from "#features/alarms/mail/mail.service.ts";
import { createMailStore } from "#features/alarms/mail/mail.store.ts";
import { mutesHandlers } from "#features/alarms/mutes/mutes.handlers.ts";
import { createMutes } from "#features/alarms/mutes/mutes.service.ts";
import { subscriptionsHandlers } from "#features/alarms/subscriptions/subscriptions.handlers.ts";
import { createSubscriptions } from "#features/alarms/subscriptions/subscriptions.service.ts";
import { createServiceNotices } from "#features/alarms/service-notices/service-notices.ts";
import type { SystemConfig } from "#features/system/system-config/system-config.service.ts";
import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";

export interface PlatformMailDependencies {
  pool: Pool;
  config: Config;
  log: Log;
  clock: Clock;
  consoleUrl: () => string;
}

export interface AlarmsDependencies extends PlatformMailDependencies {
  systemConfig: SystemConfig;
}

/** The outbox and what delivers it, with the sender and the links of this platform. */
export function createPlatformMail({ pool, config, log, clock, consoleUrl }: PlatformMailDependencies): Mail {
  return createMail({
    store: createMailStore(pool),
    transport: createMailTransport(config.smtpUrl, config.mailFrom),
    clock,
    log,
    domain: /@([^\s>]+)/.exec(config.mailFrom)?.[1] ?? "localhost",
    consoleUrl,
  });
}

/** What people do about what is wrong. */
export function createAlarmCalls(dependencies: { pool: Pool; clock: Clock }) {
  const subscriptions = createSubscriptions(dependencies.pool);
  return {
    subscriptions,
    handlers: {
      ...mutesHandlers(createMutes(dependencies)),
      ...incidentsHandlers(createIncidentCare(dependencies)),
      ...subscriptionsHandlers(subscriptions),
    },
  };
}

/** What judges nodes, and what is sent of it: notices, digests, mail. The services run it. */
export function createAlarms(dependencies: AlarmsDependencies) {
  const { pool, config, clock, systemConfig } = dependencies;
  const mail = createPlatformMail(dependencies);
  const environment = config.productionHosts.length > 0 ? "Production" : "Development";
  const defaultFlags = () => systemConfig.get("Location_faultLibraryAlertDefault");
  const internalRecipients = () => systemConfig.get("Notices_internalRecipients");
  const digests = createDigests(clock);
  const fleetNotices = { pool, clock, mail, digests, internalRecipients, environment };
  return {
    mail,
    fleetNotices,
    faultNotices: createFaultNotices({ mail, digests, defaultFlags, clock, environment }),
    dataPointAlerts: createDataPointAlerts({ mail, internalRecipients, clock, environment }),
    reportServiceIssue: createServiceNotices(fleetNotices),
    alarmLimits: async (): Promise<FleetLimits> => ({
      underloadPercent: await systemConfig.get("underloadPercent"),
      startsPerHour: await systemConfig.get("frequentStartsPerHour"),
      signaturePercent: await systemConfig.get("harmonicSignaturePercent"),
    }),
  };
}
