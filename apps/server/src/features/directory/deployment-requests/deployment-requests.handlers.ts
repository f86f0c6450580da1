import type { Handlers } from "#http/endpoints.ts";
import type { DeploymentRequests } from "./deployment-requests.service.ts";

export function deploymentRequestsHandlers(requests: DeploymentRequests) {
  return {
    requestDeployed: ({ params, body }, { caller }) => requests.request(caller, params.serial, body),
  } satisfies Partial<Handlers>;
}
