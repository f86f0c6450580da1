import type { Pool } from "pg";
import { planned, type Db } from "#db/statement.ts";
import { activityHour } from "#shared/activity-hour-sql.ts";
import { inTransaction } from "#db/transaction.ts";

/** More than so many blocks wait for the next run. */
const blocksPerRun = 5_000;

/**
 * Blocks of 4,096 ids to which nothing can be added any more and that were not counted: the ids were handed out, and every transaction of
 * that time has ended.
 */
export async function findBlocksToTally(pool: Pool): Promise<number[]> {
  return inTransaction(pool, async (client) => {
    const rows = await planned<{ settled: string; seen: string; isSafe: boolean }>(client, "lock-activity-tally")`
      select settled_block::text as settled, seen_block::text as seen, pg_snapshot_xmin(pg_current_snapshot()) > seen_xid as "isSafe"
      from activity_tally_state for update`;
    const { settled = "0", seen = "0", isSafe = false } = rows[0] ?? {};
    const [first, end] = [Number(settled), Number(seen)];
    if (first >= end) {
      // What is complete now may be counted in a later round.
      await planned(client, "look-ahead")`update activity_tally_state set seen_xid = pg_snapshot_xmax(pg_current_snapshot()),
        seen_block = (select coalesce(max(id), 0) >> 12 from activity)`;
      return [];
    }
    return isSafe ? Array.from({ length: Math.min(blocksPerRun, end - first) }, (_, index) => first + index) : [];
  });
}

/** Counts these blocks and settles them, each in the hours that its activities show. Returns how many there were. */
export async function tallyBlocks(pool: Pool, blocks: readonly number[]): Promise<number> {
  await inTransaction(pool, async (client) => {
    // Whoever forgets activities does not forget what is being counted.
    await planned(client, "hold-activity-tally")`select from activity_tally_state for update`;
    await planned(client, "tally-activities", [blocks])`with counted as (
        select ${activityHour} as hour, action, count(*) as count from unnest($1::bigint[]) b (block)
          join activity on id >= b.block << 12 and id < (b.block + 1) << 12 group by 1, 2)
      insert into activity_tally as t (action, hour, count)
      select action, hour, count from counted union all select '', hour, sum(count) from counted group by hour
      on conflict (action, hour) do update set count = t.count + excluded.count`;
    await settleBlocks(client, Math.max(...blocks) + 1);
  });
  return blocks.length;
}

/** All blocks before this one were counted, or are set aside. */
export async function settleBlocks(client: Db, until: number): Promise<void> {
  await planned(client, "settle-activities", [until])`update activity_tally_state set settled_block = $1 where settled_block < $1`;
}
