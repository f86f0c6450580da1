import { join } from "node:path";
import type { Pool } from "@busbar/server/db/pool.ts";
import { findBlocksToTally, tallyBlocks } from "@busbar/server/features/system/feeds/activity-tally.store.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { formatCount, formatMs, formatTimes } from "../lib/format-figure.ts";
import { createLatencies } from "../lib/latencies.ts";
import { createCallMeter } from "../lib/measure-calls.ts";
import { createReport, expectNone } from "../lib/report.ts";
import type { Report } from "../lib/report.ts";
import { seedFleet } from "../lib/seed-fleet.ts";
import { openServerDatabase, startServerProcess } from "../lib/server-process.ts";
import { createStaffSessions } from "../lib/staff-sessions.ts";

/** A page of the activity feed anywhere in a long history, beside what plain counting and OFFSET would cost. */
export async function benchFeeds(context: BenchContext): Promise<Report> {
  const { isShort, folder, undo, say } = context;
  const activities = isShort ? 20_000 : 10_000_000;
  const pages = isShort ? 40 : 400;
  const dataDir = join(folder, "data");
  let token = "";
  say(`${formatCount(activities)} activities`);
  await seedFleet({
    dataDir,
    nodes: 10,
    connected: 0,
    also: async (pool) => {
      [token = ""] = await createStaffSessions(pool, dataDir, 1);
      await insertActivities(pool, activities);
      await tallyAll(pool);
    },
  });
  const server = await startServerProcess({ dataDir, undo, profileDir: context.profileDir });
  const pool = openServerDatabase(dataDir);
  undo.add(() => pool.end());
  const meter = createCallMeter(token, say);
  const measure = (name: string, queryOf: (index: number) => string) =>
    meter.measure(name, pages, (index) => `${server.urls.console}/api/activities?${queryOf(index)}`);
  const anywhere = (index: number, among: number) => 1 + Math.floor((among * ((index * 0.618_034) % 1)) / 10) * 10;
  const events = Math.floor(activities / 20);
  const rows = [
    await measure("first page", () => "from=1&count=10"),
    await measure("a page anywhere", (index) => `from=${anywhere(index, activities)}&count=10`),
    await measure("GP events, a page anywhere", (index) => `action=POST_CUSTOMER_GP_EVENT&from=${anywhere(index, events)}&count=20`),
    await measure("GP events of one node", (index) => `action=POST_CUSTOMER_GP_EVENT&actor=${10_000 + (index % 1_000)}&from=1&count=20`),
  ];

  const plain = createLatencies();
  for (let index = 0; index < (isShort ? 5 : 10); index++) {
    const startedAt = performance.now();
    await pool.query("select count(*) from activity");
    await pool.query("select * from activity order by ts desc, id desc offset $1 limit 10", [anywhere(index, activities)]);
    plain.add(performance.now() - startedAt);
  }
  rows.push(["plain count and OFFSET, anywhere", plain.summary()]);
  const base = rows[1]?.[1].p95Ms ?? Number.NaN;

  const report = createReport("feeds", `pages of ${formatCount(activities)} activities, from request to answer`);
  report.tables.push({
    columns: ["page", "p50 ms", "p95 ms", "highest ms", "p95 against a page anywhere"],
    rows: rows.map(([name, { p50Ms, p95Ms, maxMs }]) => [
      name,
      formatMs(p50Ms),
      formatMs(p95Ms),
      formatMs(maxMs),
      formatTimes(p95Ms / base),
    ]),
  });
  report.facts = Object.fromEntries(rows.map(([name, { p95Ms }]) => [`${name}, p95 ms`, p95Ms]));
  expectNone(report, "calls that failed", meter.failed());
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
