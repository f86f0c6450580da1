import type { NodeTask } from "@busbar/contract/directory/node-tasks.ts";
import { TaskNotesCell, TaskStatusCell, TaskTimeCell } from "./task-cells.tsx";
import { taskGroups, taskLabel, updaterOf } from "./task-names.ts";

export interface TaskListProps {
  tasks: readonly NodeTask[];
  timezone: string | null;
  onOpen: (task: NodeTask) => void;
}

/** TSK-02 */
export function TaskTable({ tasks, timezone, onOpen }: TaskListProps) {
  return (
    <table className="task-table">
      <thead>
        <tr>
          <th scope="col">Id</th>
          <th scope="col">Task Name</th>
          <th scope="col">Status</th>
          <th scope="col">Updated By</th>
          <th scope="col">Date/Time</th>
          <th scope="col">Notes</th>
        </tr>
      </thead>
      {taskGroups.map(({ id, title }) => {
        const ofGroup = tasks.filter(({ groupId }) => groupId === id);
        return (
          <tbody key={id}>
            <tr>
              <th scope="rowgroup" colSpan={6} className="task-group">
                {title} <TaskProgress tasks={ofGroup} />
              </th>
            </tr>
            {ofGroup.map((task) => (
              <tr key={task.taskTemplateId} className={task.editable ? "task-row" : "task-row task-locked"}>
                <td className="mono">{taskLabel(task)}</td>
                <td>
                  {/* Its area is the whole row. */}
                  <button type="button" className="plain-button task-open" onClick={() => onOpen(task)}>
                    {task.name}
                  </button>
                </td>
                <td>
                  <TaskStatusCell task={task} tasks={tasks} />
                </td>
                <td>{updaterOf(task)}</td>
                <td>
                  <TaskTimeCell task={task} timezone={timezone} />
                </td>
                <td>
                  <TaskNotesCell task={task} />
                </td>
              </tr>
            ))}
          </tbody>
        );
      })}
    </table>
  );
}

/** The same facts on a narrow screen. */
export function TaskList({ tasks, timezone, onOpen }: TaskListProps) {
  return taskGroups.map(({ id, title }) => {
    const ofGroup = tasks.filter(({ groupId }) => groupId === id);
    return (
      <section key={id} aria-label={title}>
        <h2 className="task-group">
          {title} <TaskProgress tasks={ofGroup} />
        </h2>
        <ul className="task-list">
          {ofGroup.map((task) => (
            <li key={task.taskTemplateId} className={task.editable ? "task-row" : "task-row task-locked"}>
              <span className="mono">{taskLabel(task)}</span>
              <button type="button" className="plain-button task-open" onClick={() => onOpen(task)}>
                {task.name}
              </button>
              <span>
                <TaskNotesCell task={task} /> <TaskStatusCell task={task} tasks={tasks} />
              </span>
              {task.lastUpdatedTimestamp !== -1 && (
                <span className="task-who dim">
                  {updaterOf(task)}, <TaskTimeCell task={task} timezone={timezone} />
                </span>
              )}
            </li>
          ))}
        </ul>
      </section>
    );
  });
}

function TaskProgress({ tasks }: { tasks: readonly NodeTask[] }) {
  const completed = tasks.filter(({ status }) => status === "COMPLETED").length;
  return (
    <span className="task-progress">
      {completed} of {tasks.length} completed
    </span>
  );
}
