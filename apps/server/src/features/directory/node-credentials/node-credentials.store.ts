import type { Pool } from "pg";

export interface ActiveCredential {
  serial: number;
  secretHash: Buffer;
}

export type NodeCredentialsStore = ReturnType<typeof createNodeCredentialsStore>;

// A revoked credential and a decommissioned node open nothing.
const active = `from node_credential c where c.revoked_at is null
  and not exists (select 1 from decommissioned_node d where d.serial_number = c.serial_number)`;

export function createNodeCredentialsStore(pool: Pool) {
  return {
    async findActive(serials: readonly number[]): Promise<ActiveCredential[]> {
      const { rows } = await pool.query<ActiveCredential>({
        name: "find-active-credentials",
        text: `select c.serial_number as serial, c.secret_hash as "secretHash" ${active} and c.serial_number = any($1::int4[])`,
        values: [serials],
      });
      return rows;
    },

    /** Serials whose credential was made, revoked or decommissioned in the last seconds, by the database's clock. */
    async changedWithin(seconds: number): Promise<number[]> {
      const { rows } = await pool.query<{ serial: number }>({
        name: "changed-credentials",
        text: `select serial_number as serial from node_credential where greatest(created_at, revoked_at) > now() - make_interval(secs => $1)
          union select serial_number from decommissioned_node where decommissioned_at > now() - make_interval(secs => $1)`,
        values: [seconds],
      });
      return rows.map(({ serial }) => serial);
    },
  };
}
