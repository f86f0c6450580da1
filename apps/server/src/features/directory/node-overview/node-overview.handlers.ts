import type { Handlers } from "#http/endpoints.ts";
import type { NodeTasksService } from "#features/directory/node-tasks/node-tasks.service.ts";
import { notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import type { NodeOverviewReadModel } from "./node-overview.read-model.ts";
import { toNodeOverview } from "./node-overview.view.ts";

export function nodeOverviewHandlers(readModel: NodeOverviewReadModel, tasks: NodeTasksService) {
  return {
    async getNodeOverview({ params }) {
      const serialNumber = Number(params.serial);
      const [node, progress] = await Promise.all([readModel.find(serialNumber), tasks.progress(serialNumber)]);
      if (!node) throw notFound(say`Node ${params.serial}`);
      return toNodeOverview(node, progress);
    },
  } satisfies Partial<Handlers>;
}
