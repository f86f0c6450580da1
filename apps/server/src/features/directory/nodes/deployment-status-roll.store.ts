import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";
import type { DeploymentStatus } from "@busbar/contract/values/option-lists.ts";

export interface DueChange {
  serialNumber: number;
  from: DeploymentStatus;
  to: DeploymentStatus;
  /** When it became due, epoch seconds. */
  dueAt: number;
  revision: number;
  locationName: string | null;
}

const isDue = "new_deployment_status <> current_deployment_status and new_deployment_status_updated_at <= to_timestamp($1)";

/** Nodes whose requested status is due, the oldest request first. */
export async function findDueChanges(pool: Pool, now: number): Promise<number[]> {
  const rows = await prepared<{ serial: number }>(pool, "find-due-status-changes", [now])`
    select serial_number as serial from node where ${isDue} order by new_deployment_status_updated_at, serial_number`;
  return rows.map(({ serial }) => serial);
}

/** Those of the nodes whose requested status is due, locked; those that another runner has in hand are left to it. */
export async function lockDueChanges(client: PoolClient, now: number, serials: readonly number[]): Promise<DueChange[]> {
  const locked = await prepared<{ serial: number }>(client, "lock-due-status-changes", [now, serials])`
    select serial_number as serial from node
    where ${isDue} and serial_number = any ($2::int4[])
    order by new_deployment_status_updated_at, serial_number for update skip locked`;
  // A statement of its own: it sees the assignments as they are under the lock.
  return await prepared<DueChange>(client, "read-due-status-changes", [locked.map(({ serial }) => serial)])`
    select n.serial_number as "serialNumber", n.current_deployment_status as from, n.new_deployment_status as to,
      ${exactEpoch("n.new_deployment_status_updated_at")} as "dueAt", n.revision, l.name as "locationName"
    from node n left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
    where n.serial_number = any($1) order by n.new_deployment_status_updated_at, n.serial_number`;
}

/** The requested status is current since it was due. Returns the node's revision. */
export async function applyDueChange(client: PoolClient, serialNumber: number): Promise<number> {
  return await revisionAfter(
    client,
    "apply-status-change",
    `update node set current_deployment_status = new_deployment_status, current_deployment_status_updated_at = new_deployment_status_updated_at
     where serial_number = $1 returning revision`,
    serialNumber,
  );
}

/** The request is gone, the current status stays. Returns the node's revision. */
export async function dropDueChange(client: PoolClient, serialNumber: number): Promise<number> {
  return await revisionAfter(
    client,
    "drop-status-change",
    `update node set new_deployment_status = current_deployment_status, new_deployment_status_updated_at = current_deployment_status_updated_at
     where serial_number = $1 returning revision`,
    serialNumber,
  );
}

async function revisionAfter(client: PoolClient, name: string, text: string, serialNumber: number): Promise<number> {
  const rows = await prepared<{ revision: number }>(client, name, [serialNumber])`${text}`;
  return rows[0]!.revision;
}
