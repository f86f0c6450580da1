import type { TaskPhoto } from "@busbar/contract/directory/node-tasks.ts";
import type { PoolClient } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import type { Db } from "#db/pool.ts";

/** Which task of which node. */
export interface TaskOfNode {
  serialNumber: number;
  taskTemplateId: number;
}

const columns = `id, task_template_id as "taskTemplateId", ${epochSeconds("added_at")} as "addedTimestamp", added_by as "addedBy", size`;

export async function findTaskPhotos(db: Db, serialNumber: number): Promise<TaskPhoto[]> {
  const { rows } = await db.query<TaskPhoto>({
    name: "find-task-photos",
    text: `select ${columns} from node_task_photo where serial_number = $1 order by id`,
    values: [serialNumber],
  });
  return rows;
}

/** The photo of a task that has these bytes. */
export async function findSamePhoto(db: Db, task: TaskOfNode, sha256: Uint8Array): Promise<TaskPhoto | undefined> {
  const { rows } = await db.query<TaskPhoto>({
    name: "find-same-task-photo",
    text: `select ${columns} from node_task_photo where serial_number = $1 and task_template_id = $2 and sha256 = $3`,
    values: [task.serialNumber, task.taskTemplateId, sha256],
  });
  return rows[0];
}

export async function countTaskPhotos(client: PoolClient, task: TaskOfNode): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: "count-task-photos",
    text: "select count(*)::int4 as count from node_task_photo where serial_number = $1 and task_template_id = $2",
    values: [task.serialNumber, task.taskTemplateId],
  });
  return rows[0]?.count ?? 0;
}

export async function insertTaskPhoto(
  client: PoolClient,
  task: TaskOfNode,
  photo: { userId: number; sha256: Uint8Array; bytes: Uint8Array },
): Promise<TaskPhoto> {
  const { rows } = await client.query<TaskPhoto>({
    name: "insert-task-photo",
    text: `insert into node_task_photo (serial_number, task_template_id, added_by, sha256, size, bytes)
           select $1, $2, coalesce(nullif(trim(first_name || ' ' || last_name), ''), username), $3, $4, $5 from app_user where id = $6
           returning ${columns}`,
    values: [task.serialNumber, task.taskTemplateId, photo.sha256, photo.bytes.length, photo.bytes, photo.userId],
  });
  const row = rows[0];
  if (!row) throw new Error(`User ${photo.userId} is gone`);
  return row;
}

export async function readTaskPhoto(db: Db, task: TaskOfNode, id: number): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ bytes: Buffer }>({
    name: "read-task-photo",
    text: "select bytes from node_task_photo where serial_number = $1 and task_template_id = $2 and id = $3",
    values: [task.serialNumber, task.taskTemplateId, id],
  });
  return rows[0]?.bytes;
}

/** Undefined when there is no such photo. */
export async function deleteTaskPhoto(client: PoolClient, task: TaskOfNode, id: number): Promise<TaskPhoto | undefined> {
  const { rows } = await client.query<TaskPhoto>({
    name: "delete-task-photo",
    text: `delete from node_task_photo where serial_number = $1 and task_template_id = $2 and id = $3 returning ${columns}`,
    values: [task.serialNumber, task.taskTemplateId, id],
  });
  return rows[0];
}
