import type { PoolClient } from "pg";

/** What people decide about an incident. */
export interface IncidentCare {
  owner: string;
  isAcknowledged: boolean;
  revision: number;
}

export async function lockIncident(client: PoolClient, id: number): Promise<IncidentCare | undefined> {
  await client.query("/* lock-incident */ select from incident where id = $1 for no key update", [id]);
  const { rows } = await client.query<IncidentCare>(
    `/* find-incident-care */ select coalesce(u.username, '') as owner, i.acknowledged_at is not null as "isAcknowledged", i.revision
     from incident i left join app_user u on u.id = i.owner_id where i.id = $1`,
    [id],
  );
  return rows[0];
}

/** The id of someone who may look after an incident. */
export async function findOwner(client: PoolClient, username: string): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number }>(
    "/* find-incident-owner */ select id from app_user where username = $1 and is_administrator and not demo_user and active_status = 'ACTIVE' for key share",
    [username],
  );
  return rows[0]?.id;
}

export async function writeOwner(client: PoolClient, id: number, ownerId: number | null): Promise<void> {
  await client.query("/* write-incident-owner */ update incident set owner_id = $2 where id = $1", [id, ownerId]);
}

/** @param by null takes it back */
export async function writeAcknowledgement(client: PoolClient, id: number, by: number | null, now: number): Promise<void> {
  await client.query(
    `/* acknowledge-incident */ update incident set acknowledged_by = $2::int4, acknowledged_at = case when $2::int4 is not null then to_timestamp($3) end where id = $1`,
    [id, by, now],
  );
}

export async function countRevision(client: PoolClient, id: number): Promise<void> {
  await client.query("/* count-incident-revision */ update incident set revision = revision + 1 where id = $1", [id]);
}

export async function countIncidentNotes(client: PoolClient, id: number): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "/* count-incident-notes */ select count(*)::int4 as count from incident_note where incident_id = $1",
    [id],
  );
  return rows[0]?.count ?? 0;
}

export async function insertIncidentNote(client: PoolClient, id: number, authorId: number, note: string, now: number): Promise<void> {
  await client.query(
    "/* insert-incident-note */ insert into incident_note (incident_id, author_id, at, note) values ($1, $2, to_timestamp($3), $4)",
    [id, authorId, now, note],
  );
}
