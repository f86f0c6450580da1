import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Pool } from "pg";
import type { Registry } from "prom-client";
import type { Config } from "./config.ts";
import { createConnectivityStore } from "#features/telemetry/connectivity/connectivity.store.ts";
import { createMeterStore } from "#features/telemetry/metering/meters.store.ts";
import { createCommandDispatcher, type CommandDispatcherOptions } from "#features/telemetry/node-commands/command-dispatcher.ts";
import { createNodeAnswersStore } from "#features/telemetry/node-commands/node-answers.store.ts";
import { createDataFilesIngest, type AssemblyLimits } from "#features/files/data-files/data-files.ingest.ts";
import { createDataFilesStore } from "#features/files/data-files/data-files.store.ts";
import { createNodeCredentials } from "#features/directory/node-credentials/node-credentials.service.ts";
import { createNodeCredentialsStore } from "#features/directory/node-credentials/node-credentials.store.ts";
import { createGroupLeases, type GroupLeases } from "#features/telemetry/node-groups/group-leases.ts";
import { createNodeGroupsStore, hostGroup, lostGroups } from "#features/telemetry/node-groups/node-groups.store.ts";
import { createNodeWatch } from "#features/telemetry/node-watch/node-watch.ts";
import { createNodeWatchStore } from "#features/telemetry/node-watch/node-watch.store.ts";
import { createRefusedTriesStore } from "#features/telemetry/node-verdicts/refused-tries.store.ts";
import { createRefusedTries } from "#features/telemetry/node-verdicts/refused-tries.ts";
import { createQuarantineStore } from "#features/telemetry/quarantine/quarantine.store.ts";
import { createScalarRetention } from "#features/system/retention/scalar-retention.ts";
import { createIngest, type IngestGroups, type IngestOptions } from "#features/telemetry/scalars/scalars.ingest.ts";
import { createIngestPresence } from "#features/telemetry/scalars/ingest-presence.ts";
import { createIngestPresenceStore } from "#shared/ingest-presence.store.ts";
import { createSystemConfig } from "#features/system/system-config/system-config.service.ts";
import { createSystemConfigStore } from "#features/system/system-config/system-config.store.ts";
import { createScalarsStore } from "#features/telemetry/scalars/scalars.store.ts";
import { createBroker, type BrokerLimits } from "#mqtt/broker.ts";
import { createNodeEvictions } from "#mqtt/node-evictions.ts";
import { createExternalBroker } from "#mqtt/external.ts";
import { addressOf } from "#mqtt/mqtt-link.ts";
import { groupOf } from "@busbar/sparkplug/topic.ts";
import { createAddressList } from "#lib/address-list.ts";
import type { Clock } from "#lib/clock.ts";
import type { DiskGuard } from "#lib/disk-guard.ts";
import { openFileStore, type FilesLocation } from "#lib/open-file-store.ts";
import { createLimitedLog } from "#lib/limited-log.ts";
import type { Log } from "#lib/log.ts";

export interface IngestContextOptions {
  /** Made with `pipeline`, at least four connections; a statement timeout makes a hanging database an outage instead of a standstill. */
  pool: Pool;
  config: Pick<Config, "host" | "mqttPort" | "mqttUrl" | "scalarRetentionDays" | "dataDir" | "trustedProxies"> & FilesLocation;
  log: Log;
  clock: Clock;
  registry: Registry;
  disk: Pick<DiskGuard, "problem">;
  brokerLimits?: Partial<BrokerLimits>;
  fileLimits?: Partial<AssemblyLimits>;
}

export interface IngestContext {
  start(): Promise<{ mqttUrl: string }>;
  stop(): Promise<void>;
  /** For readiness: what keeps telemetry from being stored. */
  problem(): string | undefined;
}

/** Broker and ingest put together: nodes come in through the broker of this process, or through an external one. */
export function createIngestContext(options: IngestContextOptions): IngestContext {
  const { pool, config, log, clock, registry } = options;
  const worker = randomUUID();
  const connectivity = createConnectivityStore(pool);
  // Ingest speaks through the broker, which hands it what it hears.
  let publishCommand: IngestOptions["publishCommand"] = () => undefined;
  let canPublish = () => true;
  const files = createDataFilesIngest({
    pool,
    store: createDataFilesStore(pool),
    fileStore: openFileStore(config).store,
    clock,
    limitedLog: createLimitedLog(log, clock),
    registry,
    disk: options.disk,
    publishCommand: (topic, payload) => publishCommand(topic, payload),
    canPublish: () => canPublish(),
    ...(options.fileLimits ? { limits: options.fileLimits } : {}),
  });
  const systemConfig = createSystemConfig({
    pool,
    store: createSystemConfigStore(pool),
    log,
  });
  const retention = createScalarRetention({
    fixedDays: config.scalarRetentionDays,
    readSetting: () => systemConfig.get("Retention_scalarDays"),
  });
  // Nodes are heard through the broker, made below.
  let problem = (): string | undefined => undefined;
  let isListening = () => problem() === undefined;
  const presence = createIngestPresence({
    store: createIngestPresenceStore(pool),
    clock,
    log,
    isListening: () => isListening(),
  });
  const groupsStore = createNodeGroupsStore(pool);
  let noteLost: GroupLeases["noteLost"] = () => undefined;
  let holdOf: IngestGroups["holdOf"] = () => undefined;
  let listeningHold: IngestGroups["listeningHold"] = () => undefined;
  const ingest = createIngest({
    pool,
    scalars: createScalarsStore(pool),
    meters: createMeterStore(),
    connectivity,
    quarantine: createQuarantineStore(),
    nodeAnswers: createNodeAnswersStore(),
    outages: presence.outages,
    clock,
    log,
    registry,
    files,
    retentionDays: retention.days,
    publishCommand: (topic, payload) => publishCommand(topic, payload),
    ...(config.mqttUrl === undefined
      ? {}
      : {
          groups: {
            holdGroups: (client, holds) => groupsStore.hold(client, holds),
            noteLostGroups(error) {
              const lost = lostGroups(error);
              if (lost) noteLost(lost);
              return lost !== undefined;
            },
            holdOf: (group) => holdOf(group),
            listeningHold: (group) => listeningHold(group),
          },
        }),
  });
  const watch = createNodeWatch({ store: createNodeWatchStore(pool), clock, limitedLog: createLimitedLog(log, clock) });
  const submit = watch.tap(ingest.submit);
  const createDispatcher = (broker: Pick<CommandDispatcherOptions, "publishCommand" | "canPublish">) =>
    createCommandDispatcher({ pool, clock, log, ...broker });

  const credentialsStore = createNodeCredentialsStore(pool);

  if (config.mqttUrl !== undefined) {
    const external = createExternalBroker({
      url: config.mqttUrl,
      worker,
      ingest: { ...ingest, submit },
      noteUp: () => leases.wake(),
      noteGap: ingest.noteGap,
      nextStateTime: (notBeforeMs) => groupsStore.nextStateTime(notBeforeMs),
      clock,
      log,
      registry,
    });
    const leases = createGroupLeases({
      store: groupsStore,
      worker,
      host: hostname(),
      clock,
      log,
      canListen: external.canListen,
      isListening: external.isListening,
      begin: external.begin,
      async handOver(hold, isLastWorker) {
        await external.handOver(hold, isLastWorker);
        ingest.forget(hold);
      },
      drop(hold) {
        external.drop(hold);
        ingest.forget(hold);
      },
      noteAllListening: external.noteAllListening,
    });
    const evictions = createNodeEvictions({
      url: config.mqttUrl,
      findSuspects: (seconds) => credentialsStore.findSuspects(seconds),
      findLockedOut: () => credentialsStore.findLockedOut(),
      isOurs: (serial) => leases.holdOf(groupOf(serial)) !== undefined,
      clock,
      limitedLog: createLimitedLog(log, clock),
    });
    ({ noteLost, holdOf } = leases);
    listeningHold = (group) => {
      const hold = holdOf(group);
      return hold && external.isListening(hold) ? hold : undefined;
    };
    publishCommand = external.publishCommand;
    canPublish = external.canListen;
    problem = () => external.problem() ?? leases.problem() ?? ingest.problem();
    // One session that is down, or one group that may not be listened to, is not the platform's absence for all others.
    isListening = () =>
      ingest.problem() === undefined && [...leases.holds()].some(({ name }) => name !== hostGroup && listeningHold(name) !== undefined);
    const dispatcher = createDispatcher({ publishCommand, canPublish });
    return {
      async start() {
        await retention.start();
        await presence.start();
        ingest.start();
        files.start();
        watch.start();
        external.start();
        leases.start();
        evictions.start();
        dispatcher.start();
        return { mqttUrl: addressOf(new URL(config.mqttUrl!)) };
      },
      async stop() {
        retention.stop();
        await presence.stop();
        await dispatcher.stop();
        await evictions.stop();
        await leases.stop();
        await watch.stop();
        await external.stop();
        await ingest.stop();
        await files.stop();
      },
      problem,
    };
  }
  const credentials = createNodeCredentials(credentialsStore, clock);
  const refusedTries = createRefusedTries({ store: createRefusedTriesStore(pool), clock, limitedLog: createLimitedLog(log, clock) });
  const broker = createBroker({
    ingest: { ...ingest, submit },
    watch,
    noteRefused: refusedTries.note,
    credentials,
    clock,
    log,
    registry,
    isTrustedProxy: createAddressList(config.trustedProxies),
    limits: options.brokerLimits,
  });
  publishCommand = broker.publishCommand;
  problem = ingest.problem;
  const dispatcher = createDispatcher({ publishCommand, canPublish });
  return {
    async start() {
      // The connections of an earlier run ended with it.
      await connectivity.markAllDisconnected();
      await retention.start();
      await presence.start();
      ingest.start();
      files.start();
      watch.start();
      refusedTries.start();
      const { port } = await broker.start({ host: config.host, port: config.mqttPort });
      dispatcher.start();
      return { mqttUrl: `mqtt://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}` };
    },
    async stop() {
      retention.stop();
      await presence.stop();
      await dispatcher.stop();
      await watch.stop();
      await broker.stop();
      await refusedTries.stop();
      await ingest.stop();
      await files.stop();
    },
    problem,
  };
}
