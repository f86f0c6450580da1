import type { PoolClient } from "pg";
import { planned } from "#db/statement.ts";

/** What people decide about an incident. */
export interface IncidentCare {
  owner: string;
  isAcknowledged: boolean;
  revision: number;
}

export async function lockIncident(client: PoolClient, id: number): Promise<IncidentCare | undefined> {
  await planned(client, "lock-incident", [id])`select from incident where id = $1 for no key update`;
  const rows = await planned<IncidentCare>(client, "find-incident-care", [id])`
    select coalesce(u.username, '') as owner, i.acknowledged_at is not null as "isAcknowledged", i.revision
    from incident i left join app_user u on u.id = i.owner_id where i.id = $1`;
  return rows[0];
}

/** The id of someone who may look after an incident. */
export async function findOwner(client: PoolClient, username: string): Promise<number | undefined> {
  const rows = await planned<{ id: number }>(client, "find-incident-owner", [username])`
    select id from app_user where username = $1 and is_administrator and not demo_user and active_status = 'ACTIVE' for key share`;
  return rows[0]?.id;
}

export async function writeOwner(client: PoolClient, id: number, ownerId: number | null): Promise<void> {
  await planned(client, "write-incident-owner", [id, ownerId])`update incident set owner_id = $2 where id = $1`;
}

/** @param by null takes it back */
export async function writeAcknowledgement(client: PoolClient, id: number, by: number | null, now: number): Promise<void> {
  await planned(client, "acknowledge-incident", [id, by, now])`
    update incident set acknowledged_by = $2::int4, acknowledged_at = case when $2::int4 is not null then to_timestamp($3) end where id = $1`;
}

export async function countRevision(client: PoolClient, id: number): Promise<void> {
  await planned(client, "count-incident-revision", [id])`update incident set revision = revision + 1 where id = $1`;
}

export async function countIncidentNotes(client: PoolClient, id: number): Promise<number> {
  const rows = await planned<{ count: number }>(client, "count-incident-notes", [id])`
    select count(*)::int4 as count from incident_note where incident_id = $1`;
  return rows[0]?.count ?? 0;
}

export async function insertIncidentNote(client: PoolClient, id: number, authorId: number, note: string, now: number): Promise<void> {
  await planned(client, "insert-incident-note", [id, authorId, now, note])`
    insert into incident_note (incident_id, author_id, at, note) values ($1, $2, to_timestamp($3), $4)`;
}
