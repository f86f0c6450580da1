import type { Handlers } from "#http/endpoints.ts";
import type { NodeConfig } from "./node-config.service.ts";

export function nodeConfigHandlers(nodeConfig: NodeConfig) {
  return {
    getNodeConfig: ({ params }) => nodeConfig.read(params.serial),
    getNodeConfigTypes: ({ params }) => nodeConfig.readTypes(params.serial),
    setNodeConfigValue: ({ params }, { caller }) => nodeConfig.change(caller, params),
  } satisfies Partial<Handlers>;
}
