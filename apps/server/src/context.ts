import type { Pool } from "pg";
import { collectDefaultMetrics, type Registry } from "prom-client";
import type { Config } from "./config.ts";
import type { SessionService } from "#features/access/session/session.service.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import type { BrokerAuthDependencies } from "#features/directory/broker-auth/broker-auth.routes.ts";
import type { ConsoleFilesDependencies } from "#features/system/console-files/console-files.routes.ts";
import type { HealthDependencies, ReadinessCheck } from "#features/system/health/health.routes.ts";
import { createSystemConfig } from "#features/system/system-config/system-config.service.ts";
import { createSystemConfigStore } from "#features/system/system-config/system-config.store.ts";
import { createFleetCache, type FleetCache } from "#features/telemetry/node-dashboard/fleet-cache.ts";
import { createFleetReadModel } from "#features/telemetry/node-dashboard/fleet.read-model.ts";
import type { ConsoleOrigins } from "#http/cross-origin.ts";
import type { Authenticators, Handlers } from "#http/endpoints.ts";
import { createRequestCounter, type RequestCounter } from "#http/request-counter.ts";
import type { Clock } from "#lib/clock.ts";
import type { DiskGuard } from "#lib/disk-guard.ts";
import { openFileStore, type OpenFileStore } from "#lib/open-file-store.ts";
import { httpUrl } from "#lib/http-url.ts";
import type { Log } from "#lib/log.ts";
import { createAccess } from "./context/access.ts";
import { createDirectory } from "./context/directory.ts";
import { createFiles } from "./context/files.ts";
import { createAlarmCalls, createPlatformMail } from "./context/alarms.ts";
import { createOffice } from "./context/office.ts";
import { createSystem } from "./context/system.ts";
import { createTelemetry } from "./context/telemetry.ts";

export interface ContextOptions {
  pool: Pool;
  config: Config;
  log: Log;
  clock: Clock;
  registry: Registry;
  /** Of the threads beside this one, in Prometheus' text format. */
  threadMetrics?: () => Promise<string[]>;
  consoleDir: string;
  disk: DiskGuard;
  /** Ports that really answer, known once they listen. */
  ports: () => { v1: number; v2: number | undefined };
  /** What else must be ready, such as ingest. */
  checks?: ReadinessCheck[];
  /** How long one event file may take that a page asks for, other than usual. */
  eventPatienceMs?: number;
}

/** Everything that an API process is made of, put together in one visible place. */
export interface Context {
  log: Log;
  trustedProxies: string[];
  handlers: Handlers;
  sessions: SessionService;
  authenticators: Authenticators;
  twoFactor: TwoFactor;
  fleet: FleetCache;
  health: HealthDependencies;
  /** Whether files can be stored and read. */
  filesCheck: { name: string } & Pick<OpenFileStore, "problem">;
  brokerAuth: BrokerAuthDependencies;
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
  const { pool, config, log, clock, registry, consoleDir, disk, ports, checks = [], threadMetrics, eventPatienceMs } = options;
  collectDefaultMetrics({ register: registry });
  const requests = createRequestCounter(registry);
  const fleet = createFleetCache({ readModel: createFleetReadModel(pool), log });
  const isDatabaseAway = () => fleet.isLoaded() && fleet.snapshot.isStale;
  const systemConfig = createSystemConfig({ pool, store: createSystemConfigStore(pool), log });
  const base = { pool, config, log, clock, systemConfig };

  const mail = createPlatformMail({ ...base, consoleUrl: () => config.publicUrl ?? httpUrl(config.host, ports().v1) });
  const system = createSystem({ ...base, registry, consoleDir, ports, fleet, mail });
  const { sessions, twoFactor, authenticators, ...access } = await createAccess({ ...base, mail, isDatabaseAway });
  const fileStore = openFileStore(config);
  const filesCheck = { name: "files", problem: fileStore.problem };
  const files = createFiles({ ...base, fileStore: fileStore.store, disk, authenticate: sessions.authenticate, eventPatienceMs });
  const office = createOffice({ ...base, privateFiles: files.privateFiles });
  const telemetry = createTelemetry({ ...base, fleet, requests, twoFactor });
  const { subscriptions, ...alarms } = createAlarmCalls(base);
  const directory = createDirectory({
    ...base,
    twoFactor,
    nodeConfig: telemetry.nodeConfig,
    judgeWiring: telemetry.judgeWiring,
    subscriptions,
  });

  return {
    log,
    trustedProxies: config.trustedProxies,
    sessions,
    authenticators,
    twoFactor,
    fleet,
    requests,
    handlers: {
      ...system.handlers,
      ...access.handlers,
      ...files.handlers,
      ...directory.handlers,
      ...office.handlers,
      ...telemetry.handlers,
      ...alarms.handlers,
    },
    filesCheck,
    health: {
      registry,
      ...(threadMetrics ? { threadMetrics } : {}),
      metricsToken: config.metricsToken,
      checks: [{ name: "fleet", problem: fleet.problem }, filesCheck, ...checks],
    },
    brokerAuth: { auth: directory.brokerAuth, token: config.brokerAuthToken, vhost: config.brokerAuthVhost },
    consoleFiles: system.consoleFiles,
    consoleOrigins: { isConsolePort: (port) => port === ports().v1, others: new Set(config.consoleOrigins) },
    startCollecting: () => system.start(),
    start: () => telemetry.start(),
    async stop() {
      await directory.stop();
      await telemetry.stop();
      await system.stop();
    },
  };
}
