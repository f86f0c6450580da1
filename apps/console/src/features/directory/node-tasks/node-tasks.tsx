import type { NodeTask } from "@busbar/contract/directory/node-tasks.ts";
import { EmptyState } from "#ui/data-states.tsx";
import { Loaded } from "#ui/loaded.tsx";
import { LoadingRows } from "#ui/loading.tsx";
import { missingNode } from "#ui/missing-node.tsx";
import { useIsNarrow } from "#ui/use-is-narrow.ts";
import { useNodeTasks } from "./node-tasks.queries.ts";
import { TaskList, TaskTable } from "./task-table.tsx";
import "#ui/status-badge.css";
import { NodeLink } from "#ui/node-link.tsx";
import "./node-tasks.css";

/** TSK-01 */
export function NodeTasksScreen({ serial, onOpen }: { serial: string; onOpen: (task: NodeTask) => void }) {
  const asked = useNodeTasks(serial);
  const { data } = asked;
  const isNarrow = useIsNarrow();
  const List = isNarrow ? TaskList : TaskTable;
  const place = data?.location;

  return (
    <>
      <h1 className="page-title">
        <NodeLink serial={serial} /> tasks
      </h1>
      <Loaded
        of={asked}
        loading={
          <>
            <p aria-hidden="true">{loadingText(serial)}</p>
            <LoadingRows label={loadingText(serial)} rows={14} height={34} />
          </>
        }
        missing={missingNode}
      />
      {data && (
        <>
          <p className="task-place">
            {place ? `${place.customerCode} / ${place.facilityName} / ${place.name}` : <span className="dim">At no location</span>}{" "}
            {data.deploymentTaskType === null ? (
              <span className="status-badge status-warn">No deployment task type</span>
            ) : (
              <span className="status-badge status-info">{data.deploymentTaskType}</span>
            )}
            <a href={`#/deployments/${serial}`}>Step by step</a>
          </p>
          {data.tasks.length === 0 ? (
            <EmptyState title="This node has no tasks" />
          ) : (
            <List tasks={data.tasks} timezone={place?.timezone ?? null} onOpen={onOpen} />
          )}
        </>
      )}
    </>
  );
}

const loadingText = (serial: string): string => `Loading tasks for ${serial}. Wait...`;
