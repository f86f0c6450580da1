import { taskGroupLetters, type NodeTask } from "@busbar/contract/directory/node-tasks.ts";

export const taskGroups = [
  { id: 1, title: "Pre-Deployment Tasks" },
  { id: 2, title: "Post-Deployment Tasks" },
] as const;

/** TSK-02: group letter and sequence, such as `B2`. */
export const taskLabel = ({ groupId, sequenceId }: Pick<NodeTask, "groupId" | "sequenceId">): string =>
  `${taskGroupLetters[groupId] ?? ""}${sequenceId}`;

/** The same from the id of a task: `B2` is 202. */
export const labelOfId = (id: number): string => taskLabel({ groupId: Math.floor(id / 100), sequenceId: id % 100 });

/** A6 to A8: from the node's record on to the task that provisions them. */
export const asksForCredentials = (taskId: number): boolean => taskId >= 106 && taskId <= 108;

/** A6 to A10: what is on the bench can be configured as soon as it is connected. */
export const asksForConfiguration = (taskId: number): boolean => taskId >= 106 && taskId <= 110;

/** B2: the task that asks for the rotation and the polarity of CTs. */
export const wiringTaskId = 202;

/** B7 */
export const nameplateTaskId = 207;

/** B9 */
export const deployTaskId = 209;

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
