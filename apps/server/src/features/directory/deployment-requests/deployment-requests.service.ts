import type { requestDeployed } from "@busbar/contract/directory/deployment-requests.ts";
import type { HandlerInput } from "@busbar/contract/endpoint.ts";
import type { Node } from "@busbar/contract/directory/nodes.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Locations } from "#features/directory/locations/locations.service.ts";
import type { Nodes } from "#features/directory/nodes/nodes.service.ts";
import type { Caller } from "#http/endpoints.ts";
import { conflict, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";

export interface DeploymentRequestsDependencies {
  pool: Pool;
  nodes: Pick<Nodes, "lookUp" | "change" | "find">;
  locations: Pick<Locations, "change">;
}

/** What task B9 asks for, in one step: the status of the node and the billing start of its location. */
export function createDeploymentRequests({ pool, nodes, locations }: DeploymentRequestsDependencies) {
  return {
    async request(caller: Caller, serial: string, body: HandlerInput<typeof requestDeployed>["body"]): Promise<Node> {
      const { billingStartDate = null, ...given } = body;
      const number = Number(serial);
      await inTransaction(pool, async (client) => {
        const node = await nodes.lookUp(client, number);
        if (!node) throw notFound(say`Node ${serial}`);
        const { id, customerId, facilityId, locationId } = node;
        if (customerId === null || facilityId === null || locationId === null)
          throw conflict(`Node ${serial} is at no location and cannot become Deployed`);
        if (billingStartDate !== null) {
          await locations.change(client, caller, { customerId, facilityId }, locationId, (location) => {
            const present = location.billingStartDate;
            if (location.nodeSerialNumber !== serial)
              throw conflict(`Billing goes by the primary node of ${location.name}, which ${serial} is not`, "billingStartDate");
            if (present !== null && present !== billingStartDate)
              throw conflict(`Billing of ${location.name} starts ${present} already`, "billingStartDate");
            return { billingStartDate };
          });
        }
        await nodes.change(client, caller, id, { newDeploymentStatus: "Deployed", ...given });
      });
      return await nodes.find(number);
    },
  };
}
export type DeploymentRequests = ReturnType<typeof createDeploymentRequests>;
