import type { Pool } from "pg";
import { planned } from "#db/statement.ts";
import type { Log } from "#lib/log.ts";

/** Usernames that are someone else's e-mail: none can be made any more, but a database may hold some of before. */
export async function warnOfSharedNames(pool: Pool, log: Log): Promise<void> {
  const rows = await planned<{ username: string; other: string }>(pool, "find-shared-names")`
    select u.username, o.username as other from app_user u join app_user o on lower(o.email) = u.username and o.id <> u.id
    order by u.username limit 100`;
  for (const { username, other } of rows) log.warn(`the username ${username} is the e-mail of ${other}: rename one of them`);
}
