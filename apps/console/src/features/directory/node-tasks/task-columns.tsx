import type { NodeTask } from "@busbar/contract/directory/node-tasks.ts";
import type { Column } from "#ui/column.ts";
import { formatDateTime } from "#lib/format-date.ts";
import { TaskNotesCell, TaskStatusCell, TaskTimeCell } from "./task-cells.tsx";
import { taskLabel, updaterOf } from "./task-names.ts";

type OnOpen = (task: NodeTask) => void;

/** Its area is the whole row. */
const openButton = (task: NodeTask, onOpen: OnOpen) => (
  <button type="button" className="plain-button covers-row" onClick={() => onOpen(task)}>
    {task.name}
  </button>
);

// TSK-02
export const taskColumns = (tasks: readonly NodeTask[], timezone: string | null): Column<NodeTask, OnOpen>[] => [
  { label: "Id", text: taskLabel, narrow: (task) => <span className="mono">{taskLabel(task)}</span>, className: "mono", width: 56 },
  { label: "Task Name", text: ({ name }) => name, cell: openButton, narrow: openButton },
  {
    label: "Status",
    text: ({ status }) => status,
    cell: (task) => <TaskStatusCell task={task} tasks={tasks} />,
    narrow: (task) => (
      <span>
        <TaskNotesCell task={task} /> <TaskStatusCell task={task} tasks={tasks} />
      </span>
    ),
    width: 72,
  },
  {
    label: "Updated By",
    text: updaterOf,
    narrow: (task) =>
      task.lastUpdatedTimestamp !== -1 && (
        <span className="task-who dim">
          {updaterOf(task)}, <TaskTimeCell task={task} timezone={timezone} />
        </span>
      ),
    width: 190,
  },
  {
    label: "Date/Time",
    text: ({ lastUpdatedTimestamp }) => (lastUpdatedTimestamp === -1 ? "" : formatDateTime(lastUpdatedTimestamp, timezone ?? "UTC")),
    cell: (task) => <TaskTimeCell task={task} timezone={timezone} />,
    narrow: { in: "Updated By" },
    width: 140,
  },
  { label: "Notes", text: ({ notes }) => notes, cell: (task) => <TaskNotesCell task={task} />, narrow: { in: "Status" }, width: 72 },
];
