import type { NodeTask, TaskStep } from "@busbar/contract/directory/node-tasks.ts";
import { deploymentTaskTypeLabels } from "@busbar/contract/values/option-lists.ts";
import { ExternalLink } from "#ui/external-link.tsx";

/** TSK-04 */
export function TaskSteps({ steps }: { steps: readonly TaskStep[] }) {
  return (
    <ol className="task-steps">
      {steps.map((step, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the steps of a task never move
        <li key={index}>
          <Step step={step} />
        </li>
      ))}
    </ol>
  );
}

function Step({ step }: { step: TaskStep }) {
  if (typeof step === "string") return step;
  if ("heading" in step) {
    return (
      <>
        {step.heading}:
        <ul>
          {step.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </>
    );
  }
  return (
    <>
      {step.text} <ExternalLink {...step.externalLink} />
    </>
  );
}

export interface SubTasksProps {
  subTasks: NodeTask["subTasks"];
  deploymentTaskType: string | null;
  /** Of the headings. */
  level?: 3 | 4;
}

/** TSK-04: steps of every deployment around those of the node's own kind. */
export function SubTasks({ subTasks, deploymentTaskType, level = 4 }: SubTasksProps) {
  const Heading = level === 3 ? "h3" : "h4";
  const type = deploymentTaskType ?? "";
  const meaning = (deploymentTaskTypeLabels as Record<string, string | undefined>)[type];
  const parts = [
    { title: "For every deployment", steps: subTasks["common_pre"] },
    { title: `For ${type}${meaning ? `: ${meaning}` : ""}`, steps: subTasks[`deploymentTaskType_${type}`] },
    { title: "Afterwards", steps: subTasks["common_post"] },
  ];
  return parts.map(
    ({ title, steps }) =>
      steps && (
        <section key={title} aria-label={title}>
          <Heading className="task-subtitle">{title}</Heading>
          <TaskSteps steps={steps} />
        </section>
      ),
  );
}
