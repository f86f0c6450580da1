import type { Pool } from "@busbar/server/db/pool.ts";
import { findBlocksToTally, tallyBlocks } from "@busbar/server/features/system/feeds/activity-tally.store.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { openCallBench } from "../lib/call-bench.ts";
import { formatCount } from "../lib/format-figure.ts";
import { createReport, type Report } from "../lib/report.ts";

/** A page of the activity feed anywhere in a long history, beside what plain counting and OFFSET would cost. */
export async function benchFeeds(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const activities = isShort ? 2_000 : 10_000_000;
  const pages = isShort ? 3 : 400;
  say(`${formatCount(activities)} activities`);
  const bench = await openCallBench(context, {
    nodes: 10,
    seed: async (pool) => {
      await insertActivities(pool, activities);
      await tallyAll(pool);
    },
  });
  const read = (name: string, queryOf: (index: number) => string) =>
    bench.call(name, pages, (index) => `/api/activities?${queryOf(index)}`);
  const anywhere = (index: number, among: number) => 1 + Math.floor((among * ((index * 0.618_034) % 1)) / 10) * 10;
  const events = Math.floor(activities / 20);
  await read("first page", () => "from=1&count=10");
  await read("a page anywhere", (index) => `from=${anywhere(index, activities)}&count=10`);
  await read("GP events, a page anywhere", (index) => `action=POST_CUSTOMER_GP_EVENT&from=${anywhere(index, events)}&count=20`);
  await read("GP events of one node", (index) => `action=POST_CUSTOMER_GP_EVENT&actor=${10_000 + (index % 1_000)}&from=1&count=20`);
  await bench.time("plain count and OFFSET, anywhere", isShort ? 1 : 10, async (index) => {
    await bench.pool.query("select count(*) from activity");
    await bench.pool.query("select * from activity order by ts desc, id desc offset $1 limit 10", [anywhere(index, activities)]);
  });
  const report = createReport("feeds", `pages of ${formatCount(activities)} activities, from request to answer`);
  bench.writeTo(report, "page", "a page anywhere");
  return report;
}

/** Every twentieth is an event of one of 1,000 nodes. */
async function insertActivities(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `insert into activity (ts, actor_type, actor, action, description)
     select now() - (${count} - n) * interval '6 s', case when n % 20 = 0 then 'ApiKey' else 'User' end,
       case when n % 20 = 0 then (10000 + n / 20 % 1000)::text else 'person' || n % 50 end,
       case when n % 20 = 0 then 'POST_CUSTOMER_GP_EVENT' else (array['LOGIN', 'LOGOUT', 'PATCH_NODE', 'PATCH_TASK', 'SESSION_REFRESH'])[1 + n % 5] end,
       'Something happened, as it does, number ' || n
     from generate_series(1, ${count}) n`,
  );
}

async function tallyAll(pool: Pool): Promise<void> {
  await findBlocksToTally(pool);
  for (let blocks = await findBlocksToTally(pool); blocks.length > 0; blocks = await findBlocksToTally(pool))
    await tallyBlocks(pool, blocks);
}
