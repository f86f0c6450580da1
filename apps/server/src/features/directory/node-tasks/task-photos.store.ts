import type { TaskPhoto } from "@busbar/contract/directory/node-tasks.ts";
import type { PoolClient } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { prepared, type Db } from "#db/statement.ts";

/** Which task of which node. */
export interface TaskOfNode {
  serialNumber: number;
  taskTemplateId: number;
}

const columns = `id, task_template_id as "taskTemplateId", ${epochSeconds("added_at")} as "addedTimestamp", added_by as "addedBy", size`;

export async function findTaskPhotos(db: Db, serialNumber: number): Promise<TaskPhoto[]> {
  return await prepared<TaskPhoto>(db, "find-task-photos", [serialNumber])`
    select ${columns} from node_task_photo where serial_number = $1 order by id`;
}

/** The photo of a task that has these bytes. */
export async function findSamePhoto(db: Db, task: TaskOfNode, sha256: Uint8Array): Promise<TaskPhoto | undefined> {
  const rows = await prepared<TaskPhoto>(db, "find-same-task-photo", [task.serialNumber, task.taskTemplateId, sha256])`
    select ${columns} from node_task_photo where serial_number = $1 and task_template_id = $2 and sha256 = $3`;
  return rows[0];
}

export async function countTaskPhotos(client: PoolClient, task: TaskOfNode): Promise<number> {
  const rows = await prepared<{ count: number }>(client, "count-task-photos", [task.serialNumber, task.taskTemplateId])`
    select count(*)::int4 as count from node_task_photo where serial_number = $1 and task_template_id = $2`;
  return rows[0]?.count ?? 0;
}

export async function insertTaskPhoto(
  client: PoolClient,
  task: TaskOfNode,
  photo: { userId: number; sha256: Uint8Array; bytes: Uint8Array },
): Promise<TaskPhoto> {
  const rows = await prepared<TaskPhoto>(client, "insert-task-photo", [
    task.serialNumber,
    task.taskTemplateId,
    photo.sha256,
    photo.bytes.length,
    photo.bytes,
    photo.userId,
  ])`
    insert into node_task_photo (serial_number, task_template_id, added_by, sha256, size, bytes)
    select $1, $2, coalesce(nullif(trim(first_name || ' ' || last_name), ''), username), $3, $4, $5 from app_user where id = $6
    returning ${columns}`;
  const row = rows[0];
  if (!row) throw new Error(`User ${photo.userId} is gone`);
  return row;
}

export async function readTaskPhoto(db: Db, task: TaskOfNode, id: number): Promise<Buffer | undefined> {
  const rows = await prepared<{ bytes: Buffer }>(db, "read-task-photo", [task.serialNumber, task.taskTemplateId, id])`
    select bytes from node_task_photo where serial_number = $1 and task_template_id = $2 and id = $3`;
  return rows[0]?.bytes;
}

/** Undefined when there is no such photo. */
export async function deleteTaskPhoto(client: PoolClient, task: TaskOfNode, id: number): Promise<TaskPhoto | undefined> {
  const rows = await prepared<TaskPhoto>(client, "delete-task-photo", [task.serialNumber, task.taskTemplateId, id])`
    delete from node_task_photo where serial_number = $1 and task_template_id = $2 and id = $3 returning ${columns}`;
  return rows[0];
}
