import { monitorEventLoopDelay } from "node:perf_hooks";
import { parentPort, workerData } from "node:worker_threads";
import { Gauge, Registry } from "prom-client";
import { createIngestContext } from "./ingest-context.ts";
import type { IngestQuestion, IngestSettings, IngestMessage } from "./ingest-thread.ts";
import { whyNot } from "./listen.ts";
import { createUndoStack } from "./undo-stack.ts";
import { createPool, endPool } from "#db/pool.ts";
import type { PoolOptions } from "#db/pool.ts";
import { systemClock as clock } from "#lib/clock.ts";
import { createDiskGuard } from "#lib/disk-guard.ts";
import { createLog, silentLog } from "#lib/log.ts";
import { createContinuousServices } from "#services/continuous-services.ts";

// What `ingest-thread.ts` starts: broker and ingest with an event loop of their own, so that people and telemetry do not hold each other up.

const { config, logLevel, drainMs } = workerData as IngestSettings;
const port = parentPort!;
const send = (message: IngestMessage) => port.postMessage(message);
const log = createLog(logLevel, { write: (line) => send({ logged: line }) });
const undo = createUndoStack();
const registry = new Registry();
watchEventLoop();
let problem = (): string | undefined => "ingest has not been started yet";

async function start(databaseUrl: string): Promise<string> {
  const openPool = (name: string, options: PoolOptions) => {
    const pool = createPool(databaseUrl, { applicationName: `busbar ${name}`, ...options });
    undo.add(() => endPool(pool, drainMs));
    return pool;
  };
  // The guard of the program's main thread says what there is to say.
  const disk = createDiskGuard({ folder: config.dataDir, clock, log: silentLog });
  undo.add(() => Promise.resolve(disk.stop()));
  disk.start();
  const ingestPool = openPool("ingest", { max: 10, statementTimeoutMs: 10_000, pipeline: true });
  const ingest = createIngestContext({ pool: ingestPool, config, log, clock, registry, disk });
  problem = () => ingest.problem();
  undo.add(() => ingest.stop());
  const { mqttUrl } = await ingest.start().catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== "listen") throw error;
    throw new Error(whyNot(error, "MQTT_PORT", config.host, config.mqttPort));
  });
  const services = [{ name: "MqttIngest", problem, processed: () => readMetric("busbar_ingest_stored_total") }];
  const continuous = createContinuousServices({ pool: openPool("ingest service", { max: 2 }), services, clock, log });
  undo.add(() => continuous.stop());
  continuous.start();
  return mqttUrl;
}

async function readMetric(name: string): Promise<number> {
  const metric = await registry.getSingleMetric(name)?.get();
  return metric?.values[0]?.value ?? 0;
}

function watchEventLoop(): void {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const gauge: Gauge = new Gauge({
    name: "busbar_ingest_eventloop_lag_p99_seconds",
    help: "How late the event loop of broker and ingest was since the last time that this was read",
    registers: [registry],
    collect() {
      gauge.set(delay.percentile(99) / 1e9);
      delay.reset();
    },
  });
}

async function answer(question: IngestQuestion): Promise<string | undefined> {
  if (question.ask === "start") return await start(question.databaseUrl);
  if (question.ask === "problem") return problem();
  if (question.ask === "metrics") return await registry.metrics();
  await undo.run();
  return undefined;
}

port.on("message", (question: IngestQuestion) => {
  answer(question).then(
    (value) => send({ id: question.id, value }),
    (error: unknown) => send({ id: question.id, error: error as Error }),
  );
});
