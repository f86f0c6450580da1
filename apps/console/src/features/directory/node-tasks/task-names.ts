import { taskGroupLetters } from "@busbar/contract/directory/node-tasks.ts";
import type { NodeTask } from "@busbar/contract/directory/node-tasks.ts";

export const taskGroups = [
  { id: 1, title: "Pre-Deployment Tasks" },
  { id: 2, title: "Post-Deployment Tasks" },
] as const;

/** TSK-02: group letter and sequence, such as `B2`. */
export const taskLabel = ({ groupId, sequenceId }: Pick<NodeTask, "groupId" | "sequenceId">): string =>
  `${taskGroupLetters[groupId] ?? ""}${sequenceId}`;

/** TSK-06: `A1, A2` */
export function labelsOf(ids: readonly number[], tasks: readonly NodeTask[]): string {
  const labels = ids.map((id) => {
    const task = tasks.find(({ taskTemplateId }) => taskTemplateId === id);
    return task ? taskLabel(task) : String(id);
  });
  return labels.join(", ");
}

/** Who updated a task: the full name where there is one. */
export const updaterOf = ({ lastUpdatedFullname, lastUpdatedUsername }: NodeTask): string => lastUpdatedFullname || lastUpdatedUsername;
