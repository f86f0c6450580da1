import { hostname } from "node:os";
import type { Pool } from "pg";
import type { Registry } from "prom-client";
import { ConfigError } from "./config.ts";
import type { Config } from "./config.ts";
import { whyNot } from "./listen.ts";
import type { Role } from "./roles.ts";
import type { UndoStack } from "./undo-stack.ts";
import { createConnectivityStore } from "#features/connectivity/connectivity.store.ts";
import { createNodeCredentials } from "#features/node-credentials/node-credentials.service.ts";
import { createNodeCredentialsStore } from "#features/node-credentials/node-credentials.store.ts";
import { createQuarantineStore } from "#features/quarantine/quarantine.store.ts";
import { createIngest } from "#features/scalars/scalars.ingest.ts";
import type { Ingest } from "#features/scalars/scalars.ingest.ts";
import { createScalarsStore } from "#features/scalars/scalars.store.ts";
import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";
import { createBroker } from "#mqtt/broker.ts";
import { createExternalBroker } from "#mqtt/external.ts";

export interface IngestParts {
  pool: Pool;
  config: Config;
  roles: readonly Role[];
  clock: Clock;
  log: Log;
  registry: Registry;
  drainMs: number;
  undo: UndoStack;
}

export interface RunningIngest {
  ingest: Ingest;
  mqttUrl: string;
  /** Why nothing can come in or be stored; undefined while all is well. */
  problem(): string | undefined;
}

/** Starts what takes in telemetry: the broker in this process or a connection to another one, and ingest behind either. */
export async function startIngest(parts: IngestParts): Promise<RunningIngest | undefined> {
  const { config, roles } = parts;
  const hasBroker = roles.includes("broker") && config.mqttUrl === undefined;
  const hasIngest = roles.includes("ingest");
  if (config.mqttUrl === undefined && hasBroker !== hasIngest) {
    throw new ConfigError("The roles broker and ingest go together, unless MQTT_URL names another broker.");
  }
  if (!hasIngest) return undefined;
  const { pool, clock, log, registry } = parts;
  let publishCommand: (topic: string, payload: Uint8Array) => void = () => undefined;
  const ingest = createIngest({
    pool,
    scalars: createScalarsStore(pool),
    connectivity: createConnectivityStore(pool),
    quarantine: createQuarantineStore(),
    clock,
    log,
    registry,
    publishCommand: (topic, payload) => publishCommand(topic, payload),
    retentionDays: config.scalarRetentionDays,
  });
  ingest.start();
  parts.undo.add(() => ingest.stop(parts.drainMs));

  const link = config.mqttUrl === undefined ? await startBroker(parts, ingest) : startExternal(parts, ingest, config.mqttUrl);
  publishCommand = link.publishCommand;
  return { ingest, mqttUrl: link.url, problem: () => link.problem() ?? ingest.problem() };
}

async function startBroker({ pool, config, clock, log, registry, undo }: IngestParts, ingest: Ingest) {
  const credentials = createNodeCredentials(createNodeCredentialsStore(pool), clock);
  const broker = createBroker({ credentials, submit: ingest.submit, clock, log, registry });
  undo.add(() => broker.stop());
  try {
    const { port } = await broker.start({ host: config.host, port: config.mqttPort });
    return { url: `mqtt://${config.host}:${port}`, publishCommand: broker.publishCommand, problem: () => undefined };
  } catch (error) {
    throw new Error(whyNot(error as NodeJS.ErrnoException, "MQTT_PORT", config.host, config.mqttPort), { cause: error });
  }
}

function startExternal({ clock, log, registry, undo }: IngestParts, ingest: Ingest, url: string) {
  const broker = createExternalBroker({ url, workerName: `busbar-${hostname()}`, submit: ingest.submit, clock, log, registry });
  undo.add(() => broker.stop());
  broker.start();
  return { url, publishCommand: broker.publishCommand, problem: () => broker.problem() };
}
