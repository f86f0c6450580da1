import type { Pool } from "pg";

/** Deletes notes of directory changes made before a time, except the newest, which says how far the directory is. */
export async function forgetDirectoryChanges(pool: Pool, before: number): Promise<number> {
  const { rowCount } = await pool.query(
    `/* forget-directory-changes */ delete from directory_change where at < to_timestamp($1) and xid < (select xid from directory_change order by xid desc limit 1)`,
    [before],
  );
  return rowCount ?? 0;
}
