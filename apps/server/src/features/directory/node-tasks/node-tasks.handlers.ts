import type { Handlers } from "#http/endpoints.ts";
import type { Clock } from "#lib/clock.ts";
import type { DeploymentsReadModel } from "./deployments.read-model.ts";
import { toDeployment } from "./deployments.view.ts";
import type { NodeTasksService } from "./node-tasks.service.ts";

export function nodeTasksHandlers(
  nodeTasks: NodeTasksService,
  deployments: DeploymentsReadModel,
  clock: Clock,
): Pick<Handlers, "getDeployments" | "getNodeTasks" | "patchNodeTask"> {
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
  };
}
