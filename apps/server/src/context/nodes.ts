import type { Pool } from "pg";
import type { Config } from "../config.ts";
import { networkConfigLogHandlers } from "#features/telemetry/network-config-log/network-config-log.handlers.ts";
import { createNetworkConfigLogReadModel } from "#features/telemetry/network-config-log/network-config-log.read-model.ts";
import { nodeConfigHandlers } from "#features/telemetry/node-config/node-config.handlers.ts";
import { createNodeConfig } from "#features/telemetry/node-config/node-config.service.ts";
import { createDashboardAnswers } from "#features/telemetry/node-dashboard/dashboard-answers.ts";
import type { FleetCache } from "#features/telemetry/node-dashboard/fleet-cache.ts";
import { nodeDashboardHandlers } from "#features/telemetry/node-dashboard/node-dashboard.handlers.ts";
import { nodeTasksHandlers } from "#features/directory/node-tasks/node-tasks.handlers.ts";
import { createNodeTasks } from "#features/directory/node-tasks/node-tasks.service.ts";
import { taskTemplates } from "#features/directory/node-tasks/task-order.ts";
import { createNodeListReadModel } from "#features/directory/nodes/node-list.read-model.ts";
import { createNodeList } from "#features/directory/nodes/node-list.ts";
import { nodesHandlers } from "#features/directory/nodes/nodes.handlers.ts";
import { createNodes } from "#features/directory/nodes/nodes.service.ts";
import type { TwoFactor } from "#features/access/two-factor/two-factor.service.ts";
import type { RequestCounter } from "#http/request-counter.ts";
import type { Clock } from "#lib/clock.ts";
import type { NodeCommands } from "#features/telemetry/node-commands/node-commands.service.ts";

export interface NodesDependencies {
  pool: Pool;
  config: Config;
  clock: Clock;
  twoFactor: TwoFactor;
  fleet: FleetCache;
  nodeCommands: NodeCommands;
  requests: RequestCounter;
}

/** The fleet as it stands, and what is done to a node: its records, configuration and tasks. */
export function createNodesContext({ pool, config, clock, twoFactor, fleet, nodeCommands, requests }: NodesDependencies) {
  const answers = createDashboardAnswers(fleet, { serverStartUpTime: Math.floor(clock.now() / 1000), requestsServed: requests.served });
  const nodes = createNodes({ pool, clock, taskCount: taskTemplates.length });
  const answerTimeoutMs = config.nodeAnswerSeconds * 1000;
  return {
    handlers: {
      ...nodeDashboardHandlers(fleet, answers),
      ...nodesHandlers(nodes, createNodeList(createNodeListReadModel(pool))),
      ...nodeTasksHandlers(createNodeTasks(pool)),
      ...nodeConfigHandlers(createNodeConfig({ pool, nodeCommands, twoFactor, clock, answerTimeoutMs })),
      ...networkConfigLogHandlers(createNetworkConfigLogReadModel(pool)),
    },
  };
}
