import type { Deployment } from "@busbar/contract/directory/deployments.ts";
import { memo } from "react";
import { useClock } from "#lib/clock.ts";
import { spanWords } from "#lib/span-words.ts";
import { DateTime } from "#ui/date-time.tsx";
import { TimeAgo } from "#ui/time-ago.tsx";
import { useIsNarrow } from "#ui/use-is-narrow.ts";
import { stateLabels, turnLabels } from "./deployment-groups.ts";
import { stateShapes } from "./deployment-shapes.ts";
import { labelOfId } from "./task-names.ts";

/** One node of the board; all of it leads to the tasks of the node. */
export const DeploymentCard = memo(function DeploymentCard({ deployment }: { deployment: Deployment }) {
  const { serialNumber, locationName, state, reason, turn, taskTemplateId, taskName, completed, total, plannedTimestamp, timezone } =
    deployment;
  const { shape, className } = stateShapes[state];
  // On a phone one task at a time.
  const isNarrow = useIsNarrow();
  return (
    <li className="deployment-card">
      <a className="deployment-open covers-row" href={isNarrow ? `#/deployments/${serialNumber}` : `#/nodes/${serialNumber}/tasks`}>
        <span className={className} aria-hidden="true">
          {shape}
        </span>{" "}
        <span className="mono">{serialNumber}</span> {locationName}
      </a>
      <span className="deployment-state">{stateLabels[state]}</span>
      {reason !== "" && <div className={state === "blocked" ? "bad" : undefined}>{reason}</div>}
      <div>
        <span className="mono">{labelOfId(taskTemplateId)}</span> {taskName}
      </div>
      <div className="deployment-progress">
        <progress value={completed} max={total} aria-label={`${completed} of ${total} tasks completed`} />
        <span className="tabular" aria-hidden="true">
          {completed} of {total}
        </span>
        <span>{turnLabels[turn]}</span>
        {deployment.deploymentTaskType === null ? (
          <span className="warn">no task type</span>
        ) : (
          <span className="dim">{deployment.deploymentTaskType}</span>
        )}
      </div>
      <div className="dim">
        open for <Span since={deployment.sinceTimestamp} />
        {deployment.movedTimestamp !== null && (
          <>
            , last by {deployment.movedBy} <TimeAgo timestamp={deployment.movedTimestamp} />
          </>
        )}
      </div>
      {plannedTimestamp !== null && (
        <div>
          Planned <DateTime timestamp={plannedTimestamp} timezone={timezone} />
        </div>
      )}
    </li>
  );
});

function Span({ since }: { since: number }) {
  return <>{useClock((now) => spanWords(now - since))}</>;
}
