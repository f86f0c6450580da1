import type { Pool } from "pg";

export interface TestPlace {
  customerId: number;
  facilityId: number;
  locationId: number;
}

let places = 0;
const apart = new WeakSet<Pool>();

/** No customer, facility and location have one number: what takes one for the other finds nothing, or fails. */
async function keepNumbersApart(pool: Pool): Promise<void> {
  if (apart.has(pool)) return;
  apart.add(pool);
  await pool.query(
    `select setval(pg_get_serial_sequence('facility', 'id'), greatest(1000, (select max(id) from facility))),
       setval(pg_get_serial_sequence('location', 'id'), greatest(2000, (select max(id) from location)))`,
  );
}

/** A customer with one facility and one location of its own. */
export async function addPlace(pool: Pool, timezone = "America/Chicago", name = "Alder Pumping"): Promise<TestPlace> {
  places++;
  const code = `test${String.fromCharCode(97 + (places % 26))}${String.fromCharCode(97 + (Math.floor(places / 26) % 26))}`;
  await keepNumbersApart(pool);
  const id = async (text: string, values: unknown[]): Promise<number> =>
    (await pool.query<{ id: number }>(`${text} returning id`, values)).rows[0]!.id;
  const customerId = await id("insert into customer (code, name) values ($1, $2)", [code, name]);
  const facilityId = await id("insert into facility (customer_id, name, site_name) values ($1, 'North Works', 'North')", [customerId]);
  const locationId = await id("insert into location (facility_id, name, timezone) values ($1, 'Feed Pump 1', $2)", [facilityId, timezone]);
  return { customerId, facilityId, locationId };
}

/** A node, at a location when one is given. */
export async function addNode(pool: Pool, serialNumber: number, place?: TestPlace, columns: Record<string, unknown> = {}): Promise<void> {
  const names = Object.keys(columns);
  const values = Object.values(columns);
  await pool.query(
    `insert into node (serial_number${names.map((name) => `, ${name}`).join("")}) values ($1${names.map((_, index) => `, $${index + 2}`).join("")})`,
    [serialNumber, ...values],
  );
  if (place)
    await pool.query("insert into node_assignment (serial_number, location_id, slot) values ($1, $2, 1)", [serialNumber, place.locationId]);
}

/** Writes a node's live row as ingest does. */
export async function setLive(pool: Pool, serialNumber: number, columns: Record<string, unknown>): Promise<void> {
  const names = Object.keys(columns);
  await pool.query(
    `update node_live set ${names.map((name, index) => `${name} = $${index + 2}`).join(", ")}, changed_xid = pg_current_xact_id() where serial_number = $1`,
    [serialNumber, ...Object.values(columns)],
  );
}
