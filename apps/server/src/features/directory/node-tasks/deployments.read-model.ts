import type { Pool } from "pg";
import { mostDeployments } from "@busbar/contract/directory/deployments.ts";
import { epochSeconds, exactEpoch } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";
import type { DeploymentSignals } from "./deployment-state.ts";
import { evidenceSignalsJoin, evidenceSignalsSql } from "./task-evidence.ts";
import { installTaskId } from "./task-template.ts";

export interface DeploymentRow extends DeploymentSignals {
  serialNumber: string;
  customerName: string;
  facilityId: number | null;
  facilityName: string;
  locationName: string;
  timezone: string | null;
  /** Template ids. */
  completedTasks: number[];
  installedAt: number | null;
  sinceTimestamp: number;
  movedTimestamp: number | null;
  movedBy: string;
  /** Open deployments, listed or not. */
  total: number;
}

export function createDeploymentsReadModel(pool: Pool, taskCount: number) {
  return {
    async list(): Promise<DeploymentRow[]> {
      return await prepared<DeploymentRow>(pool, "list-deployments", [taskCount])`with begun as (
          select serial_number from node_task where status = 'COMPLETED' group by serial_number having count(*) < $1
        ), opened as (
          select n.serial_number, count(*) over ()::int4 as total from node n
          where n.current_deployment_status = 'Pre-Deployment'
            or n.current_deployment_status = 'Deployed' and n.serial_number in (select serial_number from begun)
          order by n.current_deployment_status_updated_at, n.serial_number limit ${mostDeployments}
        )
        select n.serial_number::text as "serialNumber", coalesce(c.name, n.unassigned_customer) as "customerName", f.id as "facilityId",
          coalesce(f.name, n.unassigned_facility) as "facilityName", coalesce(l.name, n.unassigned_location) as "locationName",
          l.id as "locationId", l.timezone, n.deployment_issue as "deploymentIssue",
          n.deployment_issue_details as "deploymentIssueDetails",
          ${evidenceSignalsSql}, t.completed as "completedTasks", t."installedAt",
          ${epochSeconds("least(n.current_deployment_status_updated_at, t.first_at)")} as "sinceTimestamp",
          ${epochSeconds("t.last_at")} as "movedTimestamp", t."movedBy", o.total
        from opened o join node n using (serial_number) join node_live v using (serial_number)
          left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
          left join facility f on f.id = l.facility_id left join customer c on c.id = f.customer_id
          ${evidenceSignalsJoin}
          cross join lateral (
            select coalesce(array_agg(task_template_id) filter (where status = 'COMPLETED'), '{}') as completed, min(updated_at) as first_at,
              max(updated_at) as last_at, max(${exactEpoch("updated_at")}) filter (where task_template_id = ${installTaskId} and status = 'COMPLETED') as "installedAt",
              coalesce((array_agg(coalesce(nullif(updated_by_full_name, ''), updated_by_username) order by updated_at desc))[1], '') as "movedBy"
            from node_task where serial_number = n.serial_number
          ) t
        order by c.name, f.name, n.serial_number`;
    },
  };
}
export type DeploymentsReadModel = ReturnType<typeof createDeploymentsReadModel>;
