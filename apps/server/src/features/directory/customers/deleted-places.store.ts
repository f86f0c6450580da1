import type { PoolClient } from "pg";

/** A location that goes, with the serial numbers that were there. */
export interface DeletedLocation {
  id: number;
  name: string;
  facilityId: number;
  nodes: string[];
}

/** Locations of facilities, locked: no one puts a node there or moves one of them until the transaction ends. */
export async function lockLocations(client: PoolClient, facilityIds: readonly number[]): Promise<DeletedLocation[]> {
  const { rows } = await client.query<Omit<DeletedLocation, "nodes">>({
    name: "lock-locations",
    text: `select id, name, facility_id as "facilityId" from location where facility_id = any($1) order by id for update`,
    values: [facilityIds],
  });
  const ids = rows.map(({ id }) => id);
  // Whoever takes a node off its location holds the node first, so do we; it may have left by the time it is ours.
  await client.query({
    name: "lock-nodes-of-locations",
    text: `select from node where serial_number in (select serial_number from node_assignment where location_id = any($1))
           order by serial_number for no key update`,
    values: [ids],
  });
  const { rows: assigned } = await client.query<{ locationId: number; serial: string }>({
    name: "nodes-of-locations",
    text: `select location_id as "locationId", serial_number::text as serial from node_assignment
           where location_id = any($1) order by serial_number`,
    values: [ids],
  });
  const nodesAt = Map.groupBy(assigned, ({ locationId }) => locationId);
  return rows.map((row) => ({ ...row, nodes: (nodesAt.get(row.id) ?? []).map(({ serial }) => serial) }));
}

/**
 * Deletes locations. Their nodes are free and Unassigned from now on, whatever their status was, and remember in words where
 * they were; what they measured stays, it belongs to the node.
 */
export async function deleteLocations(client: PoolClient, locationIds: readonly number[]): Promise<void> {
  await client.query({
    name: "free-nodes-of-locations",
    text: `update node n set unassigned_customer = c.name, unassigned_facility = f.name, unassigned_location = l.name,
             current_deployment_status = 'Unassigned', new_deployment_status = 'Unassigned',
             current_deployment_status_updated_at = now(), new_deployment_status_updated_at = now()
           from node_assignment a join location l on l.id = a.location_id join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id
           where a.serial_number = n.serial_number and l.id = any($1)`,
    values: [locationIds],
  });
  // Before their locations, which a stay's last settings are read from.
  await client.query({ name: "empty-locations", text: "delete from node_assignment where location_id = any($1)", values: [locationIds] });
  await client.query({ name: "delete-locations", text: "delete from location where id = any($1)", values: [locationIds] });
}
