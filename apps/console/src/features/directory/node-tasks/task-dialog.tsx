import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Checkbox, Group, Stack } from "@mantine/core";
import { maxTaskNotesLength, type NodeTask, type NodeTasks } from "@busbar/contract/directory/node-tasks.ts";
import type { WiringEvidence } from "@busbar/contract/directory/deployments.ts";
import { useState, type ReactNode } from "react";
import * as z from "zod/mini";
import { formatDateTime } from "#lib/format-date.ts";
import { Dialog } from "#ui/dialog.tsx";
import { ExternalLink } from "#ui/external-link.tsx";
import { FormLine } from "#ui/form-line.tsx";
import { Notice } from "#ui/notice.tsx";
import { usePutBack } from "#ui/put-back.tsx";
import { useSaveForm } from "#ui/save-form.tsx";
import { MultiLineField } from "#ui/text-field.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { UnsavedEdits } from "#ui/unsaved-edits.tsx";
import { EvidenceList } from "./evidence-list.tsx";
import { usePatchNodeTask } from "./node-tasks.queries.ts";
import { asksForCredentials, labelsOf, taskLabel, updaterOf, wiringTaskId } from "./task-names.ts";
import { SubTasks, TaskSteps } from "./task-steps.tsx";

export interface TaskDialogProps {
  /** As it is now; what the form began with stays. */
  task: NodeTask;
  node: NodeTasks;
  onClose: () => void;
  onOpenNodeConfig: () => void;
  onOpenCredentials: () => void;
  onOpenNode: () => void;
  onOpenLocation: (locationId: number) => void;
  /** What the node's values say of its wiring. */
  renderWiring?: () => ReactNode;
  /** What they said when the task was completed. */
  renderWiringEvidence?: (wiring: WiringEvidence) => ReactNode;
  photos?: ReactNode;
}

const TaskFields = z.object({
  isCompleted: z.boolean(),
  notes: z.string().check(z.maxLength(maxTaskNotesLength, `At most ${maxTaskNotesLength} characters`)),
});
type TaskFields = z.infer<typeof TaskFields>;
const fieldsOf = ({ status, notes }: Pick<NodeTask, "status" | "notes">): TaskFields => ({ isCompleted: status === "COMPLETED", notes });

/** TSK-03 to TSK-08 */
export function TaskDialog({
  task,
  node,
  onClose,
  onOpenNodeConfig,
  onOpenCredentials,
  onOpenNode,
  onOpenLocation,
  renderWiring,
  renderWiringEvidence,
  photos,
}: TaskDialogProps) {
  const serial = task.serialNumber;
  const [saved, setSaved] = useState(task);
  const patch = usePatchNodeTask(serial);
  const old = usePutBack(`node/${serial}/task/${task.taskTemplateId}`);
  const { control, register, saving, reloadOf, outcome, bar } = useSaveForm<TaskFields>({
    resolver: zodResolver(TaskFields),
    defaultValues: fieldsOf(task),
    putBack: old && fieldsOf({ ...task, ...old }),
  });

  const save = saving(async ({ isCompleted, notes }) => {
    await patch(task.taskTemplateId, { status: isCompleted ? "COMPLETED" : "NOT_COMPLETED", notes, revision: saved.revision });
    onClose();
    return undefined;
  });
  const reload = reloadOf({
    noun: "task",
    by: { name: updaterOf(task), timestamp: task.lastUpdatedTimestamp },
    saved,
    latest: task,
    valuesOf: fieldsOf,
    onLoad: setSaved,
  });

  return (
    <Dialog title={`Update Task ${taskLabel(task)} for ${serial}`} onClose={onClose}>
      <form onSubmit={(event) => (bar.isWorking ? event.preventDefault() : void save(event))} noValidate aria-label="Task">
        <Group gap="xs" mb="sm">
          {asksForCredentials(task.taskTemplateId) && <Button onClick={onOpenCredentials}>Credentials</Button>}
          <Button variant="default" onClick={onOpenNodeConfig}>
            Node Config
          </Button>
          <Button variant="default" onClick={onOpenNode}>
            Node Details
          </Button>
          {node.location && (
            <Button variant="default" onClick={() => node.location && onOpenLocation(node.location.id)}>
              Edit Location
            </Button>
          )}
        </Group>
        <h3 className="task-name">{task.name}</h3>
        {node.deploymentTaskType === null && (
          <Notice kind="warning">
            Node {serial} has no deployment task type, so the steps for a new location or a replacement node are not shown. Choose the type
            in Node Details.
          </Notice>
        )}
        <TaskSteps steps={task.description} />
        <SubTasks subTasks={task.subTasks} deploymentTaskType={node.deploymentTaskType} />
        <EvidenceList
          evidence={node.evidence.filter(({ taskTemplateId }) => taskTemplateId === task.taskTemplateId)}
          timezone={node.location?.timezone ?? null}
        />
        {task.taskTemplateId === wiringTaskId && (
          <>
            {renderWiring?.()}
            <p className="dim">Saved as completed, the task takes this verdict as evidence; a later save takes a newer one.</p>
            {node.wiring && renderWiringEvidence?.(node.wiring)}
          </>
        )}
        {task.externalLink && (
          <p>
            <ExternalLink {...task.externalLink} />
          </p>
        )}
        <Stack gap="sm" mt="md">
          {task.editable ? (
            <Checkbox radius="xl" size="sm" label="Check this circle if task is completed" {...register("isCompleted")} />
          ) : (
            <p className="task-prerequisites">Incomplete Prerequisites: {labelsOf(task.incompletePrerequisitesList, node.tasks)}</p>
          )}
          <MultiLineField control={control} name="notes" label="Notes related to this task" autosize minRows={3} maxRows={12} />
          <UnsavedEdits when={bar.hasEdits} />
          {photos}
          <FormLine
            line={outcome}
            reload={reload && { ...reload, changed: reload.changed.map((name) => (name === "isCompleted" ? "status" : name)) }}
            isWorking={bar.isWorking}
          />
          <Group justify="space-between" gap="sm">
            <span className="dim">
              <LastUpdate task={task} timezone={node.location?.timezone ?? "UTC"} />
            </span>
            <Button type="submit">Save</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function LastUpdate({ task, timezone }: { task: NodeTask; timezone: string }) {
  if (task.lastUpdatedTimestamp === -1) return "No one has updated this task yet";
  return (
    <>
      Task last updated by {task.lastUpdatedUsername}
      {task.lastUpdatedFullname && ` (${task.lastUpdatedFullname})`} at {formatDateTime(task.lastUpdatedTimestamp, timezone)} (
      <TimeAgo timestamp={task.lastUpdatedTimestamp} />)
    </>
  );
}
