import type { Deployment } from "@busbar/contract/directory/deployments.ts";
import { deployTask, deploymentState } from "./deployment-state.ts";
import type { DeploymentRow } from "./deployments.read-model.ts";
import { taskTemplates } from "./task-order.ts";
import { templateId } from "./task-template.ts";

/** An open deployment as the API shows it; none once every task is complete and the status is Deployed. */
export function toDeployment(row: DeploymentRow, now: number): Deployment[] {
  const completed = new Set(row.completedTasks);
  const open = taskTemplates.filter((template) => !completed.has(templateId(template)));
  // Ticked to the end is not Deployed yet: that is still to be requested, or awaited.
  const next = open[0] ?? (row.currentDeploymentStatus === "Deployed" ? undefined : deployTask);
  if (!next) return [];
  const isAwaited = row.newDeploymentStatus !== row.currentDeploymentStatus;
  return [
    {
      serialNumber: row.serialNumber,
      customerName: row.customerName,
      facilityId: row.facilityId,
      facilityName: row.facilityName,
      locationName: row.locationName,
      timezone: row.timezone,
      deploymentTaskType: row.deploymentTaskType,
      currentDeploymentStatus: row.currentDeploymentStatus,
      plannedTimestamp: isAwaited ? row.newStatusAt : null,
      completed: taskTemplates.length - open.length,
      total: taskTemplates.length,
      taskTemplateId: templateId(next),
      taskName: next.name,
      ...deploymentState(next, row, { now, installedAt: row.installedAt ?? undefined }),
      turn: next.turn,
      sinceTimestamp: row.sinceTimestamp,
      movedTimestamp: row.movedTimestamp,
      movedBy: row.movedBy,
    },
  ];
}
