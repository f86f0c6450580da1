import type { Pool, PoolClient } from "pg";
import { prepared } from "#db/statement.ts";

export interface MeteredNodeState {
  type: string;
  isConnected: boolean;
}

export function createMeteringStore(pool: Pool) {
  return {
    async findNode(serial: number): Promise<MeteredNodeState | undefined> {
      const rows = await prepared<MeteredNodeState>(pool, "find-metered-node", [serial])`
        select n.type, v.is_connected as "isConnected" from node n join node_live v using (serial_number) where n.serial_number = $1`;
      return rows[0];
    },

    /** Takes the renewal of these nodes' leases for this process; gives those whose lease no one has renewed within `seconds`. */
    async claimLeases(serials: readonly number[], seconds: number): Promise<number[]> {
      const rows = await prepared<{ serial: number }>(pool, "claim-live-leases", [serials, seconds])`
        update node_meter set lease_renewed_at = now()
        where serial_number = any($1::int4[]) and (lease_renewed_at is null or lease_renewed_at <= now() - make_interval(secs => $2))
        returning serial_number as serial`;
      return rows.map(({ serial }) => serial);
    },
  };
}
export type MeteringStore = ReturnType<typeof createMeteringStore>;

/** Forgets what the meter showed: nothing is shown until the node reports something new. */
export async function clearMeter(client: PoolClient, serial: number): Promise<void> {
  await prepared(client, "clear-meter", [serial])`
    update node_meter m set cleared_at = now(), cleared_scalar_at = v.last_scalar_at, metered_at = null, kw = null, kva = null,
      kvar = null, power_factor = null, running_seconds = null, amp_hours = null, kilowatt_hours = null, kilovar_hours = null,
      field_voltage = null, field_current = null
    from node_live v where v.serial_number = m.serial_number and m.serial_number = $1`;
}
