import { createHash } from "node:crypto";
import type { Pool } from "pg";
import { maxTaskPhotos, type TaskPhoto } from "@busbar/contract/directory/node-tasks.ts";
import { inTransaction } from "#db/transaction.ts";
import type { Caller } from "#http/endpoints.ts";
import { conflict, gone, invalid, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { nodeObject, recordActivity } from "#shared/activities.store.ts";
import { bareJpeg, JpegProblem } from "./bare-jpeg.ts";
import { lockTasksOfNode } from "./node-tasks.store.ts";
import { taskLabel, taskTemplates } from "./task-order.ts";
import { countTaskPhotos, deleteTaskPhoto, findSamePhoto, insertTaskPhoto, readTaskPhoto, type TaskOfNode } from "./task-photos.store.ts";
import { templateId } from "./task-template.ts";

const photoGone = () => gone(say`This photo`);

/** Photos as notes of deployment tasks, of whoever may save the task. */
export function createTaskPhotos(pool: Pool) {
  return {
    async add(caller: Caller, task: TaskOfNode, file: Uint8Array): Promise<TaskPhoto> {
      refuseUnknownTask(task);
      const bytes = bareOf(file);
      const sha256 = createHash("sha256").update(bytes).digest();
      return await inTransaction(pool, async (client) => {
        if (!(await lockTasksOfNode(client, task.serialNumber))) throw notFound(say`Node ${task.serialNumber}`);
        // Its answer was lost on the way, and it is sent again.
        const same = await findSamePhoto(client, task, sha256);
        if (same) return same;
        const label = taskLabel(task.taskTemplateId);
        if ((await countTaskPhotos(client, task)) >= maxTaskPhotos)
          throw conflict(say`Task ${label} has ${maxTaskPhotos} photos already. Remove one of them first`);
        const photo = await insertTaskPhoto(client, task, { userId: caller.userId, sha256, bytes });
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "ADD_TASK_PHOTO",
          object: nodeObject(task.serialNumber),
          description: `Task ${label} of node ${task.serialNumber}: photo added`,
          after: photo,
        });
        return photo;
      });
    },

    async read(task: TaskOfNode, id: number): Promise<Buffer> {
      const bytes = await readTaskPhoto(pool, task, id);
      if (!bytes) throw photoGone();
      return bytes;
    },

    async remove(caller: Caller, task: TaskOfNode, id: number): Promise<{ id: number }> {
      return await inTransaction(pool, async (client) => {
        const photo = await deleteTaskPhoto(client, task, id);
        if (!photo) throw photoGone();
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "DELETE_TASK_PHOTO",
          object: nodeObject(task.serialNumber),
          description: `Task ${taskLabel(task.taskTemplateId)} of node ${task.serialNumber}: photo by ${photo.addedBy} removed`,
          before: photo,
        });
        return { id };
      });
    },
  };
}
export type TaskPhotos = ReturnType<typeof createTaskPhotos>;

function refuseUnknownTask({ taskTemplateId }: TaskOfNode): void {
  if (!taskTemplates.some((template) => templateId(template) === taskTemplateId)) throw notFound(say`Task ${taskTemplateId}`);
}

function bareOf(file: Uint8Array): Uint8Array {
  try {
    return bareJpeg(file);
  } catch (error) {
    if (error instanceof JpegProblem) throw invalid("photo", error.message);
    throw error;
  }
}
