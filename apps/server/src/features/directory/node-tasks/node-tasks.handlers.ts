import type { Handlers } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import type { DeploymentsReadModel } from "./deployments.read-model.ts";
import { toDeployment } from "./deployments.view.ts";
import type { NodeTasksService } from "./node-tasks.service.ts";
import { taskLabel } from "./task-order.ts";
import type { TaskPhotos } from "./task-photos.service.ts";

const taskOf = ({ serial, id }: { serial: string; id: string }) => ({ serialNumber: Number(serial), taskTemplateId: Number(id) });

export function nodeTasksHandlers(nodeTasks: NodeTasksService, photos: TaskPhotos, deployments: DeploymentsReadModel, clock: Clock) {
  return {
    async getDeployments() {
      const rows = await deployments.list();
      const now = clock.now() / 1000;
      return { total: rows[0]?.total ?? 0, deployments: rows.flatMap((row) => toDeployment(row, now)) };
    },
    getNodeTasks: ({ params }) => nodeTasks.list(Number(params.serial)),
    patchNodeTask: ({ params, body }, { caller }) => {
      return nodeTasks.change(caller, Number(params.serial), Number(params.id), body);
    },
    addTaskPhoto: ({ params, body }, { caller }) => photos.add(caller, taskOf(params), body),
    async getTaskPhoto({ params }) {
      const task = taskOf(params);
      return {
        status: 200,
        headers: {
          "content-type": "image/jpeg",
          // Never opened as a page of ours.
          "content-disposition": `attachment; filename="${task.serialNumber}-${taskLabel(task.taskTemplateId)}-${params.photoId}.jpg"`,
        },
        body: await photos.read(task, params.photoId),
      };
    },
    deleteTaskPhoto: ({ params }, { caller }) => photos.remove(caller, taskOf(params), params.photoId),
  } satisfies Partial<Handlers>;
}
