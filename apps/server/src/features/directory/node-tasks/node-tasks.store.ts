import type { PoolClient } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import type { Db } from "#db/pool.ts";
import type { NodeTasks, TaskStatus } from "@busbar/contract/directory/node-tasks.ts";

/** A task that someone touched. */
export interface NodeTaskRow {
  taskTemplateId: number;
  status: TaskStatus;
  notes: string;
  updatedByUserId: number | null;
  updatedByUsername: string;
  updatedByFullName: string;
  /** Epoch seconds. */
  updatedAt: number;
  revision: number;
}

export interface NodeTaskChange {
  serialNumber: number;
  taskTemplateId: number;
  status: TaskStatus;
  notes: string;
  userId: number;
}

const columns = `task_template_id as "taskTemplateId", status, notes, updated_by_user_id as "updatedByUserId", updated_by_username as "updatedByUsername",
  updated_by_full_name as "updatedByFullName", ${epochSeconds("updated_at")} as "updatedAt", revision`;

/** What the checklist needs to know of the node itself; undefined when there is no such node. */
export async function findTaskNode(db: Db, serialNumber: number): Promise<Omit<NodeTasks, "tasks"> | undefined> {
  const { rows } = await db.query<Omit<NodeTasks, "tasks">>({
    name: "find-task-node",
    text: `select n.deployment_task_type as "deploymentTaskType",
             case when l.id is null then null else json_build_object('id', l.id, 'name', l.name, 'facilityName', f.name, 'customerCode', c.code, 'timezone', l.timezone) end as location
           from node n left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
             left join facility f on f.id = l.facility_id left join customer c on c.id = f.customer_id
           where n.serial_number = $1`,
    values: [serialNumber],
  });
  return rows[0];
}

/** Waits until no one else changes tasks of this node; false when there is no such node. */
export async function lockTasksOfNode(client: PoolClient, serialNumber: number): Promise<boolean> {
  const { rowCount } = await client.query({
    name: "lock-tasks-of-node",
    text: "select from node where serial_number = $1 for no key update",
    values: [serialNumber],
  });
  return rowCount === 1;
}

export async function findNodeTasks(db: Db, serialNumber: number): Promise<Map<number, NodeTaskRow>> {
  const { rows } = await db.query<NodeTaskRow>({
    name: "find-node-tasks",
    text: `select ${columns} from node_task where serial_number = $1`,
    values: [serialNumber],
  });
  return new Map(rows.map((row) => [row.taskTemplateId, row]));
}

export async function writeNodeTask(client: PoolClient, change: NodeTaskChange): Promise<NodeTaskRow> {
  const { rows } = await client.query<NodeTaskRow>({
    name: "write-node-task",
    text: `insert into node_task (serial_number, task_template_id, status, notes, updated_by_user_id, updated_by_username, updated_by_full_name)
           select $1, $2, $3, $4, id, username, trim(first_name || ' ' || last_name) from app_user where id = $5
           on conflict (serial_number, task_template_id) do update set status = excluded.status, notes = excluded.notes,
             updated_by_user_id = excluded.updated_by_user_id, updated_by_username = excluded.updated_by_username,
             updated_by_full_name = excluded.updated_by_full_name, updated_at = now(), revision = node_task.revision + 1
           returning ${columns}`,
    values: [change.serialNumber, change.taskTemplateId, change.status, change.notes, change.userId],
  });
  const row = rows[0];
  if (!row) throw new Error(`User ${change.userId} is gone`);
  return row;
}
