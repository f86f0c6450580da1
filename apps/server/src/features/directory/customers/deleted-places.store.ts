import type { PoolClient } from "pg";
import { prepared } from "#db/statement.ts";

/** A location that goes, with the serial numbers that were there. */
export interface DeletedLocation {
  id: number;
  name: string;
  facilityId: number;
  nodes: string[];
}

/** Locations of facilities, locked: no one puts a node there or moves one of them until the transaction ends. */
export async function lockLocations(client: PoolClient, facilityIds: readonly number[]): Promise<DeletedLocation[]> {
  const rows = await prepared<Omit<DeletedLocation, "nodes">>(client, "lock-locations", [facilityIds])`
    select id, name, facility_id as "facilityId" from location where facility_id = any($1) order by id for update`;
  const ids = rows.map(({ id }) => id);
  // Whoever takes a node off its location holds the node first, so do we; it may have left by the time it is ours.
  await prepared(client, "lock-nodes-of-locations", [ids])`
    select from node where serial_number in (select serial_number from node_assignment where location_id = any($1))
    order by serial_number for no key update`;
  const assigned = await prepared<{ locationId: number; serial: string }>(client, "nodes-of-locations", [ids])`
    select location_id as "locationId", serial_number::text as serial from node_assignment
    where location_id = any($1) order by serial_number`;
  const nodesAt = Map.groupBy(assigned, ({ locationId }) => locationId);
  return rows.map((row) => ({ ...row, nodes: (nodesAt.get(row.id) ?? []).map(({ serial }) => serial) }));
}

/**
 * Deletes locations. Their nodes are free and Unassigned from now on, whatever their status was, and remember in words where
 * they were; what they measured stays, it belongs to the node.
 */
export async function deleteLocations(client: PoolClient, locationIds: readonly number[]): Promise<void> {
  await prepared(client, "free-nodes-of-locations", [locationIds])`
    update node n set unassigned_customer = c.name, unassigned_facility = f.name, unassigned_location = l.name,
      current_deployment_status = 'Unassigned', new_deployment_status = 'Unassigned',
      current_deployment_status_updated_at = now(), new_deployment_status_updated_at = now()
    from node_assignment a join location l on l.id = a.location_id join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id
    where a.serial_number = n.serial_number and l.id = any($1)`;
  // Before their locations, which a stay's last settings are read from.
  await prepared(client, "empty-locations", [locationIds])`delete from node_assignment where location_id = any($1)`;
  await prepared(client, "delete-locations", [locationIds])`delete from location where id = any($1)`;
}
