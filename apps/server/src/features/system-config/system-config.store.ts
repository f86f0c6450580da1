import type { Pool } from "pg";

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
  };
}
export type SystemConfigStore = ReturnType<typeof createSystemConfigStore>;
