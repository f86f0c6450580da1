import { join } from "node:path";
import type { Pool } from "pg";
import { collectDefaultMetrics } from "prom-client";
import type { Registry } from "prom-client";
import type { Config } from "./config.ts";
import type { ConsoleFilesDependencies } from "#features/system/console-files/console-files.routes.ts";
import type { FleetLimits } from "#features/alarms/alarms/alarm-settings.view.ts";
import type { BillingRollDependencies } from "#features/office/billing/billing-roll.task.ts";
import { readBillingNotices, readBillingSettings } from "#features/office/billing/billing-settings.ts";
import { createBillingReadModel } from "#features/office/billing/billing.read-model.ts";
import { createDigests } from "#features/alarms/digests/digests.service.ts";
import { createDataPointAlerts } from "#features/alarms/data-point-alerts/data-point-alerts.service.ts";
import type { DataPointAlerts } from "#features/alarms/data-point-alerts/data-point-alerts.service.ts";
import { createFaultNotices } from "#features/alarms/fault-notices/fault-notices.service.ts";
import type { FaultNotices } from "#features/alarms/fault-notices/fault-notices.service.ts";
import type { FleetNoticesDependencies } from "#features/alarms/fleet-notices/connectivity-monitor.task.ts";
import type { HealthDependencies, ReadinessCheck } from "#features/system/health/health.routes.ts";
import { readPlatformFigures } from "#features/system/health/platform-figures.read-model.ts";
import { registerPlatformMetrics } from "#features/system/health/platform-metrics.ts";
import { createMailTransport } from "#features/alarms/mail/mail-transport.ts";
import { createMail } from "#features/alarms/mail/mail.service.ts";
import type { Mail } from "#features/alarms/mail/mail.service.ts";
import { createMailStore } from "#features/alarms/mail/mail.store.ts";
import { createNodeCommands } from "#features/telemetry/node-commands/node-commands.service.ts";
import { createFleetCache } from "#features/telemetry/node-dashboard/fleet-cache.ts";
import type { FleetCache } from "#features/telemetry/node-dashboard/fleet-cache.ts";
import { createFleetReadModel } from "#features/telemetry/node-dashboard/fleet.read-model.ts";
import { readRetentionDays } from "#features/system/retention/retention-days.ts";
import type { RetentionDays } from "#features/system/retention/retention-days.ts";
import type { SessionService } from "#features/access/session/session.service.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import { createServiceNotices } from "#features/alarms/service-notices/service-notices.ts";
import type { ConsoleOrigins } from "#http/cross-origin.ts";
import type { Authenticators, Handlers } from "#http/endpoints.ts";
import { createRequestCounter } from "#http/request-counter.ts";
import type { RequestCounter } from "#http/request-counter.ts";
import type { Clock } from "#lib/clock.ts";
import type { DiskGuard } from "#lib/disk-guard.ts";
import { readDiskSpace } from "#lib/disk-space.ts";
import { httpUrl } from "#lib/http-url.ts";
import type { Log } from "#lib/log.ts";
import { createAccess } from "./context/access.ts";
import { createDirectory } from "./context/directory.ts";
import { createNodeData } from "./context/node-data.ts";
import { createNodesContext } from "./context/nodes.ts";
import { createOffice } from "./context/office.ts";
import { createSystem } from "./context/system.ts";
import type { TellTrouble } from "#services/service-troubles.ts";

export interface ContextOptions {
  pool: Pool;
  config: Config;
  log: Log;
  clock: Clock;
  /** Metrics of the whole process. */
  registry: Registry;
  consoleDir: string;
  disk: DiskGuard;
  /** Ports that really answer, known once they listen. */
  ports: () => { v1: number; v2: number | undefined };
  /** What else must be ready, such as ingest. */
  checks?: ReadinessCheck[];
}

/** Everything that an API process is made of, put together in one visible place. */
export interface Context {
  log: Log;
  trustedProxies: string[];
  handlers: Handlers;
  sessions: SessionService;
  authenticators: Authenticators;
  twoFactor: TwoFactor;
  mail: Mail;
  faultNotices: FaultNotices;
  dataPointAlerts: DataPointAlerts;
  alarmLimits: () => Promise<FleetLimits>;
  fleetNotices: FleetNoticesDependencies;
  billingNotices: Pick<BillingRollDependencies, "readModel" | "settings" | "notices">;
  tellServiceTrouble: TellTrouble;
  retentionDays: () => Promise<RetentionDays>;
  fleet: FleetCache;
  health: HealthDependencies;
  consoleFiles: ConsoleFilesDependencies;
  requests: RequestCounter;
  consoleOrigins: ConsoleOrigins;
  /** What every process does, whatever its roles: its warnings and errors reach the system pages. */
  startCollecting(): void;
  /** What serving calls needs. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function createContext(options: ContextOptions): Promise<Context> {
  const { pool, config, log, clock, registry, consoleDir, disk, ports, checks = [] } = options;
  collectDefaultMetrics({ register: registry });
  registerPlatformMetrics({
    registry,
    readFigures: () => readPlatformFigures(pool, clock.now() / 1000),
    readDisk: () => readDiskSpace(config.dataDir),
  });
  const requests = createRequestCounter(registry);
  const fleet = createFleetCache({ readModel: createFleetReadModel(pool), log });
  const mail = createMail({
    store: createMailStore(pool),
    transport: createMailTransport(config.smtpUrl, config.mailFrom),
    clock,
    log,
    domain: /@([^\s>]+)/.exec(config.mailFrom)?.[1] ?? "localhost",
    consoleUrl: () => config.publicUrl ?? httpUrl(config.host, ports().v1),
  });
  const isDatabaseAway = () => fleet.isLoaded() && fleet.snapshot.isStale;
  const access = await createAccess({ pool, config, log, clock, mail, isDatabaseAway });
  const { sessions, twoFactor } = access;
  const system = createSystem({ pool, config, log, clock, mail });
  const { systemConfig } = system;
  const nodeCommands = createNodeCommands(pool);

  const environment = config.productionHosts.length > 0 ? "Production" : "Development";
  const defaultFlags = () => systemConfig.get("Location_faultLibraryAlertDefault");
  const internalRecipients = () => systemConfig.get("Notices_internalRecipients");
  const digests = createDigests(clock);
  const fleetNotices = { pool, clock, mail, digests, internalRecipients, environment };

  return {
    log,
    trustedProxies: config.trustedProxies,
    sessions,
    authenticators: access.authenticators,
    twoFactor,
    mail,
    faultNotices: createFaultNotices({ mail, digests, defaultFlags, environment }),
    fleetNotices,
    billingNotices: {
      readModel: createBillingReadModel(pool),
      settings: () => readBillingSettings(systemConfig),
      notices: () => readBillingNotices(systemConfig),
    },
    tellServiceTrouble: createServiceNotices(fleetNotices),
    dataPointAlerts: createDataPointAlerts({ mail, internalRecipients, environment }),
    alarmLimits: async () => ({
      underloadPercent: await systemConfig.get("underloadPercent"),
      startsPerHour: await systemConfig.get("frequentStartsPerHour"),
      signaturePercent: await systemConfig.get("harmonicSignaturePercent"),
    }),
    retentionDays: () => readRetentionDays(systemConfig, config.scalarRetentionDays),
    fleet,
    requests,
    handlers: {
      ...access.handlers,
      ...system.handlers,
      ...createDirectory({ pool, clock, twoFactor, systemConfig }).handlers,
      ...createNodesContext({ pool, config, clock, twoFactor, fleet, nodeCommands, requests }).handlers,
      ...createNodeData({ pool, config, log, clock, disk, nodeCommands, systemConfig }).handlers,
      ...createOffice({ pool, clock, systemConfig, authenticate: sessions.authenticate, countNodes: () => countNodes(fleet) }).handlers,
    },
    health: {
      registry,
      metricsToken: config.metricsToken,
      checks: [{ name: "fleet", problem: fleet.problem }, ...checks],
    },
    consoleFiles: {
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
    },
    consoleOrigins: { isConsolePort: (port) => port === ports().v1, others: new Set(config.consoleOrigins) },
    startCollecting: () => system.start(),
    start: () => fleet.start(),
    async stop() {
      await nodeCommands.stop();
      await fleet.stop();
      await system.stop();
    },
  };
}

function countNodes(fleet: FleetCache): { connected: number; all: number } {
  let connected = 0;
  for (const { live } of fleet.snapshot.entries.values()) if (live.isConnected) connected++;
  return { connected, all: fleet.snapshot.entries.size };
}
