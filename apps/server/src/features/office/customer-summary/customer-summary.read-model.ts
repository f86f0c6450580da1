import type { CustomerSummaryRow } from "@busbar/contract/office/customer-summary.ts";
import type { Pool } from "pg";
import { prepared } from "#db/statement.ts";

// A node at a location is its customer's; another one may say whose it is meant to be, by code or name.
const query = `with owned as (
    select coalesce(f.customer_id, meant.id) as customer_id, n.current_deployment_status as status
    from node n
    left join node_assignment a on a.serial_number = n.serial_number
    left join location l on l.id = a.location_id left join facility f on f.id = l.facility_id
    left join lateral (select c.id from customer c
      where a.serial_number is null and lower(n.unassigned_customer) in (c.code, lower(c.name)) order by c.code = lower(n.unassigned_customer) desc, c.id limit 1) meant on true
  ), counted as (
    select customer_id, count(*) filter (where status = 'Deployed')::int as deployed,
      count(*) filter (where status = 'Pre-Deployment')::int as "preDeployed", count(*) filter (where status = 'Unassigned')::int as unassigned
    from owned group by customer_id
  )
  select c.code as "customerCode", c.name as "customerName", coalesce(k.deployed, 0) as "deployedNodeCount",
    coalesce(k."preDeployed", 0) as "preDeployedNodeCount", coalesce(k.unassigned, 0) as "unassignedNodeCount"
  from customer c full join counted k on k.customer_id = c.id
  where c.id is not null or k.deployed + k."preDeployed" + k.unassigned > 0
  order by lower(c.name), c.id`;

type Row = { [Key in keyof CustomerSummaryRow]: CustomerSummaryRow[Key] | null };

export function createCustomerSummaryReadModel(pool: Pool) {
  return {
    /** A row for each customer, by name; the nodes of none are in the last row, whose names are null. */
    async rows(): Promise<Row[]> {
      return await prepared<Row>(pool, "customer-summary")`${query}`;
    },
  };
}
export type CustomerSummaryReadModel = ReturnType<typeof createCustomerSummaryReadModel>;
