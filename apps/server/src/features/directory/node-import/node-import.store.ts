import type { PoolClient } from "pg";
import { planned } from "#db/statement.ts";

export interface ImportLocation {
  id: number;
  facilityId: number;
  customerId: number;
  /** Customer code, facility and location. */
  names: [string, string, string];
}

/** The locations of these names, whatever their capital letters: customer code, facility and location. */
export async function findImportLocations(client: PoolClient, wanted: readonly (readonly string[])[]): Promise<ImportLocation[]> {
  return await planned<ImportLocation>(client, "import-find-locations", [
    ...[0, 1, 2].map((index) => wanted.map((names) => names[index])),
    [...new Set(wanted.map(([code = ""]) => code.toLowerCase()))],
  ])`
    with wanted as (
      select distinct lower(code) as code, lower(facility) as facility, lower(location) as location
      from unnest($1::text[], $2::text[], $3::text[]) as w(code, facility, location))
    select l.id, f.id as "facilityId", c.id as "customerId", array[c.code, f.name, l.name] as names
    from customer c join facility f on f.customer_id = c.id join location l on l.facility_id = f.id
    where c.code = any($4::text[]) and (c.code, lower(f.name), lower(l.name)) in (select code, facility, location from wanted)
    order by l.id`;
}

/** Which of these serial numbers are nodes. */
export async function findImportNodes(client: PoolClient, serials: readonly number[]): Promise<Set<number>> {
  const rows = await planned<{ serial: number }>(client, "import-find-nodes", [serials])`
    select serial_number as serial from node where serial_number = any($1::int4[])`;
  return new Set(rows.map(({ serial }) => serial));
}
