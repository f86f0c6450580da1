import type { PoolClient } from "pg";

/** Where a node is, whether its people want to hear of faults, and who they are. */
export interface NoticePlaceRow {
  serialNumber: number;
  locationName: string;
  facilityName: string;
  timezone: string;
  faultLibraryAlertFlags: Record<string, boolean>;
  pauseNotifications: boolean;
  deploymentIssue: boolean;
  deploymentIssueDetails: string;
  /** Customers who subscribe, at once. */
  to: string[];
  /** Internal users who subscribe. */
  bcc: string[];
}

// Only who subscribes to the facility, wants faults and may sign in; digests are another matter than this notice.
const subscribers = (isInternal: boolean) => `array(
  select u.email from app_user u left join facility_subscription s on s.user_id = u.id and s.facility_id = f.id
  where u.active_status = 'ACTIVE' and u.receive_fault_library_notifications and u.internal_user = ${isInternal}
    and coalesce(s.frequency, 'Immediate') = 'Immediate'
    and ((s.user_id is not null and (u.internal_user or u.customer_id = f.customer_id)) or (u.auto_subscribe_all_facilities and u.customer_id = f.customer_id))
  order by u.email)`;

export async function findNoticePlaces(client: PoolClient, serials: readonly number[]): Promise<Map<number, NoticePlaceRow>> {
  const { rows } = await client.query<NoticePlaceRow>(
    `/* notice-places */ select n.serial_number as "serialNumber", l.name as "locationName", f.name as "facilityName", l.timezone,
       l.fault_library_alert_flags as "faultLibraryAlertFlags", n.pause_notifications as "pauseNotifications",
       n.deployment_issue as "deploymentIssue", n.deployment_issue_details as "deploymentIssueDetails",
       ${subscribers(false)} as "to", ${subscribers(true)} as bcc
     from node n join node_assignment a using (serial_number) join location l on l.id = a.location_id join facility f on f.id = l.facility_id
     where n.serial_number = any ($1::int4[])`,
    [serials],
  );
  return new Map(rows.map((row) => [row.serialNumber, row]));
}
