import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { systemConfigEntries } from "@busbar/contract/system/system-config.ts";
import type { FastifyInstance } from "fastify";
import type { Pool } from "pg";
import { Registry } from "prom-client";
import { createApp, createHealthApp } from "./app.ts";
import { reachedAt, type Config } from "./config.ts";
import { createContext } from "./context.ts";
import { closeApp, endConnections, listen } from "./listen.ts";
import { createRoleThread, type RoleThread, type ThreadRole } from "./role-thread.ts";
import { allRoles, refuseLoneBroker, type Role } from "./roles.ts";
import { createUndoStack, type UndoStack } from "./undo-stack.ts";
import { databaseProblem } from "#db/database-problem.ts";
import { openDatabase } from "#db/database.ts";
import { migrate } from "#db/migrate.ts";
import { createPool, endPool, patientConnectTimeoutMs, type PoolOptions } from "#db/pool.ts";
import { ensureScalarPartitions } from "#db/scalar-partitions.ts";
import type { ReadinessCheck } from "#features/system/health/health.routes.ts";
import { systemClock, type Clock } from "#lib/clock.ts";
import { createDiskGuard } from "#lib/disk-guard.ts";
import { keepHeapsSmall } from "#lib/heap-growth.ts";
import { httpUrl } from "#lib/http-url.ts";
import { folderThatFills } from "#lib/open-file-store.ts";
import type { Log } from "#lib/log.ts";

export interface ServerOptions {
  log: Log;
  roles?: readonly Role[];
  clock?: Clock;
  /** Folder of the console's build. */
  consoleDir?: string;
  /** Runs on the migrated database before anything listens. */
  prepare?(pool: Pool): Promise<void>;
  /** How long running calls and the database's last checkpoint may take at the end. */
  drainMs?: number;
}

export interface RunningServer {
  /** `health`: of a process that serves nothing else. */
  urls: { console: string | undefined; v2: string | undefined; mqtt: string | undefined; health: string | undefined };
  databaseUrl: string;
  pool: Pool;
  /** Says that it stops, stops accepting, finishes what runs, stores what came in, and ends the database last. */
  stop(): Promise<void>;
}

const builtConsole = fileURLToPath(new URL("../../console/dist", import.meta.url));
const daySeconds = 86_400;

/** Starts the program's roles on one database; what a failed start had begun is stopped again. */
export async function startServer(config: Config, options: ServerOptions): Promise<RunningServer> {
  const undo = createUndoStack();
  try {
    return await startParts(config, options, undo);
  } catch (error) {
    await undo.run().catch((failure: unknown) => options.log.error({ err: failure }, "the failed start left something behind"));
    throw error;
  }
}

async function startParts(config: Config, options: ServerOptions, undo: UndoStack): Promise<RunningServer> {
  const { log, roles = allRoles, clock = systemClock, drainMs = 10_000 } = options;
  refuseLoneBroker(roles, config.mqttUrl);
  keepHeapsSmall();
  const threads: RoleThread[] = [];
  const startThread = (role: ThreadRole) => {
    const thread = createRoleThread(role, { config, log, drainMs });
    undo.add(() => thread.end());
    threads.push(thread);
    return thread;
  };
  const ingest = roles.includes("ingest") ? startThread("ingest") : undefined;
  const services = roles.includes("services") ? startThread("services") : undefined;
  const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, log });
  undo.add(() => database.stop(drainMs));
  const openPool = (name: string, poolOptions: PoolOptions = {}) => {
    const pool = createPool(database.url, { max: 10, applicationName: `busbar ${name}`, ...poolOptions });
    undo.add(() => endPool(pool, drainMs));
    return pool;
  };

  const pool = openPool("work", { connectTimeoutMs: patientConnectTimeoutMs });
  await migrate(pool, log);
  const now = clock.now() / 1000;
  const scalarDays = config.scalarRetentionDays ?? systemConfigEntries.Retention_scalarDays.default;
  await ensureScalarPartitions(pool, now - scalarDays * daySeconds, now + 2 * daySeconds);
  await options.prepare?.(pool);

  const disk = createDiskGuard({ folder: folderThatFills(config), clock, log });
  undo.add(() => Promise.resolve(disk.stop()));
  disk.start();

  const ports: { v1: number; v2: number | undefined } = { v1: config.port, v2: undefined };
  const registry = new Registry();
  if (ingest) undo.add(() => ingest.stop());
  const mqttUrl = await ingest?.start({ databaseUrl: database.url });
  let isStopping = false;
  const partChecks: ReadinessCheck[] = [
    { name: "process", problem: () => (isStopping ? "it is stopping" : undefined) },
    ...(ingest ? [{ name: "ingest", problem: () => ingest.problem() }] : []),
  ];
  const apiPool = openPool("api", { statementTimeoutMs: 5_000 });
  const context = await createContext({
    pool: apiPool,
    config: mqttUrl === undefined ? config : { ...config, nodeMqttUrl: reachedAt(config.nodeMqttUrl, mqttUrl) },
    log,
    clock,
    registry,
    consoleDir: options.consoleDir ?? builtConsole,
    disk,
    ports: () => ports,
    checks: partChecks,
    threadMetrics: () => Promise.all(threads.map((thread) => thread.metrics())),
  });
  undo.add(() => context.stop());
  context.startCollecting();
  void context.filesCheck.problem().then((problem) => {
    if (problem !== undefined) log.error(problem);
  });

  const apps: FastifyInstance[] = [];
  let healthPort: number | undefined;
  if (roles.includes("api")) {
    await context.start();
    // v2 first: it may be refused, and the console must know before it is served.
    ports.v2 = await listenV2();
    const app = await createApp(context);
    undo.add(() => closeApp(app, drainMs));
    apps.push(app);
    ports.v1 = await listen(app, "PORT", config.host, config.port);
  } else {
    healthPort = await listenForHealth();
  }
  if (services) {
    undo.add(() => services.stop());
    await services.start({ databaseUrl: database.url, consoleUrl: config.publicUrl ?? httpUrl(config.host, ports.v1) });
  }

  async function listenV2(): Promise<number | undefined> {
    const app = await createApp(context);
    return await listenOrWarn(app, "V2_PORT", config.v2Port, "Until then the second version is served under PORT only.");
  }

  /** Several processes may share a machine and its settings: one that cannot be asked how it is works all the same. */
  async function listenForHealth(): Promise<number | undefined> {
    const app = await createHealthApp(context, [
      { name: "database", problem: () => databaseProblem(apiPool) },
      context.filesCheck,
      ...partChecks,
    ]);
    return await listenOrWarn(app, "PORT", config.port, "Until then this process cannot be asked for /healthz, /readyz and /metrics.");
  }

  async function listenOrWarn(app: FastifyInstance, variable: string, port: number, consequence: string): Promise<number | undefined> {
    try {
      const taken = await listen(app, variable, config.host, port);
      undo.add(() => closeApp(app, drainMs));
      apps.push(app);
      return taken;
    } catch (error) {
      await app.close();
      log.warn(`${(error as Error).message} ${consequence}`);
      return undefined;
    }
  }

  return {
    urls: {
      console: roles.includes("api") ? httpUrl(config.host, ports.v1) : undefined,
      v2: ports.v2 === undefined ? undefined : httpUrl(config.host, ports.v2),
      mqtt: mqttUrl,
      health: healthPort === undefined ? undefined : httpUrl(config.host, healthPort),
    },
    databaseUrl: database.url,
    pool,
    async stop() {
      isStopping = true;
      apps.forEach(endConnections);
      await pause(config.drainSeconds * 1_000);
      await undo.run();
    },
  };
}
