import { randomUUID } from "node:crypto";
import { userFlags } from "@busbar/contract/access/users.ts";
import { hashPassword } from "@busbar/server/lib/passwords.ts";
import type { PoolClient } from "@busbar/server/db/pool.ts";
import { planned } from "@busbar/server/db/statement.ts";
import { demoUsers } from "./users.ts";

const columnOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** People of the customers, who must be there. No one knows their passwords, and the newcomer has none yet. */
export async function insertUsers(client: PoolClient, now: number): Promise<void> {
  const flags = userFlags.map(({ name }) => name);
  const rows = demoUsers.map(({ on = [], off = [], mailbox, username, ...user }) => ({
    ...user,
    username,
    mailbox: mailbox ?? username.replaceAll("@", "."),
    ...Object.fromEntries(userFlags.map(({ name, isOnAtFirst }) => [name, on.includes(name) || (isOnAtFirst && !off.includes(name))])),
  }));
  await planned(client, "demo-users", [JSON.stringify(rows)])`
    insert into app_user (username, email, first_name, last_name, customer_id, active_status, ${flags.map(columnOf).join(", ")})
    select r.username, r.mailbox || '@' || coalesce(c.email_domains[1], c.code || '.example'), r."firstName", r."lastName", c.id,
      case when coalesce(r."isSuspended", false) then 'SUSPENDED' else 'ACTIVE' end, ${flags.map((name) => `r."${name}"`).join(", ")}
    from jsonb_to_recordset($1) as r(username text, mailbox text, "firstName" text, "lastName" text, "customerCode" text, "isSuspended" boolean,
      ${flags.map((name) => `"${name}" boolean`).join(", ")}) join customer c on c.code = r."customerCode"`;
  await planned(client, "demo-passwords", [await hashPassword(randomUUID())])`
    update app_user set password_hash = $1 where password_hash is null and username <> 'newcomer'`;
  await planned(client, "demo-sessions", [JSON.stringify(demoUsers.filter(({ signInsDaysAgo }) => signInsDaysAgo)), now])`
    insert into session (id, user_id, roles, is_administrator, signed_in_at, issued_at, expires_at, last_used_at, ends_at, end_reason)
    select gen_random_uuid(), u.id, '{}', false, at, at, at + interval '1 day', at, at + interval '1 hour', 'logout'
    from jsonb_to_recordset($1) as r(username text, "signInsDaysAgo" jsonb) join app_user u on u.username = r.username
    cross join lateral jsonb_array_elements_text(r."signInsDaysAgo") as days
    cross join lateral (select to_timestamp($2) - days::integer * interval '1 day' - interval '2 hours 13 minutes' as at) as t`;
}
