import type { PoolClient } from "pg";
import type { NodeCredentialState } from "@busbar/contract/directory/node-credentials.ts";
import { epochSeconds } from "#db/epoch-sql.ts";
import { planned, plannedCount, prepared, type Db } from "#db/statement.ts";
import { mosquittoHash } from "#lib/mosquitto-hash.ts";
import { hashNodeSecret } from "#lib/node-secrets.ts";

const changedAt = "greatest(k.created_at, k.revoked_at)";

/** By serial number; a number that is no node is left out. */
export async function readCredentialStates(db: Db, serials: readonly number[]): Promise<NodeCredentialState[]> {
  return await prepared<NodeCredentialState>(db, "read-credential-states", [serials])`
    select n.serial_number::text as "serialNumber",
      case when k.serial_number is null then 'none' when k.revoked_at is null then 'in force' else 'revoked' end as state,
      ${epochSeconds(changedAt)} as "changedTimestamp", coalesce(extract(epoch from ${changedAt})::text, '') as version,
      coalesce(v.is_connected, false) as connected,
      exists (select 1 from decommissioned_node d where d.serial_number = n.serial_number) as "isDecommissioned",
      coalesce(c.name, '') as "customerName", coalesce(f.name, '') as "facilityName", coalesce(l.name, '') as "locationName"
    from node n left join node_credential k using (serial_number) left join node_live v using (serial_number)
      left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
      left join facility f on f.id = l.facility_id left join customer c on c.id = f.customer_id
    where n.serial_number = any($1::int4[]) order by n.serial_number`;
}

/** The same, and no one else changes, retires or deletes these nodes until the transaction ends. */
export async function lockCredentialStates(client: PoolClient, serials: readonly number[]): Promise<NodeCredentialState[]> {
  // Locked first, read after: what a waiting reader saw before would be outdated.
  await prepared(client, "lock-nodes-of-credentials", [serials])`
    select from node where serial_number = any($1::int4[]) order by serial_number for update`;
  return await readCredentialStates(client, serials);
}

/**
 * Gives nodes new credentials; the old ones are void at once, not when the transaction began: it may have waited for the nodes, which connected
 * meanwhile with what is void now. Serial numbers that are no node are skipped; returns how many were set.
 */
export async function replaceNodeCredentials(client: Db, credentials: readonly { serial: number; secret: string }[]): Promise<number> {
  return await plannedCount(client, "replace-node-credentials", [
    credentials.map(({ serial }) => serial),
    credentials.map(({ secret }) => hashNodeSecret(secret)),
    credentials.map(({ serial, secret }) => mosquittoHash(String(serial), secret)),
  ])`
    insert into node_credential (serial_number, secret_hash, mosquitto_hash, created_at)
    select n.serial_number, r.secret_hash, r.mosquitto_hash, clock_timestamp() from unnest($1::integer[], $2::bytea[], $3::text[]) as r(serial_number, secret_hash, mosquitto_hash) join node n using (serial_number)
    on conflict (serial_number) do update set secret_hash = excluded.secret_hash, mosquitto_hash = excluded.mosquitto_hash, created_at = excluded.created_at, revoked_at = null`;
}

export async function revokeCredentials(client: PoolClient, serials: readonly number[]): Promise<void> {
  await planned(client, "revoke-node-credentials", [serials])`
    update node_credential set revoked_at = clock_timestamp() where serial_number = any($1::int4[]) and revoked_at is null`;
}
