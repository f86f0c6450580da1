import type { Pool } from "pg";
import type { TaskProgress } from "@busbar/contract/directory/node-overview.ts";
import type { NodeTask, NodeTaskPatch, NodeTasks } from "@busbar/contract/directory/node-tasks.ts";
import type { Caller } from "#http/endpoints.ts";
import { inTransaction } from "#db/transaction.ts";
import { conflict, notFound } from "#lib/errors.ts";
import { say } from "#lib/sentence.ts";
import { nodeObject, recordActivity } from "#shared/activities.store.ts";
import { findNodeTasks, findTaskNode, lockTasksOfNode, writeNodeTask } from "./node-tasks.store.ts";
import type { NodeTaskRow } from "./node-tasks.store.ts";
import { toNodeTask } from "./node-tasks.view.ts";
import { completedDependants, incompletePrerequisites, listTasks, taskLabel, taskTemplates } from "./task-order.ts";
import { templateId } from "./task-template.ts";
import type { TaskTemplate } from "./task-template.ts";

export function createNodeTasks(pool: Pool) {
  return {
    async list(serialNumber: number): Promise<NodeTasks> {
      const [node, rows] = await Promise.all([findTaskNode(pool, serialNumber), findNodeTasks(pool, serialNumber)]);
      if (!node) throw notFound(say`Node ${serialNumber}`);
      return { ...node, tasks: taskTemplates.map((template) => toNodeTask(serialNumber, template, rows)) };
    },

    async progress(serialNumber: number): Promise<TaskProgress> {
      const rows = await findNodeTasks(pool, serialNumber);
      const open = taskTemplates.filter((template) => rows.get(templateId(template))?.status !== "COMPLETED");
      const [next] = open;
      return {
        completed: taskTemplates.length - open.length,
        total: taskTemplates.length,
        taskTemplateId: next ? templateId(next) : null,
        name: next?.name ?? null,
      };
    },

    async change(caller: Caller, serialNumber: number, id: number, patch: NodeTaskPatch): Promise<NodeTask> {
      const template = taskTemplates.find((each) => templateId(each) === id);
      if (!template) throw notFound(`Task ${id}`);
      return await inTransaction(pool, async (client) => {
        if (!(await lockTasksOfNode(client, serialNumber))) throw notFound(`Node ${serialNumber}`);
        const rows = await findNodeTasks(client, serialNumber);
        const before = { status: rows.get(id)?.status ?? "NOT_COMPLETED", notes: rows.get(id)?.notes ?? "" };
        refuseWhatIsOutdated(template, rows.get(id), patch);
        const after = { status: patch.status, notes: patch.notes };
        if (before.status !== after.status) refuseWhatIsOutOfOrder(template, rows, patch);
        else if (before.notes === after.notes) return toNodeTask(serialNumber, template, rows);
        rows.set(id, await writeNodeTask(client, { serialNumber, taskTemplateId: id, ...after, userId: caller.userId }));
        await recordActivity(client, {
          actorType: "User",
          actor: caller.username,
          action: "PATCH_TASK",
          object: nodeObject(serialNumber),
          description: `Task ${taskLabel(id)} of node ${serialNumber}: ${summaryOf(before, after)}`,
          before: { taskTemplateId: id, ...before },
          after: { taskTemplateId: id, ...after },
        });
        return toNodeTask(serialNumber, template, rows);
      });
    },
  };
}
export type NodeTasksService = ReturnType<typeof createNodeTasks>;

/** Two people on one task: the second is informed who was first. */
function refuseWhatIsOutdated(template: TaskTemplate, row: NodeTaskRow | undefined, { revision }: NodeTaskPatch): void {
  if (revision === undefined || revision === (row?.revision ?? 0)) return;
  const label = taskLabel(templateId(template));
  const who = row ? ` by ${row.updatedByFullName || row.updatedByUsername}` : "";
  throw conflict(`Task ${label} was changed${who} meanwhile. Load it again and repeat your change`);
}

/** TSK-09 */
function refuseWhatIsOutOfOrder(template: TaskTemplate, rows: ReadonlyMap<number, NodeTaskRow>, { status }: NodeTaskPatch): void {
  if (status === "COMPLETED") {
    const incomplete = incompletePrerequisites(template, rows);
    if (incomplete.length > 0) throw conflict(`Incomplete Prerequisites: ${listTasks(incomplete)}`);
    return;
  }
  const dependants = completedDependants(template, rows);
  if (dependants.length === 0) return;
  const isOne = dependants.length === 1;
  throw conflict(`${isOne ? "Task" : "Tasks"} ${listTasks(dependants)} ${isOne ? "depends" : "depend"} on this task`);
}

function summaryOf(before: { status: string; notes: string }, after: { status: string; notes: string }): string {
  const parts = [
    ...(before.status === after.status ? [] : [after.status === "COMPLETED" ? "completed" : "reopened"]),
    ...(before.notes === after.notes ? [] : ["notes changed"]),
  ];
  return parts.join(", ");
}
