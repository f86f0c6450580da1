import type { Pool, PoolClient } from "pg";
import { planned, prepared, type Db } from "#db/statement.ts";

export interface StoredSetting {
  value: unknown;
  revision: number;
  updatedBy: string;
}

export function createSystemConfigStore(pool: Pool) {
  return {
    /** The stored value of a setting; undefined when no one has set it. */
    async read(key: string): Promise<unknown> {
      const rows = await prepared<{ value: unknown }>(pool, "read-system-config", [key])`select value from system_config where key = $1`;
      return rows[0]?.value;
    },

    /** Everything that is set. */
    async readAll(client: Db = pool): Promise<Map<string, StoredSetting>> {
      const rows = await planned<StoredSetting & { key: string }>(client, "read-all-system-config")`
        select key, value, revision::float8 as revision, updated_by as "updatedBy" from system_config order by key`;
      return new Map(rows.map(({ key, ...setting }) => [key, setting]));
    },

    /** One writer after the other, so that whoever saw a revision saw all before it. */
    async lockForWriting(client: PoolClient): Promise<void> {
      await planned(client, "lock-system-config")`select pg_advisory_xact_lock(hashtext('busbar-system-config'))`;
    },

    async write(client: PoolClient, values: ReadonlyMap<string, unknown>, by: string): Promise<void> {
      await planned(client, "write-system-config", [JSON.stringify(Object.fromEntries(values)), by])`
        insert into system_config (key, value, updated_at, updated_by)
        select key, value, now(), $2 from jsonb_each($1) on conflict (key) do update
        set revision = excluded.revision, value = excluded.value, updated_at = excluded.updated_at, updated_by = excluded.updated_by`;
    },
  };
}
export type SystemConfigStore = ReturnType<typeof createSystemConfigStore>;
