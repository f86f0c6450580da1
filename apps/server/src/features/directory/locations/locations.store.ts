import type { PoolClient } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { Location, LocationForm, LocationNode, MoveTarget } from "@busbar/contract/directory/locations.ts";
import { selectList, snakeCase, without } from "#db/select-list.ts";
import { prepared, type Db } from "#db/statement.ts";
import { toStored } from "#lib/harmonic-signatures.ts";
import type { LocationRow } from "./locations.view.ts";

/** Where a location is; the path of every call names it. */
export interface Place {
  customerId: number;
  facilityId: number;
}

/** The names of a facility and its customer. */
export const placeColumns = selectList(MoveTarget, "", {
  customerId: "c.id",
  customerCode: "c.code",
  customerName: "c.name",
  facilityId: "f.id",
  facilityName: "f.name",
});

const nodeColumns = selectList(LocationNode, "n", { serialNumber: "n.serial_number::text" });
const day = (column: string) => `l.${column}::text`;

const columns = selectList(without(Location, "nodeSerialNumber", "secondaryNodeSerialNumber"), "l", {
  equipmentStartTimestamp: epochSeconds("l.equipment_start_at"),
  billingStartDate: day("billing_start_date"),
  billingEndDate: day("billing_end_date"),
  paidThruDate: day("paid_thru_date"),
  nodes: `coalesce((select json_agg(r order by r.slot) from node_assignment a join node n using (serial_number)
    cross join lateral (select a.slot, ${nodeColumns}) r where a.location_id = l.id), '[]')`,
});

/** A location by its number; `place` says where it must be. */
export async function findLocation(db: Db, id: number, place?: Place): Promise<LocationRow | undefined> {
  const rows = await prepared<LocationRow>(db, "find-location", [id, place?.facilityId ?? null, place?.customerId ?? null])`
    select ${columns} from location l join facility f on f.id = l.facility_id
    where l.id = $1 and ($2::int is null or (f.id = $2 and f.customer_id = $3))`;
  return rows[0];
}

/** The same, and no one else changes it until the transaction ends. */
export async function lockLocation(client: PoolClient, id: number, place: Place): Promise<LocationRow | undefined> {
  // Locked first, read after: what a waiting reader saw before would be outdated.
  await prepared(client, "lock-location", [id])`select from location where id = $1 for update`;
  return await findLocation(client, id, place);
}

/** The names of a facility, which stays where it is until the transaction ends. */
export async function holdFacility(client: PoolClient, place: Place): Promise<MoveTarget | undefined> {
  const rows = await prepared<MoveTarget>(client, "hold-facility", [place.facilityId, place.customerId])`select ${placeColumns}
    from facility f join customer c on c.id = f.customer_id where f.id = $1 and f.customer_id = $2 for share of f`;
  return rows[0];
}

type Field = Exclude<keyof LocationForm, "nodeSerialNumber" | "secondaryNodeSerialNumber">;
const fields = Object.keys(without(LocationForm, "nodeSerialNumber", "secondaryNodeSerialNumber").shape) as Field[];
const writable = fields.map((field) => (field === "equipmentStartTimestamp" ? "equipment_start_at" : snakeCase(field)));

/** In the order of `writable`. */
function valuesOf(location: LocationForm): unknown[] {
  const stored: Partial<Record<Field, unknown>> = {
    equipmentStartTimestamp: new Date(location.equipmentStartTimestamp * 1000),
    faultLibraryAlertFlags: JSON.stringify(location.faultLibraryAlertFlags),
    harmonicSignatures: JSON.stringify(toStored(location.harmonicSignatures)),
  };
  return fields.map((field) => stored[field] ?? location[field]);
}

export async function insertLocation(client: PoolClient, facilityId: number, location: LocationForm): Promise<number> {
  const rows = await prepared<{ id: number }>(client, "insert-location", [facilityId, ...valuesOf(location)])`
    insert into location (facility_id, ${writable.join(", ")}) values ($1, ${writable.map((_, index) => `$${index + 2}`).join(", ")}) returning id`;
  const row = rows[0];
  if (!row) throw new Error("a location was inserted without an id");
  return row.id;
}

export async function writeLocation(client: PoolClient, id: number, location: LocationForm): Promise<void> {
  await prepared(client, "write-location", [id, ...valuesOf(location)])`
    update location set ${writable.map((column, index) => `${column} = $${index + 2}`).join(", ")}, revision = revision + 1 where id = $1`;
}

export async function deleteLocationRow(client: PoolClient, id: number): Promise<void> {
  await prepared(client, "delete-location", [id])`delete from location where id = $1`;
}

export async function moveLocationRow(client: PoolClient, id: number, facilityId: number): Promise<void> {
  await prepared(client, "move-location", [id, facilityId])`update location set facility_id = $2, revision = revision + 1 where id = $1`;
}

export async function countNotes(db: Db, id: number): Promise<number> {
  const rows = await prepared<{ count: number }>(db, "count-location-notes", [id])`
    select count(*)::int as count from location_note where location_id = $1`;
  return rows[0]?.count ?? 0;
}
