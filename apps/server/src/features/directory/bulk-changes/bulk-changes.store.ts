import type { BulkChange, BulkKind, BulkObject } from "@busbar/contract/directory/bulk-changes.ts";
import { epochSeconds } from "#db/epoch-sql.ts";
import { planned, prepared, type Db } from "#db/statement.ts";
import type { Place } from "#features/directory/locations/locations.store.ts";

interface FoundObject {
  id: number;
  name: string;
  place: string;
}

export async function findNodes(db: Db, serials: readonly number[]): Promise<(FoundObject & { timezone: string | null })[]> {
  return await prepared<FoundObject & { timezone: string | null }>(db, "find-bulk-nodes", [serials])`
    select n.id, n.serial_number::text as name, coalesce(l.name, n.unassigned_location) as place, l.timezone
    from node n left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
    where n.serial_number = any($1::int4[])`;
}

export type FoundLocation = FoundObject & Place & { timezone: string };

export async function findLocations(db: Db, ids: readonly number[]): Promise<FoundLocation[]> {
  return await prepared<FoundLocation>(db, "find-bulk-locations", [ids])`
    select l.id, l.name, c.name || ' / ' || f.name as place, l.timezone, f.id as "facilityId", c.id as "customerId"
    from location l join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id where l.id = any($1::int4[])`;
}

export async function findUsers(db: Db, ids: readonly number[]): Promise<FoundObject[]> {
  return await prepared<FoundObject>(db, "find-bulk-users", [ids])`
    select u.id, u.username as name, coalesce(c.name, '') as place from app_user u left join customer c on c.id = u.customer_id
    where u.id = any($1::int4[])`;
}

export interface NewBulkChange {
  kind: BulkKind;
  undoes: number | null;
  madeBy: string;
  objects: readonly BulkObject[];
}

export async function insertBulkChange(db: Db, { kind, undoes, madeBy, objects }: NewBulkChange): Promise<number> {
  const rows = await planned<{ id: number }>(db, "insert-bulk-change", [kind, undoes, madeBy, JSON.stringify(objects)])`
    insert into bulk_change (kind, undoes, made_by, objects) values ($1, $2, $3, $4) returning id`;
  return rows[0]!.id;
}

export async function findBulkChange(db: Db, id: number): Promise<BulkChange | undefined> {
  const rows = await prepared<BulkChange>(db, "find-bulk-change", [id])`
    select id, kind, undoes, made_by as "madeBy", ${epochSeconds("made_at")} as "madeTimestamp", objects,
      array(select u.id from bulk_change u where u.undoes = b.id order by u.id desc) as "undoneBy"
    from bulk_change b where id = $1`;
  return rows[0];
}

/** Who was the last to do something to each of these. */
export async function lastActors(db: Db, objects: readonly string[]): Promise<Map<string, string>> {
  const rows = await prepared<{ object: string; actor: string }>(db, "last-actors", [objects])`
    select o.object, a.actor from unnest($1::text[]) o (object)
    cross join lateral (select actor from activity where object = o.object and object <> '' order by ts desc, id desc limit 1) a`;
  return new Map(rows.map(({ object, actor }) => [object, actor]));
}
