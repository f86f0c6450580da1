import { actionsOf } from "@busbar/contract/system/changes.ts";
import type { Pool } from "@busbar/server/db/pool.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { openCallBench } from "../lib/call-bench.ts";
import { formatCount } from "../lib/format-figure.ts";
import { createReport, type Report } from "../lib/report.ts";

/** Changes by person, action, object and time among millions of births, beside one plain query over the times. */
export async function benchChanges(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const activities = isShort ? 2_000 : 10_000_000;
  const calls = isShort ? 3 : 200;
  say(`${formatCount(activities)} activities`);
  const bench = await openCallBench(context, {
    nodes: 10,
    seed: async (pool) => {
      await insertActivities(pool, activities);
      await pool.query("analyze activity");
    },
  });
  const { rows: span } = await bench.pool.query<{ first: number; last: number }>(
    "select extract(epoch from min(ts))::float8 as first, extract(epoch from max(ts))::float8 as last from activity",
  );
  const { first, last } = span[0]!;
  const timeAt = (index: number) => Math.floor(first + (last - first) * ((index * 0.618_034) % 1));
  const report = createReport("changes", `changes among ${formatCount(activities)} activities, from request to answer`);
  for (const [name, queryOf] of [
    ["newest", () => ""],
    ["of one person", (index: number) => `actor=person${index % 50}`],
    ["of one person, before a time", (index: number) => `actor=person${index % 50}&to=${timeAt(index)}`],
    ["of one day", (index: number) => `from=${timeAt(index)}&to=${timeAt(index) + 86_400}`],
    ["a rare action", () => "action=DELETE_CUSTOMER"],
    ["a person's rare action", (index: number) => `action=DELETE_CUSTOMER&actor=person${index % 50}`],
    ["of one object", (index: number) => `object=node/${10_000 + (index % 1_000)}`],
    ["births, when asked for", (index: number) => `kind=connections&to=${timeAt(index)}`],
  ] as [string, (index: number) => string][]) {
    await bench.call(name, calls, (index) => `/api/changes?${queryOf(index)}`);
  }
  await bench.time("one plain query", isShort ? 3 : 5, () =>
    bench.pool.query(
      "select * from activity where action = 'DELETE_CUSTOMER' or (action = any($1) and actor = 'person7') order by ts desc limit 25",
      [actionsOf(undefined)],
    ),
  );
  bench.writeTo(report, "changes", "newest");
  return report;
}

/** Of a hundred, 90 are births, 5 sign-ins and 5 changes of 50 people; one in 500,000 is rare. */
async function insertActivities(pool: Pool, count: number): Promise<void> {
  await pool.query(
    `insert into activity (ts, actor_type, actor, action, object, description, before, after)
     select now() - ($1::int - n) * interval '6 s', case when n % 20 < 18 then 'Node' else 'User' end,
       case when n % 20 < 18 then (10000 + n % 1000)::text else 'person' || n / 20 % 50 end,
       case when n % 20 < 18 then 'NODE_BIRTH' when n % 20 = 18 then 'LOGIN' when n % 500000 = 19 then 'DELETE_CUSTOMER'
         else (array['PATCH_NODE', 'PATCH_TASK', 'PATCH_LOCATION', 'PATCH_NOTE'])[1 + n / 20 % 4] end,
       case when n % 20 = 19 then 'node/' || 10000 + n / 20 % 1000 else '' end,
       'Something happened, as it does, number ' || n,
       case when n % 20 = 19 then '{"voltageThreshold": 480, "revision": 1}'::jsonb end,
       case when n % 20 = 19 then '{"voltageThreshold": 460, "revision": 2}'::jsonb end
     from generate_series(1, $1::int) n`,
    [count],
  );
}
