import type { DecommissionedNode, NewDecommissionedNode } from "@busbar/contract/directory/decommissioned-nodes.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import { conflict, gone, notFound } from "#lib/errors.ts";
import { nodeObject, recordActivity } from "#shared/activities.store.ts";
import { requireCustomer } from "./customers.service.ts";
import { lockNode, retireNode, takeBackNode } from "./decommissioned-nodes.store.ts";

/** CUS-18. A retired node's credential opens nothing as long as it is retired; that is how credentials are read. */
export function createDecommissionedNodesService(pool: Pool) {
  return {
    async create(caller: Caller, customerId: number, values: NewDecommissionedNode): Promise<DecommissionedNode> {
      return await inTransaction(pool, async (client) => {
        const customer = await requireCustomer(client, customerId, "share");
        const node = await lockNode(client, Number(values.serialNumber));
        if (!node) throw notFound(`Node ${values.serialNumber}`);
        if (node.retiredBy !== null)
          throw conflict(`Node ${values.serialNumber} is already decommissioned at customer ${node.retiredBy}`, "serialNumber");
        if (node.place !== null) throw conflict(`Node ${values.serialNumber} is at ${node.place}. Take it off there first`, "serialNumber");
        const retired = await retireNode(client, customerId, values);
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "POST_DECOMMISSIONED_NODE",
          object: nodeObject(values.serialNumber),
          description: `Node ${values.serialNumber} was decommissioned at ${customer.name}, ${values.facilityName}`,
          before: { currentDeploymentStatus: node.status },
          after: { currentDeploymentStatus: "Decommissioned", customerId, ...retired },
        });
        return retired;
      });
    },

    async delete(caller: Caller, customerId: number, serial: string): Promise<void> {
      await inTransaction(pool, async (client) => {
        const customer = await requireCustomer(client, customerId, "share");
        await lockNode(client, Number(serial));
        const before = await takeBackNode(client, customerId, Number(serial));
        if (!before) throw gone(`Decommissioned node ${serial} of ${customer.name}`, "taken back");
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "DELETE_DECOMMISSIONED_NODE",
          object: nodeObject(serial),
          description: `Node ${serial} is no longer decommissioned at ${customer.name}: it is Unassigned`,
          before: { currentDeploymentStatus: "Decommissioned", customerId, ...before },
          after: { currentDeploymentStatus: "Unassigned" },
        });
      });
    },
  };
}
export type DecommissionedNodesService = ReturnType<typeof createDecommissionedNodesService>;
