import { homeNeedKinds, type HomeNeedKind } from "@busbar/contract/system/home-needs.ts";
import type { Pool } from "pg";
import { prepared } from "#db/statement.ts";

const verdictCount = (kinds: readonly string[]) =>
  `select count(*) from node_verdict where kind in (${kinds.map((kind) => `'${kind}'`).join(", ")})`;

/** SQL: how much there is of each. Times are compared with `$1`, epoch seconds. */
const counts: Record<HomeNeedKind, string> = {
  platform: `select count(*) from (select max(alive_at) as alive_at from ingest_presence) p where alive_at < to_timestamp($1) - interval '1 minute'`,
  outages: `select count(distinct l.facility_id) from node_verdict v join node_assignment a using (serial_number) join location l on l.id = a.location_id
    where v.kind = 'outage'`,
  // Muted and paused nodes ask for no one.
  incidents: `select count(*) from incident i where ended_at is null and calm_since is null and acknowledged_at is null and exists (
    select from incident_member m join node_verdict v using (serial_number)
    where m.incident_id = i.id and m.ended_at is null and v.gravity in ('act', 'look'))`,
  nodes: verdictCount(["refused", "away", "silent", "sensor", "alarm"]),
  services: "select count(*) from service where failing_since is not null and is_enabled",
  mail: `select count(*) from notification where sent_at is null and sent_failed_reason like 'SMTP%' and coalesce(sent_at, created_at) > to_timestamp($1) - interval '1 day'`,
  trips: `select count(*) from recorded_event where kind = 'trip' and ts > to_timestamp($1) - interval '1 day' and ts <= to_timestamp($1)`,
  deployments: `select count(*) from node where deployment_issue and current_deployment_status <> 'Decommissioned'`,
  statusChanges: `select count(*) from node where new_deployment_status <> current_deployment_status
    and new_deployment_status_updated_at < to_timestamp($1) + interval '1 day'`,
  bills: `select count(distinct o.organization_id) from billing_organization_customer o join facility f using (customer_id) join location l on l.facility_id = f.id
    where l.billing_start_date <= to_timestamp($1)::date and coalesce(l.billing_end_date > to_timestamp($1)::date, true)
      and coalesce(l.paid_thru_date < to_timestamp($1)::date, true)`,
};

export function createHomeNeedsReadModel(pool: Pool) {
  return {
    /** @param now epoch seconds */
    async counts(now: number): Promise<Record<HomeNeedKind, number>> {
      const rows = await prepared<Record<HomeNeedKind, number>>(pool, "home-needs", [now])`
        select ${homeNeedKinds.map((kind) => `(${counts[kind]})::int4 as "${kind}"`).join(", ")}`;
      return rows[0]!;
    },
  };
}
export type HomeNeedsReadModel = ReturnType<typeof createHomeNeedsReadModel>;
