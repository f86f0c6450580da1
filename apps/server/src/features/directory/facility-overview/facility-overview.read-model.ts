import type { Pool } from "pg";
import type { FacilityOverview } from "@busbar/contract/directory/facility-overview.ts";
import { epochSeconds } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";
import { reachesSql, subscriptions } from "#shared/subscribers-sql.ts";

const outageDays = 30;

const list = (rows: string) => `(select coalesce(json_agg(r), '[]') from (${rows}) r)`;
const person = `u.id as "userId", u.username, u.first_name as "firstName", u.last_name as "lastName"`;

const nodes = `select n.serial_number::text as "serialNumber", n.type, n.current_deployment_status as "currentDeploymentStatus",
    l.id as "locationId", l.name as "locationName", a.slot = 2 as "isSecondary", v.is_connected as connected,
    ${epochSeconds("v.last_scalar_at")} as "lastScalarTimestamp",
    (select count(*)::int4 from alarm where serial_number = n.serial_number and cleared_at is null) as "openAlarmCount",
    case when d.serial_number is not null then
      json_build_object('kind', d.kind, 'gravity', d.gravity, 'sentence', d.sentence, 'since', ${epochSeconds("d.since")}) end as verdict
  from location l join node_assignment a on a.location_id = l.id join node n on n.serial_number = a.serial_number
  join node_live v on v.serial_number = n.serial_number left join node_verdict d on d.serial_number = n.serial_number
  where l.facility_id = f.id order by n.serial_number`;

/** A verdict that lasted, from its begin to the begin of the node's next one. */
const losses = `select ${epochSeconds("h.began_at")} as "from", ${epochSeconds("e.began_at")} as "to"
  from location l join node_assignment a on a.location_id = l.id
  join node_verdict_history h on h.serial_number = a.serial_number and h.kind = 'outage' and h.began_at > now() - interval '${outageDays} days'
  left join lateral (select began_at from node_verdict_history where serial_number = h.serial_number and began_at > h.began_at
    order by began_at limit 1) e on true
  where l.facility_id = f.id order by h.began_at`;

/** Epoch seconds; `to` is null while the node is not back. */
export interface Loss {
  from: number;
  to: number | null;
}
export type FacilityOverviewRow = Omit<FacilityOverview, "outages"> & { losses: Loss[] };

export function createFacilityOverviewReadModel(pool: Pool) {
  return {
    async find(id: number): Promise<FacilityOverviewRow | undefined> {
      const rows = await prepared<FacilityOverviewRow>(pool, "facility-overview", [id])`
        select f.id, f.name as "facilityName", f.site_name as "siteName", f.division, c.id as "customerId", c.name as "customerName",
          ${list("select distinct timezone from location where facility_id = f.id order by timezone")} as "timezones",
          (select count(*)::int4 from location where facility_id = f.id) as "locationCount",
          ${list(nodes)} as "nodes", ${list(losses)} as "losses",
          ${list(`select ${person} from facility_manager m join app_user u on u.id = m.user_id where m.facility_id = f.id order by u.id`)} as "managers",
          ${list(`select ${person}, coalesce(s.frequency, 'Immediate') as frequency from ${subscriptions}
            where u.active_status = 'ACTIVE' and ${reachesSql} order by u.id`)} as "subscribers"
        from facility f join customer c on c.id = f.customer_id where f.id = $1`;
      return rows[0];
    },
  };
}
export type FacilityOverviewReadModel = ReturnType<typeof createFacilityOverviewReadModel>;
