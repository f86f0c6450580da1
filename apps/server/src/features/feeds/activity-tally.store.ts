import type { Pool } from "pg";
import { activityHour } from "#db/activity-hour.ts";
import { inTransaction } from "#db/transaction.ts";

const blocksPerRound = 50;

/**
 * Counts activities by blocks of 4,096 ids once nothing can be added to a block any more: the ids were handed out, and every
 * transaction of that time has ended. So each is counted once, in the hour that it shows, whatever time that is. Returns how many
 * blocks it counted, and whether more are waiting.
 */
export async function tallyActivities(pool: Pool): Promise<{ counted: number; isMore: boolean }> {
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ settled: string; seen: string; isSafe: boolean }>(
      `/* lock-activity-tally */ select settled_block::text as settled, seen_block::text as seen, pg_snapshot_xmin(pg_current_snapshot()) > seen_xid as "isSafe"
       from activity_tally_state for update`,
    );
    const { settled = "0", seen = "0", isSafe = false } = rows[0] ?? {};
    if (BigInt(settled) >= BigInt(seen)) {
      // What is complete now may be counted in a later round.
      await client.query(
        `/* look-ahead */ update activity_tally_state set seen_xid = pg_snapshot_xmax(pg_current_snapshot()),
           seen_block = (select coalesce(max(id), 0) >> 12 from activity)`,
      );
      return { counted: 0, isMore: false };
    }
    if (!isSafe) return { counted: 0, isMore: false };
    const until = BigInt(seen) < BigInt(settled) + BigInt(blocksPerRound) ? BigInt(seen) : BigInt(settled) + BigInt(blocksPerRound);
    await client.query(
      `/* tally-activities */ with counted as (
         select ${activityHour} as hour, action, count(*) as count from activity where id >= $1::bigint << 12 and id < $2::bigint << 12 group by 1, 2)
       insert into activity_tally as t (action, hour, count)
       select action, hour, count from counted union all select '', hour, sum(count) from counted group by hour
       on conflict (action, hour) do update set count = t.count + excluded.count`,
      [settled, until.toString()],
    );
    await client.query("/* settle-activities */ update activity_tally_state set settled_block = $1", [until.toString()]);
    return { counted: Number(until - BigInt(settled)), isMore: until < BigInt(seen) };
  });
}
