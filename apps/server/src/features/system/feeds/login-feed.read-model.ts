import type { LoginEvent } from "@busbar/contract/system/feeds.ts";
import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";

export function createLoginFeed(pool: Pool) {
  return {
    /** The latest sign-ins and refused tries; what was typed may be an e-mail or no one's name. */
    async latest(count: number): Promise<LoginEvent[]> {
      return await prepared<LoginEvent>(pool, "latest-logins", [count])`with latest as (
          (select id, ts, actor, action, description from activity where action = 'LOGIN' order by ts desc, id desc limit $1)
          union all (select id, ts, actor, action, description from activity where action = 'LOGIN_FAILED' order by ts desc, id desc limit $1)
          order by ts desc, id desc limit $1)
        select ${epochSeconds("l.ts")} as timestamp, c.code as "customerCode", coalesce(u.is_administrator, false) as administrator,
          coalesce(u.username, l.actor) as username, l.action = 'LOGIN' as success, l.description
        from latest l
        left join lateral (select username, is_administrator, customer_id from app_user
          where username = l.actor or lower(email) = lower(l.actor) order by username = l.actor desc limit 1) u on true
        left join customer c on c.id = u.customer_id
        order by l.ts desc, l.id desc`;
    },
  };
}
export type LoginFeed = ReturnType<typeof createLoginFeed>;
