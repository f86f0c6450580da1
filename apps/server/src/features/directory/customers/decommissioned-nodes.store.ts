import type { PoolClient } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { DecommissionedNode, type NewDecommissionedNode } from "@busbar/contract/directory/decommissioned-nodes.ts";
import { selectList } from "#db/select-list.ts";
import { prepared, preparedCount } from "#db/statement.ts";
import { listOfNode, placeOfNode } from "#shared/node-place-sql.ts";

export interface RetirableNode {
  status: string;
  /** Where it is, in words; null at no location. */
  place: string | null;
  /** Code of the customer that retired it already. */
  retiredBy: string | null;
}

const columns = selectList(DecommissionedNode, "decommissioned_node", {
  serialNumber: "decommissioned_node.serial_number::text",
  decommissionedTimestamp: epochSeconds("decommissioned_at"),
});

/** A node, locked: no one assigns, retires or deletes it until the transaction ends. */
export async function lockNode(client: PoolClient, serial: number): Promise<RetirableNode | undefined> {
  const locked = await preparedCount(client, "lock-node", [serial])`select 1 from node where serial_number = $1 for update`;
  if (!locked) return undefined;
  const rows = await prepared<RetirableNode>(client, "read-retirable-node", [serial])`select n.current_deployment_status as status,
      'location ' || l.name || ' of facility ' || f.name || ' of ' || c.name as place, rc.code as "retiredBy"
    from node n
    ${placeOfNode} ${listOfNode}
    where n.serial_number = $1`;
  return rows[0];
}

export async function retireNode(client: PoolClient, customerId: number, node: NewDecommissionedNode): Promise<DecommissionedNode> {
  await setStatus(client, Number(node.serialNumber), "Decommissioned");
  const rows = await prepared<DecommissionedNode>(client, "insert-decommissioned-node", [
    Number(node.serialNumber),
    customerId,
    node.facilityName,
    node.siteName,
  ])`
    insert into decommissioned_node
      (serial_number, customer_id, facility_name, site_name, retired_customer, retired_facility, retired_location)
    select n.serial_number, $2, $3, $4, coalesce(p.customer_name, n.unassigned_customer), coalesce(p.facility_name, n.unassigned_facility),
      coalesce(p.location_name, n.unassigned_location)
    from node n left join lateral (
      select customer_name, facility_name, location_name from node_placement where serial_number = n.serial_number order by id desc limit 1
    ) p on true where n.serial_number = $1
    returning ${columns}`;
  return rows[0]!;
}

/** Undefined when it is not among the customer's retired nodes. */
export async function takeBackNode(client: PoolClient, customerId: number, serial: number): Promise<DecommissionedNode | undefined> {
  const rows = await prepared<DecommissionedNode>(client, "delete-decommissioned-node", [customerId, serial])`
    delete from decommissioned_node where customer_id = $1 and serial_number = $2 returning ${columns}`;
  if (rows[0]) await setStatus(client, serial, "Unassigned");
  return rows[0];
}

async function setStatus(client: PoolClient, serial: number, status: "Decommissioned" | "Unassigned"): Promise<void> {
  await prepared(client, "set-node-status", [serial, status])`update node set current_deployment_status = $2, new_deployment_status = $2,
    current_deployment_status_updated_at = now(), new_deployment_status_updated_at = now() where serial_number = $1`;
}
