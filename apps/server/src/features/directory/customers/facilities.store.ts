import type { PoolClient } from "pg";
import { SavedFacility, type FacilityForm, type NewFacility } from "@busbar/contract/directory/facilities.ts";
import { selectList } from "#db/select-list.ts";
import { prepared, type Db } from "#db/statement.ts";

const columns = selectList(SavedFacility, "f", {
  managers: "array(select user_id from facility_manager where facility_id = f.id order by user_id)",
});

export async function findFacility(db: Db, customerId: number, id: number): Promise<SavedFacility | undefined> {
  const rows = await prepared<SavedFacility>(db, "find-facility", [id, customerId])`
    select ${columns} from facility f where f.id = $1 and f.customer_id = $2`;
  return rows[0];
}

/** The same, and no one else changes it until the transaction ends. */
export async function lockFacility(client: PoolClient, customerId: number, id: number): Promise<SavedFacility | undefined> {
  // Locked first, read after: a statement that had to wait shows the managers as they were before it waited.
  await prepared(client, "lock-facility", [id])`select from facility where id = $1 for update`;
  return await findFacility(client, customerId, id);
}

/** Facilities of a customer, locked: until the transaction ends no one adds a location to them or moves one of them. */
export async function lockFacilities(client: PoolClient, customerId: number): Promise<SavedFacility[]> {
  await prepared(client, "lock-facilities", [customerId])`select from facility where customer_id = $1 order by id for update`;
  return await prepared<SavedFacility>(client, "find-facilities-of-customer", [customerId])`
    select ${columns} from facility f where f.customer_id = $1 order by f.id`;
}

/** Undefined when the customer has a facility of that name. */
export async function insertFacility(client: PoolClient, customerId: number, facility: NewFacility): Promise<SavedFacility | undefined> {
  const rows = await prepared<SavedFacility>(client, "insert-facility", [customerId, ...valuesOf(facility)])`
    insert into facility as f (customer_id, name, site_name, customer_x_ref_id, division, grounding_type, type, facility_location)
    values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (customer_id, name) do nothing returning ${columns}`;
  return rows[0];
}

export async function updateFacilityRow(client: PoolClient, facility: SavedFacility): Promise<SavedFacility> {
  const rows = await prepared<SavedFacility>(client, "update-facility", [facility.id, ...valuesOf(facility)])`
    update facility f set name = $2, site_name = $3, customer_x_ref_id = $4, division = $5, grounding_type = $6, type = $7,
    facility_location = $8, revision = revision + 1 where id = $1 returning ${columns}`;
  return rows[0]!;
}

/** CUS-07: the facility's type is reset; its managers leave it by trigger. */
export async function moveFacilityRow(client: PoolClient, id: number, customerId: number): Promise<void> {
  await prepared(client, "move-facility", [id, customerId])`
    update facility set customer_id = $2, type = 'Inherit from Customer', revision = revision + 1 where id = $1`;
}

export async function deleteFacilityRows(client: PoolClient, ids: readonly number[]): Promise<void> {
  await prepared(client, "delete-facilities", [ids])`delete from facility where id = any($1)`;
}

/** Which of the users belong to the customer; they stay with it until the transaction ends. */
export async function lockUsersOf(client: PoolClient, customerId: number, userIds: readonly number[]): Promise<Set<number>> {
  const rows = await prepared<{ id: number }>(client, "lock-users-of-customer", [customerId, userIds])`
    select id from app_user where id = any($2) and customer_id = $1 order by id for share`;
  return new Set(rows.map(({ id }) => id));
}

export async function replaceManagers(client: PoolClient, facilityId: number, userIds: readonly number[]): Promise<void> {
  await prepared(client, "remove-managers", [facilityId, userIds])`
    delete from facility_manager where facility_id = $1 and user_id <> all($2)`;
  await prepared(client, "add-managers", [facilityId, userIds])`
    insert into facility_manager (facility_id, user_id) select $1, unnest($2::int[]) on conflict do nothing`;
  await prepared(client, "count-managers-change", [facilityId])`update facility set revision = revision + 1 where id = $1`;
}

export async function countPlaces(db: Db, facilityId: number): Promise<{ locations: number; nodes: number }> {
  const rows = await prepared<{ locations: number; nodes: number }>(db, "count-facility-places", [facilityId])`
    select count(distinct l.id)::int as locations, count(a.serial_number)::int as nodes
    from location l left join node_assignment a on a.location_id = l.id where l.facility_id = $1`;
  return rows[0]!;
}

function valuesOf(facility: FacilityForm): string[] {
  const { name, siteName, customerXRefId, division, groundingType, type, facilityLocation } = facility;
  return [name, siteName, customerXRefId, division, groundingType, type, facilityLocation];
}
