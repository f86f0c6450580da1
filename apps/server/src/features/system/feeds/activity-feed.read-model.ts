import { Activity, type ActivityPage } from "@busbar/contract/system/feeds.ts";
import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { activityHour } from "#shared/activity-hour-sql.ts";
import { selectList } from "#db/select-list.ts";
import { prepared } from "#db/statement.ts";

export interface ActivityFilter {
  /** Null is none. */
  actor: string | null | undefined;
  action: string | undefined;
  upTo: number | undefined;
}

/** Where a page begins: so many matching rows before this time come before it. */
interface PageStart {
  before: number | "infinity";
  skip: number;
  total: number;
}

const activityColumns = selectList(Activity, "activity", { timestamp: epochSeconds("ts") });

// Rows of counted blocks are never read to be counted. Those above them are added, those that are too new for this reader taken away.
const locateText = `with state as (select settled_block << 12 as first_id from activity_tally_state),
  hours as (select hour, sum(n) as n from (
      select hour, count as n from activity_tally where action = $1
      union all select ${activityHour}, count(*) from activity, state where id >= first_id and ($1 = '' or action = $1) group by 1
      union all select ${activityHour}, -count(*) from activity where id > $3::bigint and ($1 = '' or action = $1) group by 1) each group by hour),
  placed as (select hour, n, sum(n) over (order by hour desc) as upto from hours)
  select coalesce((select max(upto) from placed), 0)::float8 as total, found.hour::float8 as hour, (found.upto - found.n)::float8 as before
  from (select 1) one left join lateral (
    select hour, n, upto from placed where upto > $2::bigint - 1 order by hour desc limit 1) found on true`;

export function createActivityFeed(pool: Pool) {
  async function locate(from: number, action: string, upTo: number): Promise<PageStart> {
    const rows = await prepared<{ total: number; hour: number | null; before: number | null }>(pool, "locate-activity-page", [
      action,
      from,
      upTo,
    ])`
      ${locateText}`;
    const { total = 0, hour = null, before = null } = rows[0] ?? {};
    if (hour === null || before === null) return { before: "infinity", skip: from - 1, total };
    return { before: (hour + 1) * 3600, skip: from - 1 - before, total };
  }

  async function countOfActor(actor: string | null, action: string | undefined, upTo: number): Promise<number> {
    const rows = await prepared<{ count: number }>(pool, "count-actor-activities", [actor, action ?? null, upTo])`
      select count(*)::float8 as count from activity where actor = $1 and ($2::text is null or action = $2) and id <= $3`;
    return rows[0]?.count ?? 0;
  }

  async function newestId(): Promise<number> {
    const rows = await prepared<{ newest: number }>(pool, "newest-activity")`
      select coalesce(max(id), 0)::float8 as newest from activity`;
    return rows[0]?.newest ?? 0;
  }

  return {
    /**
     * Rows from position `from`, counted from 1 at the newest, and how many there are in all; of those that were there when `upTo`
     * was the newest id, so that pages do not move under their reader.
     */
    async page({ actor, action, upTo }: ActivityFilter, from: number, count: number): Promise<Omit<ActivityPage, "from" | "count">> {
      const newest = upTo ?? (await newestId());
      const start: PageStart =
        actor === undefined
          ? await locate(from, action ?? "", newest)
          : { before: "infinity", skip: from - 1, total: await countOfActor(actor, action, newest) };
      const { total } = start;
      if (from > total) return { activities: [], total, newest };
      const conditions = ["ts < $1::timestamptz", "id <= $4::bigint"];
      const values: unknown[] = [start.before === "infinity" ? start.before : new Date(start.before * 1000), start.skip, count, newest];
      for (const [column, value] of [
        ["actor", actor],
        ["action", action],
      ] as const) {
        if (value !== undefined) conditions.push(`${column} = $${values.push(value)}`);
      }
      const rows = await prepared<Activity>(pool, `activity-page-${conditions.length}-${actor === undefined}`, values)`
        select ${activityColumns} from activity where ${conditions.join(" and ")} order by ts desc, id desc offset $2 limit $3`;
      return { activities: rows, total, newest };
    },

    /** Who did something, by name: a thousand after this one. */
    async actorsAfter(actor: string): Promise<string[]> {
      const rows = await prepared<{ actor: string }>(pool, "activity-actors", [actor])`with recursive actors as (
          (select actor from activity where actor > $1 order by actor limit 1)
          union all select (select actor from activity where actor > a.actor order by actor limit 1) from actors a where a.actor is not null)
        select actor from actors where actor is not null limit 1000`;
      return rows.map((row) => row.actor);
    },

    async latest(count: number): Promise<Activity[]> {
      return await prepared<Activity>(pool, "latest-activities", [count])`
        select ${activityColumns} from activity order by ts desc, id desc limit $1`;
    },

    async activeSessions(now: number): Promise<number> {
      const rows = await prepared<{ count: number }>(pool, "active-sessions", [now])`
        select count(distinct user_id)::int as count from session
        where expires_at > to_timestamp($1) and (ends_at is null or ends_at > to_timestamp($1)) and last_used_at > to_timestamp($1) - interval '30 minutes'`;
      return rows[0]?.count ?? 0;
    },
  };
}
export type ActivityFeed = ReturnType<typeof createActivityFeed>;
