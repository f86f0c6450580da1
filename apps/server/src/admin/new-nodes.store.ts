import type { PoolClient } from "pg";
import { plannedCount } from "#db/statement.ts";

/** Makes unassigned nodes; returns how many were new. */
export async function createNodes(client: PoolClient, serials: readonly number[]): Promise<number> {
  return await plannedCount(client, "create-nodes", [serials])`
    insert into node (serial_number, current_deployment_status, new_deployment_status)
    select serial, 'Unassigned', 'Unassigned' from unnest($1::integer[]) as serial on conflict do nothing`;
}
