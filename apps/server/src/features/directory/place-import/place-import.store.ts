import type { PoolClient } from "pg";
import { planned, type Db } from "#db/statement.ts";
import type { KnownPlaces } from "./place-plan.ts";

/** What is there of the customers with these codes. */
export async function readKnownPlaces(db: Db, codes: readonly string[]): Promise<KnownPlaces> {
  const customers = await planned<KnownPlaces["customers"][number]>(db, "import-customers", [codes])`
    select id, code, name, type, require_division_facility_location as "requiresPlace", revision from customer where code = any($1::text[])`;
  const facilities = await planned<KnownPlaces["facilities"][number]>(db, "import-facilities", [customers.map(({ id }) => id)])`
    select id, customer_id as "customerId", name, site_name as "siteName", division, grounding_type as "groundingType",
      facility_location as "facilityLocation", revision from facility where customer_id = any($1::int4[])`;
  const locations = await planned<KnownPlaces["locations"][number]>(db, "import-locations", [facilities.map(({ id }) => id)])`
    select l.id, l.facility_id as "facilityId", l.name, l.equipment_type as "equipmentType", l.timezone,
      exists (select 1 from node_assignment a where a.location_id = l.id and a.slot = 2) as "hasSecondary", l.revision
    from location l where facility_id = any($1::int4[])`;
  return { customers, facilities, locations };
}

/** Until the transaction ends no one else adds, changes or deletes a place; everyone reads. */
export async function lockPlaces(client: PoolClient): Promise<void> {
  await planned(client, "lock-places")`lock table customer, facility, location in share row exclusive mode`;
}

interface NewLocationRow {
  facilityId: number;
  name: string;
  equipmentType: string;
  timezone: string;
}

/** Locations with what an import says of them, and nothing else. */
export async function insertLocations(client: PoolClient, locations: readonly NewLocationRow[], startedAtSeconds: number): Promise<void> {
  await planned(client, "import-insert-locations", [
    locations.map(({ facilityId }) => facilityId),
    locations.map(({ name }) => name),
    locations.map(({ equipmentType }) => equipmentType),
    locations.map(({ timezone }) => timezone),
    startedAtSeconds,
  ])`
    insert into location (facility_id, name, equipment_type, timezone, equipment_start_at)
    select *, to_timestamp($5) from unnest($1::int4[], $2::text[], $3::text[], $4::text[])`;
}

/** Returns the ids by code. */
export async function insertCustomers(client: PoolClient, customers: readonly { code: string; name: string; type: string }[]) {
  const rows = await planned<{ id: number; code: string }>(client, "import-insert-customers", [
    customers.map(({ code }) => code),
    customers.map(({ name }) => name),
    customers.map(({ type }) => type),
  ])`
    insert into customer (code, name, type)
    select * from unnest($1::text[], $2::text[], $3::text[]) returning id, code`;
  return new Map(rows.map(({ id, code }) => [code, id]));
}

export interface FacilityRow {
  /** Of a new one its customer's. */
  id: number;
  name: string;
  siteName: string;
  division: string;
  groundingType: string;
  facilityLocation: string;
}

const facilityColumns = (facilities: readonly FacilityRow[]) => [
  facilities.map(({ id }) => id),
  facilities.map(({ name }) => name),
  facilities.map(({ siteName }) => siteName),
  facilities.map(({ division }) => division),
  facilities.map(({ groundingType }) => groundingType),
  facilities.map(({ facilityLocation }) => facilityLocation),
];
const facilityList = "unnest($1::int4[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])";

/** Returns the ids by the customer's id and the name. */
export async function insertFacilities(client: PoolClient, facilities: readonly FacilityRow[]) {
  const rows = await planned<{ id: number; customerId: number; name: string }>(
    client,
    "import-insert-facilities",
    facilityColumns(facilities),
  )`
    insert into facility (customer_id, name, site_name, division, grounding_type, facility_location)
    select * from ${facilityList} returning id, customer_id as "customerId", name`;
  return new Map(rows.map(({ id, customerId, name }) => [`${customerId} ${name}`, id]));
}

export async function updateCustomers(client: PoolClient, customers: readonly { id: number; name: string; type: string }[]): Promise<void> {
  await planned(client, "import-update-customers", [
    customers.map(({ id }) => id),
    customers.map(({ name }) => name),
    customers.map(({ type }) => type),
  ])`
    update customer c set name = r.name, type = r.type, revision = revision + 1
    from unnest($1::int4[], $2::text[], $3::text[]) as r(id, name, type) where c.id = r.id`;
}

export async function updateFacilities(client: PoolClient, facilities: readonly FacilityRow[]): Promise<void> {
  await planned(client, "import-update-facilities", facilityColumns(facilities))`
    update facility f set site_name = r.site_name, division = r.division, grounding_type = r.grounding_type,
      facility_location = r.facility_location, revision = revision + 1
    from ${facilityList} as r(id, name, site_name, division, grounding_type, facility_location) where f.id = r.id`;
}

export async function updateLocations(
  client: PoolClient,
  locations: readonly { id: number; equipmentType: string; timezone: string }[],
): Promise<void> {
  await planned(client, "import-update-locations", [
    locations.map(({ id }) => id),
    locations.map(({ equipmentType }) => equipmentType),
    locations.map(({ timezone }) => timezone),
  ])`
    update location l set equipment_type = r.equipment_type, timezone = r.timezone, revision = revision + 1
    from unnest($1::int4[], $2::text[], $3::text[]) as r(id, equipment_type, timezone) where l.id = r.id`;
}
