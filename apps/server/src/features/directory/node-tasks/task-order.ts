import { taskGroupLetters, type TaskStatus } from "@busbar/contract/directory/node-tasks.ts";
import { postDeploymentTasks } from "./post-deployment-tasks.ts";
import { preDeploymentTasks } from "./pre-deployment-tasks.ts";
import { templateId, type TaskTemplate } from "./task-template.ts";

export const taskTemplates: readonly TaskTemplate[] = [...preDeploymentTasks, ...postDeploymentTasks];

type Statuses = ReadonlyMap<number, { status: TaskStatus }>;

/** TSK-09: ids of the prerequisites that are not complete yet. */
export function incompletePrerequisites(template: TaskTemplate, statuses: Statuses): number[] {
  return template.prerequisites.filter((id) => statuses.get(id)?.status !== "COMPLETED");
}

/** Ids of completed tasks that could not have been completed without this one. */
export function completedDependants(template: TaskTemplate, statuses: Statuses): number[] {
  const id = templateId(template);
  return taskTemplates
    .filter(({ prerequisites }) => prerequisites.includes(id))
    .map(templateId)
    .filter((dependant) => statuses.get(dependant)?.status === "COMPLETED");
}

/** How people call a task: `B2` is 202. */
export const taskLabel = (id: number): string => `${taskGroupLetters[Math.floor(id / 100)] ?? ""}${id % 100}`;

/** `A1`, `A1 and A2`, `A1, A2 and A3` */
export function listTasks(ids: readonly number[]): string {
  const labels = ids.map(taskLabel);
  const last = labels.pop() ?? "";
  return labels.length === 0 ? last : `${labels.join(", ")} and ${last}`;
}
