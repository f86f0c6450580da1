import type { Pool } from "@busbar/server/db/pool.ts";

/** Nodes for the tests of deployment tasks: each test changes its own. */
export const taskNodes = {
  /** At a location, to be worked through. */
  placed: "91001",
  /** At no location, without a deployment task type. */
  untyped: "91002",
  /** Two people work on it. */
  shared: "91003",
  /** No one changes it: tasks A1 to A3 are complete, the second with notes. */
  shown: "91004",
} as const;

export async function addTaskNodes(database: Pool): Promise<void> {
  await database.query(
    `with c as (insert into customer (code, name) values ('chkco', 'Checklist Testing') returning id),
       f as (insert into facility (customer_id, name, site_name) select id, 'Hall of Lists', 'Hall' from c returning id),
       l as (insert into location (facility_id, name, timezone) select f.id, name, 'Asia/Kolkata' from f, unnest(array['Mixer 1', 'Mixer 2', 'Mixer 3']) as name returning id, name),
       n as (insert into node (serial_number, deployment_task_type)
         values (91001, 'NL-NF'), (91002, null), (91003, 'NL-EF'), (91004, 'RMA') returning serial_number)
     insert into node_assignment (serial_number, location_id, slot)
       select n.serial_number, l.id, 1 from n join l on l.name = case n.serial_number when 91001 then 'Mixer 1' when 91003 then 'Mixer 2' when 91004 then 'Mixer 3' end`,
  );
  await database.query(
    `insert into node_task (serial_number, task_template_id, status, notes, updated_by_user_id, updated_by_username, updated_by_full_name, updated_at)
     select 91004, t.id, 'COMPLETED', case t.id when 102 then 'Plate is worn' else '' end, u.id, u.username, u.first_name || ' ' || u.last_name, now() - interval '3 days'
     from unnest(array[101, 102, 103]) as t(id), app_user u where u.username = 'accounts'`,
  );
}
