import type { Pool, PoolClient } from "pg";

export function createSystemConfigStore(pool: Pool) {
  return {
    /** The stored value of a setting; undefined when nobody has set it. */
    async read(key: string): Promise<unknown> {
      const { rows } = await pool.query<{ value: unknown }>({
        name: "read-system-config",
        text: "/* read-system-config */ select value from system_config where key = $1",
        values: [key],
      });
      return rows[0]?.value;
    },

    /** Everything that is set. Within a transaction the rows stay as they are until its end. */
    async readAll(client?: PoolClient): Promise<Map<string, unknown>> {
      const { rows } = await (client ?? pool).query<{ key: string; value: unknown }>(
        `/* read-all-system-config */ select key, value from system_config order by key${client ? " for update" : ""}`,
      );
      return new Map(rows.map(({ key, value }) => [key, value]));
    },

    async write(client: PoolClient, values: ReadonlyMap<string, unknown>, by: string): Promise<void> {
      await client.query(
        `/* write-system-config */ insert into system_config (key, value, updated_at, updated_by)
         select key, value, now(), $2 from jsonb_each($1) on conflict (key) do update
         set value = excluded.value, updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
        [JSON.stringify(Object.fromEntries(values)), by],
      );
    },
  };
}
export type SystemConfigStore = ReturnType<typeof createSystemConfigStore>;
