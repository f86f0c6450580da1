import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";
import { Registry } from "prom-client";
import { groupOf } from "@busbar/sparkplug/topic.ts";
import { DataType } from "@busbar/sparkplug/datatypes.ts";
import { createEdgeSession, type EdgeMessage, type EdgeSession } from "@busbar/sparkplug/edge-session.ts";
import type { MetricInput } from "@busbar/sparkplug/payload.ts";
import { metricAliases, metricNames, scalarMeasurements } from "@busbar/contract/telemetry/sparkplug-namespace.ts";
import { createIngestContext, type IngestContext, type IngestContextOptions } from "#src/ingest-context.ts";
import { createPool, patientConnectTimeoutMs, type Pool } from "#db/pool.ts";
import { systemClock } from "#lib/clock.ts";
import { createDiskGuard } from "#lib/disk-guard.ts";
import { silentLog } from "#lib/log.ts";
import { hashNodeSecret } from "#lib/node-secrets.ts";
import { createTestDatabase, type TestDatabase } from "./test-database.ts";
import { addNode, type TestPlace } from "./test-world.ts";

export const testSecret = "secret-of-a-test-node";

export interface TestIngest {
  database: TestDatabase;
  /** The pipelined pool of ingest. */
  pool: Pool;
  context: IngestContext;
  dataDir: string;
  registry: Registry;
  mqttUrl: string;
  /** A node in the database that may connect. */
  addNode(serial: number, place?: TestPlace, columns?: Record<string, unknown>): Promise<void>;
  /** An MQTT client as the node of this serial; options override the right credentials. */
  connect(serial: number | string, options?: IClientOptions): Promise<MqttClient>;
  /** Rows of one query. */
  rows<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

/** Broker and ingest on a free port, with a database of their own or beside an application on the given one. */
export async function createTestIngest(options: Partial<IngestContextOptions> = {}, shared?: TestDatabase): Promise<TestIngest> {
  const database = shared ?? (await createTestDatabase());
  const registry = new Registry();
  const dataDir = await mkdtemp(join(tmpdir(), "busbar-ingest-"));
  const pool = createPool(database.url, { max: 5, pipeline: true, connectTimeoutMs: patientConnectTimeoutMs });
  const context = createIngestContext({
    pool,
    config: { host: "127.0.0.1", mqttPort: 0, mqttUrl: undefined, scalarRetentionDays: 3, dataDir, trustedProxies: ["loopback"] },
    log: silentLog,
    clock: systemClock,
    registry,
    disk: createDiskGuard({ folder: dataDir, clock: systemClock, log: silentLog }),
    ...options,
  });
  const { mqttUrl } = await context.start();
  const clients: MqttClient[] = [];
  return {
    database,
    dataDir,
    pool,
    context,
    registry,
    mqttUrl,
    async addNode(serial, place, columns) {
      await addNode(database.pool, serial, place, columns);
      await database.pool.query("insert into node_credential (serial_number, secret_hash) values ($1, $2)", [
        serial,
        hashNodeSecret(testSecret),
      ]);
    },
    async connect(serial, clientOptions) {
      const client = await connectNode(mqttUrl, String(serial), clientOptions);
      clients.push(client);
      return client;
    },
    async rows<Row extends object>(text: string, values: unknown[] = []) {
      return (await database.pool.query<Row>(text, values)).rows;
    },
    async stop() {
      for (const client of clients) client.end(true);
      await context.stop();
      await pool.end();
      if (!shared) await database.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export async function connectNode(mqttUrl: string, serial: string, options: IClientOptions = {}): Promise<MqttClient> {
  const client = await connectAsync(
    mqttUrl,
    { clientId: serial, username: serial, password: testSecret, reconnectPeriod: 0, connectTimeout: 60_000, ...options },
    false,
  );
  client.on("error", () => undefined);
  return client;
}

export interface TestNode {
  edge: EdgeSession;
  client: MqttClient;
  /** Publishes with QoS 1 and waits for the acknowledgement. */
  send(message: EdgeMessage): Promise<void>;
  birth(metrics?: MetricInput[]): Promise<void>;
  data(metrics: MetricInput[]): Promise<void>;
}

/** A node that is connected, with its last will, not yet born. */
export async function startTestNode(ingest: TestIngest, serial: number, lastBdSeq?: number): Promise<TestNode> {
  const edge = createEdgeSession({ group: groupOf(serial), edge: String(serial), ...(lastBdSeq === undefined ? {} : { lastBdSeq }) });
  const will = edge.connect(Date.now());
  const client = await ingest.connect(serial, { will: { ...will, payload: Buffer.from(will.payload) } });
  const send = async ({ topic, payload }: EdgeMessage) => {
    await client.publishAsync(topic, Buffer.from(payload), { qos: 1 });
  };
  return {
    edge,
    client,
    send,
    birth: (metrics = birthMetrics()) => send(edge.birth(metrics, Date.now())),
    data: (metrics) => send(edge.data(metrics, Date.now())),
  };
}

/** Every scalar and power metric with its alias, without a value yet. */
export function birthMetrics(now = Date.now()): MetricInput[] {
  const integers: string[] = [metricNames.scalarVersion, metricNames.scalarFlag];
  return Object.entries(metricAliases)
    .filter(([name]) => name.startsWith("Scalar/") || /^Meter\/(P|Q|PF)[123]$/.test(name))
    .map(([name, alias]) => ({
      name,
      alias,
      datatype: integers.includes(name) ? DataType.Int32 : DataType.Float,
      isNull: true,
      timestamp: now,
    }));
}

/** A zone whose midnight is at least an hour away: a test of one day does not fall on two. */
export function zoneAtDaytime(now = Date.now()): string {
  const hour = new Date(now).getUTCHours();
  return hour >= 1 && hour < 23 ? "UTC" : "Pacific/Honolulu";
}

/** One scalar by alias: every measurement is `value`. */
export function scalarMetrics(atMs: number, value: number, more: MetricInput = {}): MetricInput[] {
  const floats = scalarMeasurements.map((name) => ({
    alias: metricAliases[name],
    datatype: DataType.Float,
    value,
    timestamp: atMs,
    ...more,
  }));
  const integer = (name: "Scalar/Version" | "Scalar/Flag") => ({
    alias: metricAliases[name],
    datatype: DataType.Int32,
    value: 1,
    timestamp: atMs,
    ...more,
  });
  return [integer("Scalar/Version"), integer("Scalar/Flag"), ...floats];
}
