import { Activity } from "@busbar/contract/feeds.ts";
import type { Pool } from "pg";
import { selectList } from "#db/select-list.ts";

export interface ActivityFilter {
  actor: string | undefined;
  action: string | undefined;
}

/** Where a page begins: so many matching rows below this id come before it. */
interface PageStart {
  belowId: string;
  skip: number;
  total: number;
}

const activityColumns = selectList(Activity, "activity", { timestamp: "extract(epoch from ts)::float8" });

// Rows of counted blocks are never read to be counted; those above them are few.
const locateText = `/* locate-activity-page */
  with state as (select settled_block, settled_block << 12 as first_id from activity_tally_state),
  tail as (select count(*) as n from activity, state where id >= first_id and ($1 = '' or action = $1)),
  blocks as (select block, count, sum(count) over (order by block desc) as upto from activity_tally, state where action = $1 and block < settled_block)
  select (select n from tail)::float8 as tail, coalesce((select max(upto) from blocks), 0)::float8 as settled,
    found.block::text as block, (found.upto - found.count)::float8 as before
  from (select 1) one left join lateral (
    select block, count, upto from blocks where upto > $2::bigint - 1 - (select n from tail) order by block desc limit 1) found on true`;

export function createActivityFeed(pool: Pool) {
  async function locate(from: number, action: string): Promise<PageStart> {
    const { rows } = await pool.query<{ tail: number; settled: number; block: string | null; before: number | null }>({
      name: "locate-activity-page",
      text: locateText,
      values: [action, from],
    });
    const { tail = 0, settled = 0, block = null, before = null } = rows[0] ?? {};
    const total = tail + settled;
    if (from - 1 < tail || block === null || before === null) return { belowId: newest, skip: from - 1, total };
    return { belowId: String((BigInt(block) + 1n) << 12n), skip: from - 1 - tail - before, total };
  }

  async function countOfActor(actor: string, action: string | undefined): Promise<number> {
    const { rows } = await pool.query<{ count: number }>({
      name: "count-actor-activities",
      text: "/* count-actor-activities */ select count(*)::float8 as count from activity where actor = $1 and ($2::text is null or action = $2)",
      values: [actor, action ?? null],
    });
    return rows[0]?.count ?? 0;
  }

  return {
    /** Rows from position `from`, counted from 1 at the newest, and how many there are in all. */
    async page({ actor, action }: ActivityFilter, from: number, count: number): Promise<{ activities: Activity[]; total: number }> {
      const start: PageStart =
        actor === undefined
          ? await locate(from, action ?? "")
          : { belowId: newest, skip: from - 1, total: await countOfActor(actor, action) };
      if (from > start.total) return { activities: [], total: start.total };
      const conditions = ["id < $1::bigint"];
      const values: unknown[] = [start.belowId, start.skip, count];
      for (const [column, value] of [
        ["actor", actor],
        ["action", action],
      ] as const) {
        if (value !== undefined) conditions.push(`${column} = $${values.push(value)}`);
      }
      const { rows } = await pool.query<Activity>({
        name: `activity-page-${conditions.length}-${actor === undefined}`,
        text: `/* activity-page */ select ${activityColumns} from activity where ${conditions.join(" and ")} order by id desc offset $2 limit $3`,
        values,
      });
      return { activities: rows, total: start.total };
    },

    async latest(count: number): Promise<Activity[]> {
      const { rows } = await pool.query<Activity>({
        name: "latest-activities",
        text: `/* latest-activities */ select ${activityColumns} from activity order by id desc limit $1`,
        values: [count],
      });
      return rows;
    },

    async activeSessions(now: number): Promise<number> {
      const { rows } = await pool.query<{ count: number }>({
        name: "active-sessions",
        text: `/* active-sessions */ select count(distinct user_id)::int as count from session
               where expires_at > to_timestamp($1) and (ends_at is null or ends_at > to_timestamp($1)) and last_used_at > to_timestamp($1) - interval '30 minutes'`,
        values: [now],
      });
      return rows[0]?.count ?? 0;
    },
  };
}
export type ActivityFeed = ReturnType<typeof createActivityFeed>;

/** Above every id. */
const newest = "9223372036854775807";
