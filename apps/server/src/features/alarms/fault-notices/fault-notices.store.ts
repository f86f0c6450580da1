import type { PoolClient } from "pg";
import { planned } from "#db/statement.ts";
import { muteReasonSql } from "#shared/mutes-sql.ts";
import { subscribersSql } from "#shared/subscribers-sql.ts";

/** Where a node is, whether its people want to hear of faults, and who they are. */
export interface NoticePlaceRow {
  serialNumber: number;
  locationName: string;
  facilityId: number;
  facilityName: string;
  timezone: string;
  faultLibraryAlertFlags: Record<string, boolean>;
  pauseNotifications: boolean;
  /** Null where it is not muted. */
  muteReason: string | null;
  deploymentIssue: boolean;
  deploymentIssueDetails: string;
  /** Customers who subscribe, at once. */
  to: string[];
  /** Internal users who subscribe. */
  bcc: string[];
}

export async function findNoticePlaces(client: PoolClient, serials: readonly number[], now: number): Promise<Map<number, NoticePlaceRow>> {
  const rows = await planned<NoticePlaceRow>(client, "notice-places", [serials, now])`
    select n.serial_number as "serialNumber", l.name as "locationName", f.id as "facilityId", f.name as "facilityName", l.timezone,
      l.fault_library_alert_flags as "faultLibraryAlertFlags", n.pause_notifications as "pauseNotifications", ${muteReasonSql("to_timestamp($2)")} as "muteReason",
      n.deployment_issue as "deploymentIssue", n.deployment_issue_details as "deploymentIssueDetails",
      ${subscribersSql("receive_fault_library_notifications", false)} as "to",
      ${subscribersSql("receive_fault_library_notifications", true)} as bcc
    from node n join node_assignment a using (serial_number) join location l on l.id = a.location_id join facility f on f.id = l.facility_id
    where n.serial_number = any ($1::int4[])`;
  return new Map(rows.map((row) => [row.serialNumber, row]));
}
