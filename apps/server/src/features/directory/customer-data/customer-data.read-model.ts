import { CustomerLocation, CustomerNode } from "@busbar/contract/directory/customer-data.ts";
import type { Pool } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { selectList } from "#db/select-list.ts";
import { prepared } from "#db/statement.ts";

const nodeColumns = selectList(CustomerNode, "n", {
  slot: "a.slot",
  isConnected: "v.is_connected",
  lastScalarTimestamp: epochSeconds("v.last_scalar_at"),
});
const locationColumns = selectList(CustomerLocation, "l", {
  facilityId: "f.id",
  facilityName: "f.name",
  siteName: "f.site_name",
  nodes: "coalesce(json_agg(r order by r.slot) filter (where n.serial_number is not null), '[]')",
});

export function createCustomerDataReadModel(pool: Pool) {
  return {
    /** Locations of one customer with their nodes, by facility and name. */
    async findLocations(customerId: number): Promise<CustomerLocation[]> {
      return await prepared<CustomerLocation>(pool, "customer-locations", [customerId])`select ${locationColumns}
        from facility f join location l on l.facility_id = f.id
          left join node_assignment a on a.location_id = l.id left join node n on n.serial_number = a.serial_number
          left join node_live v on v.serial_number = n.serial_number left join lateral (select ${nodeColumns}) r on true
        where f.customer_id = $1 group by l.id, f.id order by f.name, l.name, l.id`;
    },
  };
}
export type CustomerDataReadModel = ReturnType<typeof createCustomerDataReadModel>;
