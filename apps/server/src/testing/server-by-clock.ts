import { setTimeout as pause } from "node:timers/promises";
import { Registry } from "prom-client";
import type { Pool } from "pg";
import { createApp } from "#src/app.ts";
import { readConfig } from "#src/config.ts";
import { createContext } from "#src/context.ts";
import { openDatabase } from "#db/database.ts";
import { migrate } from "#db/migrate.ts";
import { createPool, patientConnectTimeoutMs } from "#db/pool.ts";
import { ensureScalarPartitions } from "#db/scalar-partitions.ts";
import { createSystemConfig } from "#features/system/system-config/system-config.service.ts";
import { createSystemConfigStore } from "#features/system/system-config/system-config.store.ts";
import { createIngestContext } from "#src/ingest-context.ts";
import { createDiskGuard } from "#lib/disk-guard.ts";
import { silentLog } from "#lib/log.ts";
import { createServiceTasks } from "#src/service-tasks.ts";
import { createServicesContext } from "#src/services-context.ts";
import { createIngestPresenceStore } from "#shared/ingest-presence.store.ts";
import type { Clock } from "#lib/clock.ts";
import type { UndoStack } from "#src/undo-stack.ts";

const daySeconds = 86_400;

export interface ServerByClockOptions {
  dataDir: string;
  /** Moved by whoever runs it: hours pass in seconds for the server as for what sends to it. */
  clock: Clock;
  /** Takes the stops, before anything can go wrong. */
  undo: UndoStack;
  /** Runs on the migrated database before anything listens. */
  prepare: (pool: Pool) => Promise<void>;
}

/** Broker, ingest, services and API in this process by a clock of someone else, on a database of their own. */
export async function startServerByClock({ dataDir, clock, undo, prepare }: ServerByClockOptions) {
  const config = readConfig({ DATA_DIR: dataDir, MQTT_PORT: "0" });
  const database = await openDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
  undo.add(() => database.stop(5_000));
  const pool = createPool(database.url, { max: 5, connectTimeoutMs: patientConnectTimeoutMs });
  undo.add(() => pool.end());
  await migrate(pool, silentLog);
  const now = clock.now() / 1_000;
  await ensureScalarPartitions(pool, now - 2 * daySeconds, now + 2 * daySeconds);
  await prepare(pool);

  const disk = createDiskGuard({ folder: dataDir, clock, log: silentLog });
  const registry = new Registry();
  const ingestPool = createPool(database.url, { max: 5, pipeline: true, connectTimeoutMs: patientConnectTimeoutMs });
  undo.add(() => ingestPool.end());
  const ingest = createIngestContext({ pool: ingestPool, config, log: silentLog, clock, registry, disk });
  const { mqttUrl } = await ingest.start();
  undo.add(() => ingest.stop());
  const apiOptions = { pool, config, log: silentLog, clock, disk, consoleDir: dataDir, ports: () => ({ v1: 0, v2: undefined }) };
  const api = await createContext({ ...apiOptions, registry: new Registry() });
  undo.add(() => api.stop());
  const app = await createApp(api);
  undo.add(() => app.close());
  const systemConfig = createSystemConfig({ pool, store: createSystemConfigStore(pool), log: silentLog });
  const services = createServicesContext({ pool, config, log: silentLog, clock, systemConfig, consoleUrl: () => "http://127.0.0.1" });
  const tasks = createServiceTasks({ pool, config, log: silentLog, clock, context: services });
  const presence = createIngestPresenceStore(pool);
  const count = async (name: string) => {
    const { values = [] } = (await registry.getSingleMetric(name)?.get()) ?? {};
    return values[0]?.value ?? 0;
  };

  return {
    pool,
    mqttUrl,
    received: () => count("busbar_ingest_received_total"),
    /** Until all that was received is stored. */
    async settled(): Promise<void> {
      while ((await count("busbar_ingest_queue_length")) > 0) await pause(5);
    },
    /** Runs services at once, as ingest listens. */
    async run(...names: readonly string[]): Promise<void> {
      const { rows } = await pool.query<{ id: string }>("select id from ingest_presence order by started_at desc limit 1");
      await presence.beat(rows[0]!.id, clock.now());
      for (const name of names) await tasks.find((task) => task.name === name)!.run(new AbortController().signal);
    },
    app,
  };
}
export type ServerByClock = Awaited<ReturnType<typeof startServerByClock>>;
