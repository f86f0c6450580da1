import type { NodeTask } from "@busbar/contract/directory/node-tasks.ts";
import { DataTable } from "#ui/data-table.tsx";
import { ItemParts } from "#ui/item-parts.tsx";
import { taskColumns } from "./task-columns.tsx";
import { taskGroups } from "./task-names.ts";

export interface TaskListProps {
  tasks: readonly NodeTask[];
  timezone: string | null;
  onOpen: (task: NodeTask) => void;
}

const classOf = ({ editable }: NodeTask) => (editable ? "task-row" : "task-row task-locked");
const groupsOf = (tasks: readonly NodeTask[]) =>
  taskGroups.map(({ id, title }) => ({ id, title, rows: tasks.filter(({ groupId }) => groupId === id) }));

/** TSK-02 */
export function TaskTable({ tasks, timezone, onOpen }: TaskListProps) {
  return (
    <DataTable
      className="task-table"
      columns={taskColumns(tasks, timezone)}
      groups={groupsOf(tasks).map(({ id, title, rows }) => ({ key: String(id), title: <GroupTitle title={title} tasks={rows} />, rows }))}
      keyOf={({ taskTemplateId }) => taskTemplateId}
      on={onOpen}
      rowProps={(task) => ({ className: classOf(task) })}
    />
  );
}

/** The same facts on a narrow screen. */
export function TaskList({ tasks, timezone, onOpen }: TaskListProps) {
  const columns = taskColumns(tasks, timezone);
  return groupsOf(tasks).map(({ id, title, rows }) => (
    <section key={id} aria-label={title}>
      <h2 className="group-head">
        <GroupTitle title={title} tasks={rows} />
      </h2>
      <ul className="bare-list task-list">
        {rows.map((task) => (
          <li key={task.taskTemplateId} className={classOf(task)}>
            <ItemParts columns={columns} row={task} on={onOpen} />
          </li>
        ))}
      </ul>
    </section>
  ));
}

function GroupTitle({ title, tasks }: { title: string; tasks: readonly NodeTask[] }) {
  const completed = tasks.filter(({ status }) => status === "COMPLETED").length;
  return (
    <>
      {title}{" "}
      <span className="task-progress">
        {completed} of {tasks.length} completed
      </span>
    </>
  );
}
