import type { NodeTask, TaskStep } from "@busbar/contract/directory/node-tasks.ts";
import type { NodeTaskRow } from "./node-tasks.store.ts";
import { incompletePrerequisites } from "./task-order.ts";
import { templateId, type TaskTemplate } from "./task-template.ts";

/** A task of a node as the API shows it; `rows` are all of the node's, by template id. */
export function toNodeTask(serialNumber: number, template: TaskTemplate, rows: ReadonlyMap<number, NodeTaskRow>): NodeTask {
  const id = templateId(template);
  const row = rows.get(id);
  const incomplete = incompletePrerequisites(template, rows);
  return {
    serialNumber: String(serialNumber),
    taskTemplateId: id,
    sequenceId: template.sequence,
    groupId: template.group,
    name: template.name,
    description: [...template.description],
    subTasks: subTasksOf(template),
    externalLink: template.externalLink ?? null,
    notes: row?.notes ?? "",
    editable: incomplete.length === 0,
    incompletePrerequisitesList: incomplete,
    status: row?.status ?? "NOT_COMPLETED",
    lastUpdatedUserId: row?.updatedByUserId ?? null,
    lastUpdatedTimestamp: row?.updatedAt ?? -1,
    lastUpdatedUsername: row?.updatedByUsername ?? "",
    lastUpdatedFullname: row?.updatedByFullName ?? "",
    revision: row?.revision ?? 0,
  };
}

function subTasksOf({ commonPre, byType = {}, commonPost }: TaskTemplate): Record<string, TaskStep[]> {
  return {
    ...(commonPre ? { common_pre: [...commonPre] } : {}),
    ...Object.fromEntries(Object.entries(byType).map(([type, steps]) => [`deploymentTaskType_${type}`, [...steps]])),
    ...(commonPost ? { common_post: [...commonPost] } : {}),
  };
}
