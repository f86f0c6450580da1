import type { PoolClient } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { prepared, type Db } from "#db/statement.ts";
import type { LocationNoteForm } from "@busbar/contract/directory/location-notes.ts";
import type { LocationNoteRow } from "./location-notes.view.ts";

export interface NotedLocation {
  name: string;
  timezone: string;
}

/** The location, which stays until the transaction ends when the connection is in one. */
export async function holdLocation(db: Db, id: number): Promise<NotedLocation | undefined> {
  const rows = await prepared<NotedLocation>(db, "hold-noted-location", [id])`
    select name, timezone from location where id = $1 for key share`;
  return rows[0];
}

const columns = `n.id, ${epochSeconds("n.ts")} as ts, n.note, n.details, n.author_user_id, ${epochSeconds("n.updated_at")} as updated_at,
  u.first_name, u.last_name, n.is_archived, n.show_in_voltage_plot, n.show_in_current_plot, n.show_in_accumulated_amp_hours_plot, n.revision`;
const source = "location_note n left join app_user u on u.id = n.updated_by";

/** NOT-03 */
export async function findNotes(db: Db, locationId: number, { withArchived }: { withArchived: boolean }): Promise<LocationNoteRow[]> {
  return await prepared<LocationNoteRow>(db, "find-location-notes", [locationId, withArchived])`
    select ${columns} from ${source} where n.location_id = $1 and ($2 or not n.is_archived)
    order by n.is_archived, n.ts desc, n.id desc`;
}

export async function findNote(db: Db, locationId: number, id: number): Promise<LocationNoteRow | undefined> {
  const rows = await prepared<LocationNoteRow>(db, "find-location-note", [locationId, id])`
    select ${columns} from ${source} where n.location_id = $1 and n.id = $2`;
  return rows[0];
}

export async function lockNote(client: PoolClient, locationId: number, id: number): Promise<LocationNoteRow | undefined> {
  await prepared(client, "lock-location-note", [locationId, id])`select from location_note where location_id = $1 and id = $2 for update`;
  return await findNote(client, locationId, id);
}

const valuesOf = (note: LocationNoteForm) => [
  new Date(note.timestamp * 1000),
  note.note,
  note.details,
  note.showInVoltagePlot,
  note.showInCurrentPlot,
  note.showInAccumulatedAmpHoursPlot,
];

export async function insertNote(client: PoolClient, locationId: number, userId: number, note: LocationNoteForm): Promise<number> {
  const rows = await prepared<{ id: number }>(client, "insert-location-note", [locationId, userId, ...valuesOf(note)])`
    insert into location_note (location_id, author_user_id, updated_by, ts, note, details, show_in_voltage_plot, show_in_current_plot,
    show_in_accumulated_amp_hours_plot) values ($1, $2, $2, $3, $4, $5, $6, $7, $8) returning id`;
  const row = rows[0];
  if (!row) throw new Error("a note was inserted without an id");
  return row.id;
}

export async function writeNote(client: PoolClient, id: number, userId: number, note: LocationNoteForm): Promise<void> {
  await prepared(client, "write-location-note", [id, userId, ...valuesOf(note)])`
    update location_note set updated_by = $2, updated_at = now(), ts = $3, note = $4, details = $5, show_in_voltage_plot = $6,
    show_in_current_plot = $7, show_in_accumulated_amp_hours_plot = $8, revision = revision + 1 where id = $1`;
}

export async function writeArchived(client: PoolClient, id: number, userId: number, isArchived: boolean): Promise<void> {
  await prepared(client, "archive-location-note", [id, userId, isArchived])`
    update location_note set is_archived = $3, updated_by = $2, updated_at = now(), revision = revision + 1 where id = $1`;
}
