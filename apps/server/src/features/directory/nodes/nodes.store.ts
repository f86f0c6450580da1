import type { PoolClient } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { Node } from "@busbar/contract/directory/nodes.ts";
import { selectList, without } from "#db/select-list.ts";
import { prepared, preparedCount, type Db } from "#db/statement.ts";
import { listOfNode, placeOfNode } from "#shared/node-place-sql.ts";
import { isWiringOpenSql, lacksWiringVerdictSql, wiringEvidenceJoin, wiringVerdictSql } from "#shared/wiring-evidence.store.ts";
import type { StatusState } from "./deployment-status.ts";
import { columnOf, writtenFields, type WrittenValues } from "./node-columns.ts";

/** A node as it is stored, with its place and what of its tasks is done. */
export type NodeRow = Omit<Node, "openTaskCount"> & {
  completedTaskCount: number;
  /** As one of a type with phases it lacks a wiring verdict. */
  isWiringOpen: boolean;
};

/** Fields of a node that are not its column of that name; its place is its location's, else where it retired or the words written on it. */
export const nodeExpressions = {
  serialNumber: "n.serial_number::text",
  dataPointInterval: `n.${columnOf.dataPointInterval}`,
  newDeploymentStatusUpdateTimestamp: epochSeconds("n.new_deployment_status_updated_at"),
  currentDeploymentStatusUpdateTimestamp: epochSeconds("n.current_deployment_status_updated_at"),
  isAssigned: "a.serial_number is not null",
  customerId: "coalesce(c.id, rc.id)",
  customerCode: "coalesce(c.code, rc.code, '')",
  customerName: "coalesce(c.name, rc.name, n.unassigned_customer)",
  facilityId: "f.id",
  facilityName: "coalesce(f.name, d.facility_name, n.unassigned_facility)",
  locationId: "l.id",
  locationName: "coalesce(l.name, n.unassigned_location)",
  slot: "a.slot",
  timezone: "l.timezone",
};
export const placeJoins = `${placeOfNode} ${listOfNode}
  left join node_live v on v.serial_number = n.serial_number ${wiringEvidenceJoin}`;

const columns = selectList(without(Node, "openTaskCount"), "n", {
  ...nodeExpressions,
  connected: "coalesce(v.is_connected, false)",
  lacksWiringVerdict: lacksWiringVerdictSql,
  wiringVerdict: wiringVerdictSql,
});
const nodeText = `select ${columns}, ${isWiringOpenSql} as "isWiringOpen",
  (select count(*)::int from node_task t where t.serial_number = n.serial_number and t.status = 'COMPLETED') as "completedTaskCount"
  from node n ${placeJoins}`;

export async function findNodeBySerial(db: Db, serialNumber: number): Promise<NodeRow | undefined> {
  const rows = await prepared<NodeRow>(db, "find-node-by-serial", [serialNumber])`${nodeText} where n.serial_number = $1`;
  return rows[0];
}

/** Nodes, locked: no one writes, places or retires them until the transaction ends. What they send is stored meanwhile. */
export async function lockNodesById(client: PoolClient, ids: readonly number[]): Promise<Map<number, NodeRow>> {
  const text = "select from node where id = any($1::int4[]) order by serial_number for no key update";
  await prepared(client, "lock-nodes-by-id", [ids])`${text}`;
  // A statement of its own: only it sees what was committed while this one waited.
  return await findNodesById(client, ids);
}

export async function findNodesById(db: Db, ids: readonly number[]): Promise<Map<number, NodeRow>> {
  const rows = await prepared<NodeRow>(db, "find-nodes-by-id", [ids])`${nodeText} where n.id = any($1::int4[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

const insertText = `insert into node (serial_number, new_deployment_status, current_deployment_status,
    new_deployment_status_updated_at, current_deployment_status_updated_at, ${writtenFields.map((field) => columnOf[field]).join(", ")})
  values ($1, $2, $2, to_timestamp($3), to_timestamp($3), ${writtenFields.map((_, index) => `$${index + 4}`).join(", ")})
  on conflict (serial_number) do nothing`;

/** False when the serial number is taken. */
export async function insertNode(client: PoolClient, serialNumber: number, status: StatusState, values: WrittenValues): Promise<boolean> {
  const rowCount = await preparedCount(client, "insert-node", [
    serialNumber,
    status.current,
    status.currentAt,
    ...writtenFields.map((field) => values[field]),
  ])`
    ${insertText}`;
  return rowCount === 1;
}

// The written columns have their types from the table itself.
const updateText = `update node n set new_deployment_status = r.new_deployment_status, new_deployment_status_updated_at = to_timestamp(t.requested_at),
    current_deployment_status = r.current_deployment_status, current_deployment_status_updated_at = to_timestamp(t.current_at),
    revision = n.revision + 1, ${writtenFields.map((field) => `${columnOf[field]} = r.${columnOf[field]}`).join(", ")}
  from json_populate_recordset(null::node, $1::json) r join json_to_recordset($1::json) as t(id int4, requested_at float8, current_at float8) using (id)
  where n.id = r.id`;

export interface NodeUpdate {
  id: number;
  status: StatusState;
  values: WrittenValues;
}

export async function updateNodeRows(client: PoolClient, updates: readonly NodeUpdate[]): Promise<void> {
  const rows = updates.map(({ id, status, values }) => ({
    id,
    new_deployment_status: status.requested,
    requested_at: status.requestedAt,
    current_deployment_status: status.current,
    current_at: status.currentAt,
    ...Object.fromEntries(writtenFields.map((field) => [columnOf[field], values[field]])),
  }));
  await prepared(client, "update-nodes", [JSON.stringify(rows)])`${updateText}`;
}

export interface LeftPlace {
  unassignedCustomer: string;
  unassignedFacility: string;
  unassignedLocation: string;
}

/** Takes a node off its location; it remembers in words where it was, which are returned. */
export async function leaveLocation(client: PoolClient, serialNumber: number): Promise<LeftPlace | undefined> {
  const rows = await prepared<LeftPlace>(client, "remember-left-location", [serialNumber])`
    update node n set unassigned_customer = c.name, unassigned_facility = f.name, unassigned_location = l.name
    from node_assignment a join location l on l.id = a.location_id join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id
    where n.serial_number = $1 and a.serial_number = n.serial_number
    returning c.name as "unassignedCustomer", f.name as "unassignedFacility", l.name as "unassignedLocation"`;
  await prepared(client, "leave-location", [serialNumber])`delete from node_assignment where serial_number = $1`;
  return rows[0];
}

/** Whether a location has all the numbers that one with a relay must have. */
export async function hasNameplate(client: PoolClient, locationId: number): Promise<boolean> {
  const rowCount = await preparedCount(client, "has-nameplate", [locationId])`select from location
    where id = $1 and num_nulls(np_voltage, np_current, np_hp, np_rpm, np_poles, np_rotor_bars, np_service_factor) = 0`;
  return rowCount === 1;
}

export async function listContainers(db: Db): Promise<string[]> {
  const rows = await prepared<{ container: string }>(db, "list-node-containers")`
    select distinct container from node where container <> '' order by container`;
  return rows.map(({ container }) => container);
}
