import type { Handlers } from "#http/endpoints.ts";
import type { NodeTasksService } from "./node-tasks.service.ts";

export function nodeTasksHandlers(nodeTasks: NodeTasksService): Pick<Handlers, "getNodeTasks" | "patchNodeTask"> {
  return {
    getNodeTasks: ({ params }) => nodeTasks.list(Number(params.serial)),
    patchNodeTask: ({ params, body }, { caller }) => {
      return nodeTasks.change(caller, Number(params.serial), Number(params.id), body);
    },
  };
}
