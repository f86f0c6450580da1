import type { NodeTask } from "@busbar/contract/directory/node-tasks.ts";
import { IconCheck, IconLock, IconNote } from "@tabler/icons-react";
import { HoverTimes } from "#ui/date-time.tsx";
import { LabelledIcon } from "#ui/labelled-icon.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { labelsOf } from "./task-names.ts";

export interface TaskCellProps {
  task: NodeTask;
}

/** A check for a completed task, a lock for one that waits for others. */
export function TaskStatusCell({ task, tasks }: TaskCellProps & { tasks: readonly NodeTask[] }) {
  if (task.status === "COMPLETED") return <LabelledIcon icon={IconCheck} label="Completed" className="good" size={17} />;
  if (task.editable) return null;
  return <LabelledIcon icon={IconLock} label={`Waits for ${labelsOf(task.incompletePrerequisitesList, tasks)}`} size={14} />;
}

export function TaskTimeCell({ task, timezone }: TaskCellProps & { timezone: string | null }) {
  if (task.lastUpdatedTimestamp === -1) return null;
  return (
    <HoverTimes timestamp={task.lastUpdatedTimestamp} timezone={timezone}>
      <TimeAgo timestamp={task.lastUpdatedTimestamp} />
    </HoverTimes>
  );
}

export function TaskNotesCell({ task }: TaskCellProps) {
  return task.notes.trim() === "" ? null : <LabelledIcon icon={IconNote} label="Has notes" size={16} />;
}
