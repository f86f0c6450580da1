import type { CustomerLocation } from "@busbar/contract/customer-data.ts";
import type { Pool } from "pg";

export function createCustomerDataReadModel(pool: Pool) {
  return {
    /** Locations of one customer with their nodes, by facility and name. */
    async findLocations(customerId: number): Promise<CustomerLocation[]> {
      const { rows } = await pool.query<CustomerLocation>({
        name: "customer-locations",
        text: `/* customer-locations */ select l.id, l.name, f.id as "facilityId", f.name as "facilityName", f.site_name as "siteName",
                 l.asset_location_number as "assetLocationNumber", l.equipment_type as "equipmentType", l.timezone,
                 coalesce(jsonb_agg(jsonb_build_object('serialNumber', n.serial_number, 'slot', a.slot, 'type', n.type,
                   'currentDeploymentStatus', n.current_deployment_status, 'isConnected', v.is_connected,
                   'lastScalarTimestamp', floor(extract(epoch from v.last_scalar_at))) order by a.slot)
                   filter (where n.serial_number is not null), '[]') as nodes
               from facility f join location l on l.facility_id = f.id
                 left join node_assignment a on a.location_id = l.id left join node n on n.serial_number = a.serial_number
                 left join node_live v on v.serial_number = n.serial_number
               where f.customer_id = $1 group by l.id, f.id order by f.name, l.name, l.id`,
        values: [customerId],
      });
      return rows;
    },
  };
}
export type CustomerDataReadModel = ReturnType<typeof createCustomerDataReadModel>;
