import type { PoolClient } from "pg";
import { prepared, preparedCount, type Db } from "#db/statement.ts";

export interface PlaceableNode {
  serialNumber: string;
  type: string;
  currentDeploymentStatus: string;
  newDeploymentStatus: string;
}

/** Nodes by serial number, in the order in which everyone locks them. */
export async function lockNodes(client: PoolClient, serials: readonly string[]): Promise<Map<string, PlaceableNode>> {
  if (serials.length === 0) return new Map();
  const rows = await prepared<PlaceableNode>(client, "lock-nodes-to-place", [serials])`
    select serial_number::text as "serialNumber", type, current_deployment_status as "currentDeploymentStatus",
      new_deployment_status as "newDeploymentStatus"
    from node where serial_number = any($1) order by serial_number for no key update`;
  return new Map(rows.map((row) => [row.serialNumber, row]));
}

/** Where a node is, in words; undefined when it is nowhere. */
export async function findPlaceOf(db: Db, serial: string): Promise<string | undefined> {
  const rows = await prepared<{ place: string }>(db, "place-of-node", [serial])`
    select concat_ws(' / ', c.name, f.name, l.name) as place
    from node_assignment a join location l on l.id = a.location_id join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id
    where a.serial_number = $1`;
  return rows[0]?.place;
}

/** Puts a node at a location; false when it is at one already, also one that was taken a moment ago. */
export async function placeNode(client: PoolClient, serial: string, locationId: number, slot: 1 | 2): Promise<boolean> {
  const rowCount = await preparedCount(client, "place-node", [serial, locationId, slot])`
    insert into node_assignment (serial_number, location_id, slot) values ($1, $2, $3) on conflict do nothing`;
  return rowCount === 1;
}

/** An unassigned node that gets a place is to be deployed there; one that was to become Unassigned stays what it is. */
export async function prepareNodes(client: PoolClient, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  await prepared(client, "prepare-placed-nodes", [serials])`
    update node set current_deployment_status = 'Pre-Deployment', new_deployment_status = 'Pre-Deployment',
      current_deployment_status_updated_at = now(), new_deployment_status_updated_at = now()
    where serial_number = any($1) and current_deployment_status = 'Unassigned'`;
  await prepared(client, "keep-placed-nodes", [serials])`update node set new_deployment_status = current_deployment_status,
      new_deployment_status_updated_at = current_deployment_status_updated_at
    where serial_number = any($1) and new_deployment_status = 'Unassigned'`;
}

/** Takes nodes away from a location for another slot or another node; their status stays. */
export async function takeNodes(client: PoolClient, locationId: number, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  await prepared(client, "take-nodes", [locationId, serials])`
    delete from node_assignment where location_id = $1 and serial_number = any($2)`;
}

/**
 * Nodes of a location are free and Unassigned from now on, and remember in words where they were; what they measured stays, it
 * belongs to the node.
 */
export async function freeNodes(client: PoolClient, locationId: number, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  await prepared(client, "free-nodes", [locationId, serials])`
    update node n set unassigned_customer = c.name, unassigned_facility = f.name, unassigned_location = l.name,
      current_deployment_status = 'Unassigned', new_deployment_status = 'Unassigned',
      current_deployment_status_updated_at = now(), new_deployment_status_updated_at = now()
    from node_assignment a join location l on l.id = a.location_id join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id
    where a.serial_number = n.serial_number and l.id = $1 and n.serial_number = any($2)`;
  await takeNodes(client, locationId, serials);
}
