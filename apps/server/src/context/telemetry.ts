import { createSecretsKey } from "#db/secrets-key.ts";
import type { Pool } from "pg";
import type { Config } from "../config.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import type { SystemConfig } from "#features/system/system-config/system-config.service.ts";
import { createBatchSeal } from "#features/telemetry/config-batches/batch-seal.ts";
import { configBatchesHandlers } from "#features/telemetry/config-batches/config-batches.handlers.ts";
import { createConfigBatches } from "#features/telemetry/config-batches/config-batches.service.ts";
import { coverageHandlers } from "#features/telemetry/coverage/coverage.handlers.ts";
import { createCoverageReadModel } from "#features/telemetry/coverage/coverage.read-model.ts";
import { createCoverage } from "#features/telemetry/coverage/coverage.service.ts";
import { meteringHandlers } from "#features/telemetry/metering/metering.handlers.ts";
import { createMetering } from "#features/telemetry/metering/metering.service.ts";
import { networkConfigLogHandlers } from "#features/telemetry/network-config-log/network-config-log.handlers.ts";
import { createNetworkConfigLogReadModel } from "#features/telemetry/network-config-log/network-config-log.read-model.ts";
import { createNodeCommands } from "#features/telemetry/node-commands/node-commands.service.ts";
import { nodeConfigHandlers } from "#features/telemetry/node-config/node-config.handlers.ts";
import { createNodeConfig } from "#features/telemetry/node-config/node-config.service.ts";
import { createNodeValues } from "#features/telemetry/node-config/node-values.ts";
import { createDashboardAnswers } from "#features/telemetry/node-dashboard/dashboard-answers.ts";
import type { FleetCache } from "#features/telemetry/node-dashboard/fleet-cache.ts";
import { nodeDashboardHandlers } from "#features/telemetry/node-dashboard/node-dashboard.handlers.ts";
import { nodeWeekHandlers } from "#features/telemetry/node-week/node-week.handlers.ts";
import { createNodeWeekReadModel } from "#features/telemetry/node-week/node-week.read-model.ts";
import { nodeVerdictsHandlers } from "#features/telemetry/node-verdicts/node-verdicts.handlers.ts";
import { createNodeVerdictsReadModel } from "#features/telemetry/node-verdicts/node-verdicts.read-model.ts";
import { scalarHistoryHandlers } from "#features/telemetry/scalar-history/scalar-history.handlers.ts";
import { createScalarHistoryReadModel } from "#features/telemetry/scalar-history/scalar-history.read-model.ts";
import { sensorDataHandlers } from "#features/telemetry/sensor-data/sensor-data.handlers.ts";
import { createSensorDataReadModel } from "#features/telemetry/sensor-data/sensor-data.read-model.ts";
import { trendsHandlers } from "#features/telemetry/trends/trends.handlers.ts";
import { createTrendMarksReadModel } from "#features/telemetry/trends/trend-marks.read-model.ts";
import { createTrendThread } from "#features/telemetry/trends/trend-thread.ts";
import { createTrendsReadModel } from "#features/telemetry/trends/trends.read-model.ts";
import { createTrends } from "#features/telemetry/trends/trends.service.ts";
import type { RequestCounter } from "#http/request-counter.ts";
import type { Clock } from "#lib/clock.ts";
import type { Log } from "#lib/log.ts";

export interface TelemetryDependencies {
  pool: Pool;
  config: Config;
  log: Log;
  clock: Clock;
  fleet: FleetCache;
  requests: RequestCounter;
  twoFactor: TwoFactor;
  systemConfig: SystemConfig;
}

/** The current fleet, what nodes measured, and what is sent to them. */
export function createTelemetry({ pool, config, log, clock, fleet, requests, twoFactor, systemConfig }: TelemetryDependencies) {
  const answers = createDashboardAnswers(fleet, { serverStartUpTime: Math.floor(clock.now() / 1000), requestsServed: requests.served });
  const nodeCommands = createNodeCommands(pool);
  const metering = createMetering({
    pool,
    sendCommand: (command) => nodeCommands.send(command),
    readUsualEfficiency: () => systemConfig.get("motorEfficiency"),
    clock,
    log,
  });
  const answerTimeoutMs = config.nodeAnswerMs;
  const nodeConfig = createNodeConfig({ values: createNodeValues({ pool, nodeCommands, clock, answerTimeoutMs }), twoFactor });
  const trendThread = createTrendThread(pool);
  return {
    nodeConfig,
    judgeWiring: (serial: number) => metering.wiring(serial),
    handlers: {
      ...nodeDashboardHandlers(fleet, answers),
      ...nodeWeekHandlers(createNodeWeekReadModel(pool), clock),
      ...coverageHandlers(
        createCoverage({ pool, readModel: createCoverageReadModel(pool), clock, keptDays: () => systemConfig.get("Retention_fileDays") }),
      ),
      ...nodeVerdictsHandlers(createNodeVerdictsReadModel(pool)),
      ...scalarHistoryHandlers(createScalarHistoryReadModel(pool)),
      ...trendsHandlers(
        createTrends({
          work: trendThread.work,
          readModel: createTrendsReadModel(pool),
          marks: createTrendMarksReadModel(pool),
          clock,
          energyRate: () => systemConfig.get("Trends_dollarsPerKilowattHour"),
          keptScalarDays: async () => config.scalarRetentionDays ?? systemConfig.get("Retention_scalarDays"),
        }),
      ),
      ...sensorDataHandlers(createSensorDataReadModel(pool)),
      ...meteringHandlers(metering),
      ...nodeConfigHandlers(nodeConfig),
      ...configBatchesHandlers(
        createConfigBatches({ pool, seal: createBatchSeal(pool, createSecretsKey(config.secretsKeyFile)), twoFactor, clock }),
      ),
      ...networkConfigLogHandlers(createNetworkConfigLogReadModel(pool)),
    },
    start: () => fleet.start(),
    async stop() {
      await nodeCommands.stop();
      await fleet.stop();
      await trendThread.end();
    },
  };
}
