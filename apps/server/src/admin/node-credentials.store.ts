import type { PoolClient } from "pg";
import type { Db } from "#db/pool.ts";
import { mosquittoHash } from "#lib/mosquitto-hash.ts";
import { hashNodeSecret } from "#lib/node-secrets.ts";

/** Gives nodes new credentials; the old ones are void at once. Serial numbers that are no node are skipped; returns how many were set. */
export async function replaceNodeCredentials(client: Db, credentials: readonly { serial: number; secret: string }[]): Promise<number> {
  const { rowCount } = await client.query(
    `/* replace-node-credentials */ insert into node_credential (serial_number, secret_hash, mosquitto_hash)
     select n.serial_number, r.secret_hash, r.mosquitto_hash from unnest($1::integer[], $2::bytea[], $3::text[]) as r(serial_number, secret_hash, mosquitto_hash) join node n using (serial_number)
     on conflict (serial_number) do update set secret_hash = excluded.secret_hash, mosquitto_hash = excluded.mosquitto_hash, created_at = now(), revoked_at = null`,
    [
      credentials.map(({ serial }) => serial),
      credentials.map(({ secret }) => hashNodeSecret(secret)),
      credentials.map(({ serial, secret }) => mosquittoHash(String(serial), secret)),
    ],
  );
  return rowCount ?? 0;
}

/** Makes unassigned nodes; returns how many were new. */
export async function createNodes(client: PoolClient, serials: readonly number[]): Promise<number> {
  const { rowCount } = await client.query(
    `/* create-nodes */ insert into node (serial_number, current_deployment_status, new_deployment_status)
     select serial, 'Unassigned', 'Unassigned' from unnest($1::integer[]) as serial on conflict do nothing`,
    [serials],
  );
  return rowCount ?? 0;
}
