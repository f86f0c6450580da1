import { FreePlace, mostFreePlaces } from "@busbar/contract/directory/free-places.ts";
import { equipmentTypesWithSecondaryNode } from "@busbar/contract/values/option-lists.ts";
import type { PoolClient } from "pg";
import { selectList } from "#db/select-list.ts";
import { anywhere } from "#db/like-sql.ts";
import { prepared, type Db } from "#db/statement.ts";

export interface LocationPlace {
  customerId: number;
  facilityId: number;
}

const columns = selectList(FreePlace, "l", {
  locationId: "l.id",
  locationName: "l.name",
  facilityName: "f.name",
  customerName: "c.name",
  customerCode: "c.code",
  deploymentTaskType: `case when exists (select from node_placement p where p.location_id = l.id) then 'RMA'
    when exists (select from node_assignment a join location o on o.id = a.location_id where o.facility_id = f.id) then 'NL-EF' else 'NL-NF' end`,
});

/** Each word in any of the names. */
export async function findFreePlaces(db: Db, words: readonly string[]): Promise<FreePlace[]> {
  return await prepared<FreePlace>(db, "find-free-places", [equipmentTypesWithSecondaryNode, anywhere(words)])`
    select ${columns}
    from location l join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id
    where not exists (select from node_assignment a where a.location_id = l.id) and l.equipment_type <> all($1)
      and (c.code || ' ' || c.name || ' ' || f.name || ' ' || l.name) ilike all($2)
    order by c.name, f.name, l.name, l.id limit ${mostFreePlaces}`;
}

export async function findLocationPlace(client: PoolClient, locationId: number): Promise<LocationPlace | undefined> {
  const rows = await prepared<LocationPlace>(client, "find-location-place", [locationId])`
    select f.customer_id as "customerId", f.id as "facilityId" from location l join facility f on f.id = l.facility_id where l.id = $1`;
  return rows[0];
}
