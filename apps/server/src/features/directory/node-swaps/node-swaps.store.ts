import {
  keptFlags,
  swappedFields,
  type KeptFlag,
  type NodeSwap,
  type OldNodeStatus,
  type SwappedField,
  type SwapValueState,
} from "@busbar/contract/directory/node-swaps.ts";
import type { DeploymentStatus } from "@busbar/contract/values/option-lists.ts";
import type { Pool, PoolClient } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { snakeCase } from "#db/select-list.ts";
import { prepared, preparedCount, type Db } from "#db/statement.ts";
import { deployedSince } from "#shared/billed-deployed-sql.ts";

/** Where a node is. */
export interface SwapPlace {
  customerId: number;
  customerName: string;
  facilityId: number;
  facilityName: string;
  siteName: string;
  locationId: number;
  locationName: string;
  slot: 1 | 2;
  noteCount: number;
  /** Billed as Deployed since then; null when it is not. */
  deployedSince: string | null;
}

/** A node as a swap meets it. */
export interface SwapNode {
  serialNumber: string;
  type: string;
  currentDeploymentStatus: DeploymentStatus;
  newDeploymentStatus: DeploymentStatus;
  deploymentTaskType: string | null;
  revision: number;
  connected: boolean;
  place: SwapPlace | null;
  /** It was at some location once. */
  wasPlaced: boolean;
  completedTaskCount: number;
  /** Open tasks with notes. */
  taskNoteCount: number;
  fields: Record<SwappedField, number | boolean | string>;
  flags: Record<KeptFlag, boolean>;
  /** As it last reported them; null while it never did. */
  config: Record<string, string> | null;
}

const columnOf = (field: string) => (field === "dataPointInterval" ? "data_point_interval_seconds" : snakeCase(field));
const columnsOf = (fields: readonly string[]) => fields.map(columnOf).join(", ");
// A function takes at most a hundred arguments, two for each field.
const jsonOf = (fields: readonly string[]) => `jsonb_build_object(${fields.map((field) => `'${field}', n.${columnOf(field)}`).join(", ")})`;

const findText = `select n.serial_number::text as "serialNumber", n.type, n.current_deployment_status as "currentDeploymentStatus",
    n.new_deployment_status as "newDeploymentStatus", n.deployment_task_type as "deploymentTaskType", n.revision,
    v.is_connected and coalesce(p.is_connected, true) as connected, ${jsonOf(swappedFields)} as fields, ${jsonOf(keptFlags)} as flags,
    case when l.id is not null then jsonb_build_object('customerId', c.id, 'customerName', c.name, 'facilityId', f.id, 'facilityName', f.name,
      'siteName', f.site_name, 'locationId', l.id, 'locationName', l.name, 'slot', a.slot,
      'noteCount', (select count(*) from location_note t where t.location_id = l.id and not t.is_archived),
      'deployedSince', ${deployedSince}) end as place,
    exists (select from node_placement s where s.serial_number = n.serial_number) as "wasPlaced",
    (select count(*)::int4 from node_task t where t.serial_number = n.serial_number and t.status = 'COMPLETED') as "completedTaskCount",
    (select count(*)::int4 from node_task t where t.serial_number = n.serial_number and t.status <> 'COMPLETED' and t.notes <> '') as "taskNoteCount",
    k.config_values as config
  from node n join node_live v on v.serial_number = n.serial_number left join node_live p on p.serial_number = n.parent_serial_number
    left join node_assignment a on a.serial_number = n.serial_number left join location l on l.id = a.location_id
    left join facility f on f.id = l.facility_id left join customer c on c.id = f.customer_id
    left join node_config k on k.serial_number = n.serial_number
  where n.serial_number = $1`;

export async function findSwapNode(db: Db, serial: string): Promise<SwapNode | undefined> {
  const rows = await prepared<SwapNode>(db, "find-swap-node", [serial])`${findText}`;
  return rows[0];
}

/** The location of a node: held, with its facility and customer, until the transaction ends. */
export async function holdPlaceOf(client: PoolClient, serial: string): Promise<number | undefined> {
  await prepared(client, "hold-owners-of-node", [serial])`
    select from node_assignment a join location l on l.id = a.location_id join facility f on f.id = l.facility_id
    join customer c on c.id = f.customer_id where a.serial_number = $1 for share of c, f`;
  const rows = await prepared<{ id: number }>(client, "lock-place-of-node", [serial])`
    select l.id from location l where l.id = (select location_id from node_assignment where serial_number = $1) for update`;
  return rows[0]?.id;
}

/** How often the location was changed, with this change. */
export async function countLocationRevision(client: PoolClient, locationId: number): Promise<number> {
  const rows = await prepared<{ revision: number }>(client, "count-location-revision", [locationId])`
    update location set revision = revision + 1 where id = $1 returning revision`;
  return rows[0]!.revision;
}

export async function copyFields(client: PoolClient, from: string, to: string): Promise<void> {
  await prepared(client, "copy-node-fields", [from, to])`
    update node set (${columnsOf(swappedFields)}) = (select ${columnsOf(swappedFields)} from node where serial_number = $1),
    deployment_task_type = 'RMA' where serial_number = $2`;
}

/** What was completed at another place is open again. */
export async function reopenTasks(client: PoolClient, serial: string, userId: number): Promise<void> {
  await prepared(client, "reopen-tasks-of-swapped-node", [serial, userId])`
    update node_task t set status = 'NOT_COMPLETED', revision = t.revision + 1, updated_at = now(), updated_by_user_id = u.id,
      updated_by_username = u.username, updated_by_full_name = trim(u.first_name || ' ' || u.last_name)
    from app_user u where u.id = $2 and t.serial_number = $1 and t.status = 'COMPLETED'`;
}

/** What was noted at open tasks of the old node is noted at those of the new one, unless someone noted something there. */
export async function copyTaskNotes(client: PoolClient, from: string, to: string, userId: number): Promise<void> {
  await prepared(client, "copy-notes-of-open-tasks", [from, to, userId])`
    insert into node_task (serial_number, task_template_id, status, notes, updated_by_user_id, updated_by_username, updated_by_full_name)
    select $2, t.task_template_id, 'NOT_COMPLETED', t.notes, u.id, u.username, trim(u.first_name || ' ' || u.last_name)
    from node_task t, app_user u where t.serial_number = $1 and t.status <> 'COMPLETED' and t.notes <> '' and u.id = $3
    on conflict (serial_number, task_template_id) do update set notes = excluded.notes, revision = node_task.revision + 1,
      updated_at = now(), updated_by_user_id = excluded.updated_by_user_id, updated_by_username = excluded.updated_by_username,
      updated_by_full_name = excluded.updated_by_full_name
    where node_task.status <> 'COMPLETED' and node_task.notes = ''`;
}

/** A node that was taken off its place is prepared for another one. */
export async function prepareFreedNode(client: PoolClient, serial: string): Promise<void> {
  await prepared(client, "prepare-freed-node", [serial])`
    update node set current_deployment_status = 'Pre-Deployment', new_deployment_status = 'Pre-Deployment',
    current_deployment_status_updated_at = now(), new_deployment_status_updated_at = now() where serial_number = $1`;
}

/** The new node is where it was put. */
const isCurrent =
  "exists (select from node_assignment a where a.serial_number = s.new_serial_number and a.location_id = s.location_id and a.slot = s.slot)";

export interface NewSwapRow {
  old: string;
  new: string;
  place: SwapPlace;
  username: string;
  reason: string;
  oldNodeStatus: OldNodeStatus;
  /** To be copied, by key. */
  config: Readonly<Record<string, string>>;
}

export async function insertSwap(client: PoolClient, swap: NewSwapRow): Promise<number> {
  const { locationId, slot, customerName, facilityName, locationName, deployedSince: since } = swap.place;
  const rows = await prepared<{ id: number }>(client, "insert-node-swap", [
    swap.old,
    swap.new,
    locationId,
    slot,
    customerName,
    facilityName,
    locationName,
    swap.username,
    swap.reason,
    swap.oldNodeStatus,
    JSON.stringify(swap.config),
    since,
  ])`
    with made as (
      insert into node_swap (old_serial_number, new_serial_number, location_id, slot, customer_name, facility_name, location_name, swapped_by, reason,
        old_node_status, deployed_since) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $12) returning id
    ), with_values as (
      insert into node_swap_value (swap_id, key, value) select made.id, v.key, v.value from made, jsonb_each_text($11::jsonb) v
    ) select id from made`;
  return rows[0]!.id;
}

/** The last swap that a node was part of. */
export async function findSwap(db: Db, serial: string): Promise<NodeSwap | undefined> {
  const rows = await prepared<NodeSwap>(db, "find-node-swap", [serial])`
    select s.id, s.old_serial_number::text as "oldSerialNumber", s.new_serial_number::text as "newSerialNumber",
      s.customer_name as "customerName", s.facility_name as "facilityName", s.location_name as "locationName", s.slot = 2 as "isSecondary",
      ${epochSeconds("s.swapped_at")} as timestamp, l.timezone, s.swapped_by as username, s.reason, s.old_node_status as "oldNodeStatus",
      ${isCurrent} as "isCurrent",
      v.is_connected and coalesce(p.is_connected, true) as connected,
      coalesce(s.copying_until > now(), false) as "isCopying", s.pause_reason as "pauseReason",
      (select coalesce(json_agg(json_build_object('key', x.key, 'value', x.value, 'state', x.state, 'detail', x.detail) order by x.key), '[]')
       from node_swap_value x where x.swap_id = s.id) as values
    from node_swap s join node n on n.serial_number = s.new_serial_number join node_live v on v.serial_number = n.serial_number
      left join node_live p on p.serial_number = n.parent_serial_number left join location l on l.id = s.location_id
    where s.old_serial_number = $1 or s.new_serial_number = $1 order by s.id desc limit 1`;
  return rows[0];
}

/** What is not confirmed stays as the node has it. False while someone copies. */
export async function leaveValues(db: Db, id: number, detail: string): Promise<boolean> {
  const rowCount = await preparedCount(db, "leave-swap-values", [id, detail])`
    update node_swap_value set state = 'left', detail = $2 where swap_id = $1 and state <> 'confirmed'
    and exists (select from node_swap where id = $1 and (copying_until is null or copying_until <= now()))`;
  return rowCount !== 0;
}

export function createSwapCopyStore(pool: Pool) {
  return {
    /** False while someone else copies, or when the new node is not at the place any more. */
    async take(id: number, username: string, leaseMs: number): Promise<boolean> {
      const rowCount = await preparedCount(pool, "take-node-swap", [id, username, leaseMs])`
        update node_swap s set copying_until = now() + $3 * interval '1 millisecond', copying_by = $2, pause_reason = ''
        where id = $1 and (copying_until is null or copying_until <= now()) and ${isCurrent}`;
      return rowCount === 1;
    },

    /** Writes how far a value is, and holds the swap for so much longer. False once the new node is not at the place any more. */
    async settle(id: number, key: string, state: SwapValueState, detail: string, leaseMs: number): Promise<boolean> {
      const rowCount = await preparedCount(pool, "settle-swap-value", [id, key, state, detail, leaseMs])`
        with settled as (update node_swap_value set state = $3, detail = $4 where swap_id = $1 and key = $2)
        update node_swap s set copying_until = now() + $5 * interval '1 millisecond' where id = $1 and ${isCurrent}`;
      return rowCount === 1;
    },

    async release(id: number, pauseReason: string): Promise<void> {
      await prepared(pool, "release-node-swap", [id, pauseReason])`
        update node_swap set copying_until = null, pause_reason = $2 where id = $1`;
    },
  };
}
export type SwapCopyStore = ReturnType<typeof createSwapCopyStore>;
