import type { Pool } from "pg";
import { plannedCount } from "#db/statement.ts";

/** Deletes notes of directory changes made before a time, except the newest, which says how far the directory is. */
export async function forgetDirectoryChanges(pool: Pool, before: number): Promise<number> {
  return await plannedCount(pool, "forget-directory-changes", [before])`
    delete from directory_change where at < to_timestamp($1) and xid < (select xid from directory_change order by xid desc limit 1)`;
}

/** Deletes notes of whose sessions changed, made before a time. */
export async function forgetSessionChanges(pool: Pool, before: number): Promise<number> {
  return await plannedCount(pool, "forget-session-changes", [before])`delete from session_change where at < to_timestamp($1)`;
}
