import type { PoolClient } from "pg";
import { SavedCustomer, type NewCustomer } from "@busbar/contract/directory/customers.ts";
import { selectList } from "#db/select-list.ts";
import { prepared, type Db } from "#db/statement.ts";

const columns = selectList(SavedCustomer, "customer");

/** What hangs on a customer. */
export interface CustomerContents {
  facilities: number;
  locations: number;
  users: number;
  decommissionedNodes: number;
}

/** @param lock keeps others from changing (`share`) or from adding anything to it (`update`) until the transaction ends */
export async function findCustomer(db: Db, id: number, lock: "share" | "update" | "none" = "none"): Promise<SavedCustomer | undefined> {
  const rows = await prepared<SavedCustomer>(db, `find-customer-${lock}`, [id])`
    select ${columns} from customer where id = $1 ${lock === "none" ? "" : `for ${lock}`}`;
  return rows[0];
}

/** Undefined when the code is taken. */
export async function insertCustomer(client: PoolClient, customer: NewCustomer): Promise<SavedCustomer | undefined> {
  const rows = await prepared<SavedCustomer>(client, "insert-customer", [
    customer.code,
    customer.name,
    customer.type,
    customer.enableDataTransfer,
    customer.requireDivisionFacilityLocation,
    customer.emailDomains,
  ])`
    insert into customer (code, name, type, enable_data_transfer, require_division_facility_location, email_domains)
    values ($1, $2, $3, $4, $5, $6) on conflict (code) do nothing returning ${columns}`;
  return rows[0];
}

export async function updateCustomer(client: PoolClient, customer: SavedCustomer): Promise<SavedCustomer> {
  const rows = await prepared<SavedCustomer>(client, "update-customer", [
    customer.id,
    customer.name,
    customer.type,
    customer.enableDataTransfer,
    customer.requireDivisionFacilityLocation,
    customer.emailDomains,
  ])`
    update customer set name = $2, type = $3, enable_data_transfer = $4, require_division_facility_location = $5,
    email_domains = $6, revision = revision + 1 where id = $1 returning ${columns}`;
  return rows[0]!;
}

export async function deleteCustomerRow(client: PoolClient, id: number): Promise<void> {
  await prepared(client, "delete-customer", [id])`delete from customer where id = $1`;
}

export async function countContents(db: Db, id: number): Promise<CustomerContents> {
  const rows = await prepared<CustomerContents>(db, "count-customer-contents", [id])`
    select (select count(*)::int from facility where customer_id = $1) as facilities,
    (select count(*)::int from location l join facility f on f.id = l.facility_id where f.customer_id = $1) as locations,
    (select count(*)::int from app_user where customer_id = $1) as users,
    (select count(*)::int from decommissioned_node where customer_id = $1) as "decommissionedNodes"`;
  return rows[0]!;
}
