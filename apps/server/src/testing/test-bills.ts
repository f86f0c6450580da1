import type { Pool } from "pg";

export interface TestLocation {
  name: string;
  /** Of the primary node; none without it. */
  serial?: number;
  status?: string;
  billingStartDate?: string;
  billingEndDate?: string;
  paidThruDate?: string;
}

export interface TestFacility {
  name: string;
  type?: string;
  locations: TestLocation[];
}

/** A customer with facilities and locations; returns its id. */
export async function addBilledCustomer(pool: Pool, code: string, name: string, facilities: TestFacility[]): Promise<number> {
  const id = async (text: string, values: unknown[]): Promise<number> =>
    (await pool.query<{ id: number }>(`${text} returning id`, values)).rows[0]!.id;
  const customerId = await id("insert into customer (code, name) values ($1, $2)", [code, name]);
  for (const { name: facility, type = "Inherit from Customer", locations } of facilities) {
    const facilityId = await id("insert into facility (customer_id, name, site_name, type) values ($1, $2, $2, $3)", [
      customerId,
      facility,
      type,
    ]);
    for (const { name: location, serial, status = "Deployed", ...dates } of locations) {
      const locationId = await id(
        "insert into location (facility_id, name, timezone, billing_start_date, billing_end_date, paid_thru_date) values ($1, $2, 'Pacific/Honolulu', $3, $4, $5)",
        [facilityId, location, dates.billingStartDate, dates.billingEndDate, dates.paidThruDate],
      );
      if (serial === undefined) continue;
      await pool.query(
        `insert into node (serial_number, current_deployment_status, new_deployment_status, current_deployment_status_updated_at)
         values ($1, $2, $2, '2026-03-02T05:00:00Z')`,
        [serial, status],
      );
      await pool.query("insert into node_assignment (serial_number, location_id, slot) values ($1, $2, 1)", [serial, locationId]);
    }
  }
  return customerId;
}

export async function addOrganization(pool: Pool, name: string, customerIds: number[]): Promise<number> {
  const { rows } = await pool.query<{ id: number }>("insert into billing_organization (name) values ($1) returning id", [name]);
  const id = rows[0]!.id;
  await pool.query("insert into billing_organization_customer (customer_id, organization_id) select unnest($1::int[]), $2", [
    customerIds,
    id,
  ]);
  return id;
}
