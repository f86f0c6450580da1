import type { PoolClient } from "pg";
import type { Db } from "#db/pool.ts";
import { SavedFacility, type FacilityForm, type NewFacility } from "@busbar/contract/directory/facilities.ts";
import { selectList } from "#db/select-list.ts";

const columns = selectList(SavedFacility, "f", {
  managers: "array(select user_id from facility_manager where facility_id = f.id order by user_id)",
});

export async function findFacility(db: Db, customerId: number, id: number): Promise<SavedFacility | undefined> {
  const { rows } = await db.query<SavedFacility>({
    name: "find-facility",
    text: `select ${columns} from facility f where f.id = $1 and f.customer_id = $2`,
    values: [id, customerId],
  });
  return rows[0];
}

/** The same, and no one else changes it until the transaction ends. */
export async function lockFacility(client: PoolClient, customerId: number, id: number): Promise<SavedFacility | undefined> {
  // Locked first, read after: a statement that had to wait shows the managers as they were before it waited.
  await client.query({ name: "lock-facility", text: "select from facility where id = $1 for update", values: [id] });
  return await findFacility(client, customerId, id);
}

/** Facilities of a customer, locked: until the transaction ends no one adds a location to them or moves one of them. */
export async function lockFacilities(client: PoolClient, customerId: number): Promise<SavedFacility[]> {
  await client.query({
    name: "lock-facilities",
    text: "select from facility where customer_id = $1 order by id for update",
    values: [customerId],
  });
  const { rows } = await client.query<SavedFacility>({
    name: "find-facilities-of-customer",
    text: `select ${columns} from facility f where f.customer_id = $1 order by f.id`,
    values: [customerId],
  });
  return rows;
}

/** Undefined when the customer has a facility of that name. */
export async function insertFacility(client: PoolClient, customerId: number, facility: NewFacility): Promise<SavedFacility | undefined> {
  const { rows } = await client.query<SavedFacility>({
    name: "insert-facility",
    text: `insert into facility as f (customer_id, name, site_name, customer_x_ref_id, division, grounding_type, type, facility_location)
           values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (customer_id, name) do nothing returning ${columns}`,
    values: [customerId, ...valuesOf(facility)],
  });
  return rows[0];
}

export async function updateFacilityRow(client: PoolClient, facility: SavedFacility): Promise<SavedFacility> {
  const { rows } = await client.query<SavedFacility>({
    name: "update-facility",
    text: `update facility f set name = $2, site_name = $3, customer_x_ref_id = $4, division = $5, grounding_type = $6, type = $7,
             facility_location = $8, revision = revision + 1 where id = $1 returning ${columns}`,
    values: [facility.id, ...valuesOf(facility)],
  });
  return rows[0]!;
}

/** CUS-07: the facility's type is reset; its managers leave it by trigger. */
export async function moveFacilityRow(client: PoolClient, id: number, customerId: number): Promise<void> {
  await client.query({
    name: "move-facility",
    text: `update facility set customer_id = $2, type = 'Inherit from Customer', revision = revision + 1 where id = $1`,
    values: [id, customerId],
  });
}

export async function deleteFacilityRows(client: PoolClient, ids: readonly number[]): Promise<void> {
  await client.query({ name: "delete-facilities", text: "delete from facility where id = any($1)", values: [ids] });
}

/** Which of the users belong to the customer; they stay with it until the transaction ends. */
export async function lockUsersOf(client: PoolClient, customerId: number, userIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await client.query<{ id: number }>({
    name: "lock-users-of-customer",
    text: "select id from app_user where id = any($2) and customer_id = $1 order by id for share",
    values: [customerId, userIds],
  });
  return new Set(rows.map(({ id }) => id));
}

export async function replaceManagers(client: PoolClient, facilityId: number, userIds: readonly number[]): Promise<void> {
  await client.query({
    name: "remove-managers",
    text: "delete from facility_manager where facility_id = $1 and user_id <> all($2)",
    values: [facilityId, userIds],
  });
  await client.query({
    name: "add-managers",
    text: "insert into facility_manager (facility_id, user_id) select $1, unnest($2::int[]) on conflict do nothing",
    values: [facilityId, userIds],
  });
  await client.query({
    name: "count-managers-change",
    text: "update facility set revision = revision + 1 where id = $1",
    values: [facilityId],
  });
}

export async function countPlaces(db: Db, facilityId: number): Promise<{ locations: number; nodes: number }> {
  const { rows } = await db.query<{ locations: number; nodes: number }>({
    name: "count-facility-places",
    text: `select count(distinct l.id)::int as locations, count(a.serial_number)::int as nodes
           from location l left join node_assignment a on a.location_id = l.id where l.facility_id = $1`,
    values: [facilityId],
  });
  return rows[0]!;
}

function valuesOf(facility: FacilityForm): string[] {
  const { name, siteName, customerXRefId, division, groundingType, type, facilityLocation } = facility;
  return [name, siteName, customerXRefId, division, groundingType, type, facilityLocation];
}
