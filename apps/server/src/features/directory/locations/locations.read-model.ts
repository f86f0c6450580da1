import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { AvailableNode, type MoveTarget, type NodePlacement, type PlacedLocation } from "@busbar/contract/directory/locations.ts";
import { selectList } from "#db/select-list.ts";
import { prepared } from "#db/statement.ts";
import { countNotes, findLocation, placeColumns } from "./locations.store.ts";
import { toLocation } from "./locations.view.ts";

const maxPlacements = 100;

export function createLocationsReadModel(pool: Pool) {
  return {
    async find(id: number): Promise<PlacedLocation | undefined> {
      const [row, names, noteCount, nodeHistory] = await Promise.all([
        findLocation(pool, id),
        findNames(pool, id),
        countNotes(pool, id),
        findPlacements(pool, id),
      ]);
      return row && names && { ...toLocation(row), ...names, noteCount, nodeHistory };
    },

    /** CUS-13 */
    async availableNodes(): Promise<AvailableNode[]> {
      return await prepared<AvailableNode>(pool, "available-nodes")`
        select ${selectList(AvailableNode, "n", { serialNumber: "n.serial_number::text" })}
        from node n where 'Decommissioned' not in (n.current_deployment_status, n.new_deployment_status)
          and not exists (select from node_assignment a where a.serial_number = n.serial_number)
          and not exists (select from decommissioned_node d where d.serial_number = n.serial_number)
        order by n.serial_number`;
    },

    async moveTargets(): Promise<MoveTarget[]> {
      return await prepared<MoveTarget>(pool, "move-targets")`select ${placeColumns}
        from facility f join customer c on c.id = f.customer_id order by c.name, c.id, f.name, f.id`;
    },
  };
}
export type LocationsReadModel = ReturnType<typeof createLocationsReadModel>;

async function findNames(pool: Pool, id: number): Promise<MoveTarget | undefined> {
  const rows = await prepared<MoveTarget>(pool, "location-names", [id])`select ${placeColumns}
    from location l join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id where l.id = $1`;
  return rows[0];
}

async function findPlacements(pool: Pool, id: number): Promise<NodePlacement[]> {
  return await prepared<NodePlacement>(pool, "location-placements", [id])`
    select serial_number::text as "serialNumber", slot = 2 as "isSecondary", customer_name as "customerName", facility_name as "facilityName",
      ${epochSeconds("started_at")} as "fromTimestamp", ${epochSeconds("ended_at")} as "toTimestamp"
    from node_placement where location_id = $1 order by started_at desc, id desc limit ${maxPlacements}`;
}
