import type { Pool } from "@busbar/server/db/pool.ts";
import type { BenchContext } from "../lib/bench-context.ts";
import { openCallBench } from "../lib/call-bench.ts";
import { formatCount } from "../lib/format-figure.ts";
import { createReport, type Report } from "../lib/report.ts";

/** The board of open deployments among a fleet whose tasks are all complete, from request to answer. */
export async function benchDeploymentBoard(context: BenchContext): Promise<Report> {
  const { isShort, say } = context;
  const nodes = isShort ? 200 : 10_000;
  const open = nodes / 5;
  say(`${formatCount(nodes)} nodes`);
  const bench = await openCallBench(context, { nodes, seed: (pool) => seedTasks(pool, open) });
  const report = createReport(
    "deployment-board",
    `the board of ${formatCount(open)} open deployments among ${formatCount(nodes)} nodes, from request to answer`,
  );
  const calls = isShort ? 10 : 100;
  await bench.call("health", calls, () => "/healthz");
  await bench.call("board", calls, () => "/api/deployments");
  bench.writeTo(report, "call", "health");
  return report;
}

/** The last fifth of the nodes is on its way, each another number of tasks far; of the others all tasks are complete. */
async function seedTasks(pool: Pool, open: number): Promise<void> {
  const isOpen = "n.place <= $1";
  const numbered = "(select serial_number, row_number() over (order by serial_number desc) as place from node) n";
  await pool.query(
    `update node set current_deployment_status = 'Pre-Deployment', new_deployment_status = 'Pre-Deployment'
     from ${numbered} where node.serial_number = n.serial_number and ${isOpen}`,
    [open],
  );
  await pool.query(
    `insert into node_task (serial_number, task_template_id, status, notes, updated_by_username, updated_by_full_name)
     select n.serial_number, t.id, 'COMPLETED', '', 'someone', 'Some One'
     from ${numbered} cross join lateral (
       select id from unnest(array(select generate_series(101, 112)) || array(select generate_series(201, 210))) with ordinality as u(id, step)
       where case when ${isOpen} then step <= n.place % 22 else true end
     ) t`,
    [open],
  );
}
