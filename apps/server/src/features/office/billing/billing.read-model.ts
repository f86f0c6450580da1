import type { Pool } from "pg";
import { prepared } from "#db/statement.ts";
import { deployedSince } from "#shared/billed-deployed-sql.ts";
import type { BillableLocation } from "./bill-lines.ts";

export function createBillingReadModel(pool: Pool) {
  return {
    async organizations(): Promise<{ id: number; name: string }[]> {
      return await prepared<{ id: number; name: string }>(pool, "billing-organizations")`
        select id, name from billing_organization order by lower(name), id`;
    },

    async organizationName(id: number): Promise<string | undefined> {
      const rows = await prepared<{ name: string }>(pool, "billing-organization", [id])`
        select name from billing_organization where id = $1`;
      return rows[0]?.name;
    },

    /** Every location of the organisation's customers with its primary node, by customer, facility and name. */
    async locations(organizationId: number): Promise<BillableLocation[]> {
      return await prepared<BillableLocation>(pool, "billable-locations", [organizationId])`
        select l.id as "locationId", l.name as "locationName", f.id as "facilityId", f.name as "facilityName", c.name as "customerName",
          (case f.type when 'Inherit from Customer' then c.type else f.type end) = 'Internal' as "isInternal",
          n.serial_number::text as "serialNumber",
          case when d.since is null then n.current_deployment_status else 'Deployed' end as "deploymentStatus",
          to_char(coalesce(d.since, n.current_deployment_status_updated_at) at time zone l.timezone, 'YYYY-MM-DD') as "deploymentDate",
          to_char(l.billing_start_date, 'YYYY-MM-DD') as "billingStartDate", to_char(l.billing_end_date, 'YYYY-MM-DD') as "billingEndDate",
          to_char(l.paid_thru_date, 'YYYY-MM-DD') as "paidThruDate"
        from billing_organization_customer o
        join customer c on c.id = o.customer_id join facility f on f.customer_id = c.id join location l on l.facility_id = f.id
        left join node_assignment a on a.location_id = l.id and a.slot = 1 left join node n on n.serial_number = a.serial_number
        left join lateral (select ${deployedSince} as since) d on true
        where o.organization_id = $1 order by lower(c.name), c.id, lower(f.name), f.id, lower(l.name), l.id`;
    },
  };
}
export type BillingReadModel = ReturnType<typeof createBillingReadModel>;
