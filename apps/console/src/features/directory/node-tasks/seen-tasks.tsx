import type { NodeTask, NodeTasks } from "@busbar/contract/directory/node-tasks.ts";
import { Button } from "@mantine/core";
import { EvidenceList } from "./evidence-list.tsx";
import { taskLabel } from "./task-names.ts";

export interface SeenTasksProps {
  tasks: readonly NodeTask[];
  evidence: NodeTasks["evidence"];
  timezone: string | null;
  onComplete: (tasks: readonly NodeTask[]) => void;
}

/** Several tasks in one press: those of which the platform sees all that they ask for, each with what it sees. */
export function SeenTasks({ tasks, evidence, timezone, onComplete }: SeenTasksProps) {
  const seen = seenTasks(tasks, evidence);
  // One alone is completed as a step.
  if (seen.length < 2) return null;
  return (
    <section aria-label="Tasks that have their evidence" className="seen-tasks">
      <ul>
        {seen.map((task) => (
          <li key={task.taskTemplateId}>
            <span className="mono">{taskLabel(task)}</span> {task.name}
            <EvidenceList evidence={evidenceOf(task, evidence)} timezone={timezone} />
          </li>
        ))}
      </ul>
      <Button variant="default" fullWidth onClick={() => onComplete(seen)}>
        Complete {seen.length} tasks that have their evidence
      </Button>
    </section>
  );
}

const evidenceOf = ({ taskTemplateId }: NodeTask, evidence: NodeTasks["evidence"]) =>
  evidence.filter((each) => each.taskTemplateId === taskTemplateId);

/** In their order: a task also where those before it in this list are what it needs. */
function seenTasks(tasks: readonly NodeTask[], evidence: NodeTasks["evidence"]): NodeTask[] {
  const seen: NodeTask[] = [];
  for (const task of tasks) {
    const own = evidenceOf(task, evidence);
    const canBeDone = task.incompletePrerequisitesList.every((id) => seen.some(({ taskTemplateId }) => taskTemplateId === id));
    if (task.status !== "COMPLETED" && canBeDone && own.length > 0 && own.every(({ isSeen }) => isSeen)) seen.push(task);
  }
  return seen;
}
