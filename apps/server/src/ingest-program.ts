import { counted } from "@busbar/contract/values/counted.ts";
import type { Registry } from "prom-client";
import { createIngestContext } from "./ingest-context.ts";
import { whyNot } from "./listen.ts";
import { runRole } from "./role-program.ts";
import { systemClock as clock } from "#lib/clock.ts";
import { createDiskGuard } from "#lib/disk-guard.ts";
import { silentLog } from "#lib/log.ts";
import { folderThatFills } from "#lib/open-file-store.ts";
import { createContinuousServices } from "#services/continuous-services.ts";

// Broker and ingest with an event loop of their own, so that people and telemetry do not hold each other up.
runRole("ingest", async ({ config, log, registry, undo, openPool }) => {
  // The guard of the program's main thread says what there is to say.
  const disk = createDiskGuard({ folder: folderThatFills(config), clock, log: silentLog });
  undo.add(() => Promise.resolve(disk.stop()));
  disk.start();
  const ingestPool = openPool("ingest", { max: 10, statementTimeoutMs: 10_000, pipeline: true });
  const ingest = createIngestContext({ pool: ingestPool, config, log, clock, registry, disk });
  undo.add(() => ingest.stop());
  const { mqttUrl } = await ingest.start().catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== "listen") throw error;
    throw new Error(whyNot(error, "MQTT_PORT", config.host, config.mqttPort));
  });
  const problem = () => ingest.problem();
  const services = [
    {
      name: "MqttIngest",
      problem,
      processed: () => readMetric(registry, "busbar_ingest_stored_total"),
      did: (count: number) => `Stored ${counted(count, "scalar")}`,
    },
  ];
  const continuous = createContinuousServices({ pool: openPool("ingest service", { max: 2 }), services, clock, log });
  undo.add(() => continuous.stop());
  continuous.start();
  return { url: mqttUrl, problem };
});

async function readMetric(registry: Registry, name: string): Promise<number> {
  const metric = await registry.getSingleMetric(name)?.get();
  return metric?.values[0]?.value ?? 0;
}
