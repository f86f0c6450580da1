import type { FreePlace, takeFreePlace } from "@busbar/contract/directory/free-places.ts";
import type { HandlerInput } from "@busbar/contract/endpoint.ts";
import type { Node } from "@busbar/contract/directory/nodes.ts";
import type { Pool } from "pg";
import { inTransaction } from "#db/transaction.ts";
import type { Locations } from "#features/directory/locations/locations.service.ts";
import type { Nodes } from "#features/directory/nodes/nodes.service.ts";
import type { Caller } from "#http/endpoints.ts";
import { conflict, gone, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { findFreePlaces, findLocationPlace } from "./free-places.store.ts";

export interface FreePlacesDependencies {
  pool: Pool;
  nodes: Pick<Nodes, "lookUp" | "change" | "refuseUnexplained" | "find">;
  locations: Pick<Locations, "change">;
}

/** Places from the node's side: the location's own form changes all of a location. */
export function createFreePlaces({ pool, nodes, locations }: FreePlacesDependencies) {
  return {
    find: (text = ""): Promise<FreePlace[]> => findFreePlaces(pool, text.split(/\s+/u).filter(Boolean)),

    async place(caller: Caller, serial: string, { locationId, ...given }: HandlerInput<typeof takeFreePlace>["body"]): Promise<Node> {
      const { deploymentTaskType, wiringReason } = given;
      const number = Number(serial);
      await inTransaction(pool, async (client) => {
        const node = await nodes.lookUp(client, number);
        if (!node) throw notFound(say`Node ${serial}`);
        if (node.isAssigned)
          throw conflict(`Node ${serial} is already at ${node.customerName} / ${node.facilityName} / ${node.locationName}`);
        const place = await findLocationPlace(client, locationId);
        if (!place) throw gone("This location");
        await locations.change(client, caller, place, locationId, ({ name, nodeSerialNumber }) => {
          if (nodeSerialNumber !== null) throw conflict(`Node ${nodeSerialNumber} is at ${name} already`, "locationId");
          return { nodeSerialNumber: serial, wiringReason };
        });
        nodes.refuseUnexplained((await nodes.lookUp(client, number))!, wiringReason);
        if (deploymentTaskType !== undefined && node.deploymentTaskType === null)
          await nodes.change(client, caller, node.id, { deploymentTaskType });
      });
      return await nodes.find(number);
    },
  };
}
export type FreePlaces = ReturnType<typeof createFreePlaces>;
