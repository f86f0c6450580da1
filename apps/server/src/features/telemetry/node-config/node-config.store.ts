import type { Pool, PoolClient } from "pg";
import { prepared, type Db } from "#db/statement.ts";
import type { NetworkConfigResult } from "@busbar/contract/telemetry/network-config-log.ts";

/** A node as a change of its configuration meets it. */
export interface ConfigNode {
  isConnected: boolean;
  /** How far its clock is ahead of ours. */
  clockSkewMs: number;
  locationId: number | null;
  locationName: string;
  timezone: string;
  /** What it last reported, if since its birth: before that, other firmware may have run. */
  values: Record<string, string> | null;
  /** Sparkplug's number of their datatypes, where the node said them. */
  types: Record<string, number> | null;
}

export interface NewAuditEntry {
  username: string;
  serialNumber: number;
  locationId: number | null;
  locationName: string;
  timezone: string;
  key: string;
  oldValue: string;
  newValue: string;
  result: NetworkConfigResult;
  detail: string;
  /** The batch that it belongs to. */
  batchId: number | null;
}

export function createNodeConfigStore(pool: Pool) {
  return {
    async findNode(serialNumber: number): Promise<ConfigNode | undefined> {
      const rows = await prepared<ConfigNode>(pool, "config-node", [serialNumber])`
        select v.is_connected and coalesce(p.is_connected, true) as "isConnected", coalesce(v.clock_skew_ms, 0) as "clockSkewMs",
          l.id as "locationId", coalesce(l.name, '') as "locationName", coalesce(l.timezone, 'UTC') as timezone, c.config_values as values, c.config_types as types
        from node n join node_live v using (serial_number)
          left join node_live p on p.serial_number = n.parent_serial_number
          left join node_assignment a on a.serial_number = n.serial_number
          left join location l on l.id = a.location_id
          left join node_birth b on b.serial_number = coalesce(n.parent_serial_number, n.serial_number)
          left join node_config c on c.serial_number = n.serial_number and c.told_at >= coalesce(b.born_at, c.told_at)
        where n.serial_number = $1`;
      return rows[0];
    },

    /** Every attempt has its row; returns its id. */
    async insertAudit(db: Db, entry: NewAuditEntry): Promise<number> {
      const rows = await prepared<{ id: number }>(db, "insert-audit", [
        entry.username,
        entry.serialNumber,
        entry.locationId,
        entry.locationName,
        entry.timezone,
        entry.key,
        entry.oldValue,
        entry.newValue,
        entry.result,
        entry.detail,
        entry.batchId,
      ])`
        insert into audit_log (username, serial_number, location_id, location_name, timezone, key, old_value, new_value, result, detail, batch_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning id::float8`;
      return rows[0]!.id;
    },

    async settleAudit(client: PoolClient, id: number, result: NetworkConfigResult, detail: string): Promise<void> {
      await prepared(client, "settle-audit", [id, result, detail])`update audit_log set result = $2, detail = $3 where id = $1`;
    },
  };
}
export type NodeConfigStore = ReturnType<typeof createNodeConfigStore>;
