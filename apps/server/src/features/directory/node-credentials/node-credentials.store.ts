import type { Pool } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";

export interface ActiveCredential {
  serial: number;
  /** In base64: bytes of an answer keep all of the buffer in memory that they came in. */
  secretHash: string;
}

export interface SuspectConnection {
  serial: number;
  /** Epoch milliseconds. */
  changedAtMs: number;
  /** It began before the change, or may not be there at all. */
  isOlder: boolean;
}

export type NodeCredentialsStore = ReturnType<typeof createNodeCredentialsStore>;

// A revoked credential and a decommissioned node open nothing.
const active = `from node_credential c where c.revoked_at is null
  and not exists (select 1 from decommissioned_node d where d.serial_number = c.serial_number)`;

export function createNodeCredentialsStore(pool: Pool) {
  return {
    async findActive(serials: readonly number[]): Promise<ActiveCredential[]> {
      return await prepared<ActiveCredential>(pool, "find-active-credentials", [serials])`
        select c.serial_number as serial, encode(c.secret_hash, 'base64') as "secretHash" ${active} and c.serial_number = any($1::int4[])`;
    },

    /** All credentials in force, as a broker elsewhere needs them; the hash is null for one that an earlier version made. */
    async listActive(): Promise<{ serial: number; mosquittoHash: string | null }[]> {
      return await prepared<{ serial: number; mosquittoHash: string | null }>(pool, "list-active-credentials")`
        select c.serial_number as serial, c.mosquitto_hash as "mosquittoHash" ${active} order by 1`;
    },

    /** Nodes whose present connection may be one that a changed credential would not open: connected ones, and those that may not connect. */
    async findSuspects(seconds: number): Promise<SuspectConnection[]> {
      return await prepared<SuspectConnection>(pool, "suspect-connections", [seconds])`with changed as (
          select serial_number, greatest(created_at, revoked_at) as at, revoked_at is not null as is_out from node_credential
            where greatest(created_at, revoked_at) > now() - make_interval(secs => $1)
          union all
          select serial_number, decommissioned_at, true from decommissioned_node where decommissioned_at > now() - make_interval(secs => $1)
        ) select serial_number as serial, ${exactEpoch("max(at)")} * 1000 as "changedAtMs",
            bool_or(is_out or v.connection_changed_at is null or v.connection_changed_at < at) as "isOlder"
          from changed join node_live v using (serial_number) where is_out or v.is_connected group by 1`;
    },

    /** Nodes that count as connected and whose credential was revoked, or which were decommissioned, however long ago. */
    async findLockedOut(): Promise<number[]> {
      const rows = await prepared<{ serial: number }>(pool, "locked-out-connections")`
        select serial_number as serial from node_live v where is_connected
        and (exists (select 1 from node_credential c where c.serial_number = v.serial_number and c.revoked_at is not null)
          or exists (select 1 from decommissioned_node d where d.serial_number = v.serial_number))`;
      return rows.map(({ serial }) => serial);
    },

    /** Serials whose credential was made, revoked or decommissioned in the last seconds, by the database's clock. */
    async changedWithin(seconds: number): Promise<number[]> {
      const rows = await prepared<{ serial: number }>(pool, "changed-credentials", [seconds])`
        select serial_number as serial from node_credential where greatest(created_at, revoked_at) > now() - make_interval(secs => $1)
        union select serial_number from decommissioned_node where decommissioned_at > now() - make_interval(secs => $1)`;
      return rows.map(({ serial }) => serial);
    },
  };
}
