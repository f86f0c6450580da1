import type { PoolClient } from "@busbar/server/db/pool.ts";
import { planned } from "@busbar/server/db/statement.ts";
import { taskProgress } from "./task-progress.ts";

/** Completed tasks of the demo's deployments: one every second day, by the demo's administrators in turn. */
export async function seedTaskProgress(client: PoolClient): Promise<void> {
  const rows = taskProgress.map(({ notes, ...rest }) => ({
    ...rest,
    notes: Object.entries(notes).map(([id, text]) => ({ id: Number(id), text })),
  }));
  await planned(client, "demo-task-progress", [JSON.stringify(rows)])`with progress as (
      select a.serial_number, p.* from jsonb_to_recordset($1) as p(location text, "taskType" text, completed jsonb, notes jsonb)
        join location l on l.name = p.location join node_assignment a on a.location_id = l.id and a.slot = 1
    ), typed as (
      update node n set deployment_task_type = p."taskType" from progress p where n.serial_number = p.serial_number
    ), people as (
      select id, username, trim(first_name || ' ' || last_name) as full_name, row_number() over (order by id) - 1 as place, count(*) over () as count from app_user
    )
    insert into node_task (serial_number, task_template_id, status, notes, updated_by_user_id, updated_by_username, updated_by_full_name, updated_at)
    select p.serial_number, t.id::integer, 'COMPLETED', coalesce(n.text, ''), w.id, w.username, w.full_name,
      now() - interval '2 days' * (jsonb_array_length(p.completed) - t.place) - interval '3 hours'
    from progress p cross join lateral jsonb_array_elements_text(p.completed) with ordinality as t(id, place)
      left join lateral jsonb_to_recordset(p.notes) as n(id integer, text text) on n.id = t.id::integer
      join people w on w.place = t.id::integer % w.count`;
}
