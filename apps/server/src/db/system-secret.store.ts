import { randomBytes } from "node:crypto";
import type { Pool, PoolClient } from "pg";

/** A secret of this installation, made at first use and shared by all its processes. */
export async function systemSecret(pool: Pool | PoolClient, name: string, bytes = 32): Promise<Uint8Array> {
  await pool.query("/* make-system-secret */ insert into system_secret (name, value) values ($1, $2) on conflict do nothing", [
    name,
    randomBytes(bytes),
  ]);
  const { rows } = await pool.query<{ value: Buffer }>("/* system-secret */ select value from system_secret where name = $1", [name]);
  if (!rows[0]) throw new Error(`The system secret ${name} vanished while it was read`);
  return new Uint8Array(rows[0].value);
}
