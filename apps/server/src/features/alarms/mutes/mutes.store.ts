import { Mute, mostMutes, mostPauses, type MutedKind, type NewMute, type Pause } from "@busbar/contract/alarms/mutes.ts";
import type { Pool, PoolClient } from "pg";
import { epochSeconds } from "#db/epoch-sql.ts";
import { selectList } from "#db/select-list.ts";
import { planned, prepared, type Db } from "#db/statement.ts";

/** What is muted, as a sentence names it, and its column of the table. */
const objects: Record<MutedKind, { column: string; table: string; key: string; title: string }> = {
  node: { column: "serial_number", table: "node", key: "serial_number", title: "serial_number::text" },
  location: { column: "location_id", table: "location", key: "id", title: "name" },
  facility: { column: "facility_id", table: "facility", key: "id", title: "name" },
};

/** Its name, and no one else mutes it until the transaction ends; undefined where there is no such object. */
export async function lockMuted(client: PoolClient, kind: MutedKind, id: number): Promise<string | undefined> {
  const { table, key, title } = objects[kind];
  const rows = await planned<{ title: string }>(client, `lock-muted-${kind}`, [id])`
    select ${title} as title from ${table} where ${key} = $1 for no key update`;
  return rows[0]?.title;
}

const nodesOf = `select count(*)::int4 from node_assignment x join location y on y.id = x.location_id
  where y.id = m.location_id or y.facility_id = m.facility_id`;
const columns = selectList(Mute, "m", {
  kind: "case when m.serial_number is not null then 'node' when m.location_id is not null then 'location' else 'facility' end",
  objectId: "coalesce(m.serial_number, m.location_id, m.facility_id)",
  customerName: "coalesce(c.name, '')",
  facilityName: "coalesce(f.name, '')",
  locationName: "coalesce(l.name, '')",
  timezone: "coalesce(l.timezone, (select min(timezone) from location where facility_id = f.id having count(distinct timezone) = 1))",
  nodeCount: `case when m.serial_number is not null then 1 else (${nodesOf}) end`,
  username: "coalesce(u.username, m.username)",
  fromTimestamp: epochSeconds("m.from_at"),
  untilTimestamp: epochSeconds("m.until_at"),
});
const source = `mute m left join node_assignment a on a.serial_number = m.serial_number
  left join location l on l.id = coalesce(m.location_id, a.location_id) left join facility f on f.id = coalesce(m.facility_id, l.facility_id)
  left join customer c on c.id = f.customer_id left join app_user u on u.id = m.user_id`;

/** Those that are in force at a moment, the first to end first; at most so many. */
export async function findMutes(db: Db, now: number): Promise<Mute[]> {
  return await prepared<Mute>(db, "list-mutes", [now])`
    select ${columns} from ${source} where m.from_at <= to_timestamp($1) and m.until_at > to_timestamp($1) order by m.until_at, m.id limit ${mostMutes}`;
}

/** One that is in force; it stays as it is until the transaction ends. */
export async function lockMute(client: PoolClient, id: number, now: number): Promise<Mute | undefined> {
  await planned(client, "lock-mute", [id])`select from mute where id = $1 for update`;
  const rows = await planned<Mute>(client, "find-mute", [id, now])`
    select ${columns} from ${source} where m.id = $1 and m.until_at > to_timestamp($2)`;
  return rows[0];
}

/** The mute of the object itself that is in force. */
export async function findMuteOf(client: PoolClient, kind: MutedKind, id: number, now: number): Promise<Mute | undefined> {
  const rows = await planned<Mute>(client, `find-mute-of-${kind}`, [id, now])`
    select ${columns} from ${source} where m.${objects[kind].column} = $1 and m.until_at > to_timestamp($2)`;
  return rows[0];
}

export async function insertMute(
  client: PoolClient,
  { kind, objectId, reason, untilTimestamp }: NewMute,
  by: { userId: number; username: string; now: number },
): Promise<void> {
  await planned(client, "insert-mute", [objectId, reason, by.userId, by.username, by.now, untilTimestamp])`
    insert into mute (${objects[kind].column}, reason, user_id, username, from_at, until_at)
    values ($1, $2, $3, $4, to_timestamp($5), to_timestamp($6))`;
}

export async function writeMuteEnd(client: PoolClient, id: number, now: number): Promise<void> {
  await planned(client, "end-mute", [id, now])`update mute set until_at = to_timestamp($2) where id = $1`;
}

const paused =
  "(n.disable_monitoring or n.pause_notifications or n.pause_connectivity_notifications) and n.current_deployment_status <> 'Decommissioned'";

/** Nodes with a switch that no time takes back, the first of them by serial number. */
export async function findPauses(pool: Pool): Promise<{ total: number; nodes: Pause[] }> {
  const rows = await prepared<Pause & { total: number }>(pool, "list-pauses")`
    select n.serial_number::text as "serialNumber", coalesce(c.name, '') as "customerName", coalesce(f.name, '') as "facilityName",
      coalesce(l.name, '') as "locationName", n.disable_monitoring as "disableMonitoring", n.pause_notifications as "pauseNotifications",
      n.pause_connectivity_notifications as "pauseConnectivityNotifications",
      n.pause_connectivity_notifications_reason as "pauseConnectivityNotificationsReason",
      n.pause_connectivity_notifications_url as "pauseConnectivityNotificationsUrl", count(*) over ()::int4 as total
    from node n left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
    left join facility f on f.id = l.facility_id left join customer c on c.id = f.customer_id
    where ${paused} order by n.serial_number limit ${mostPauses}`;
  return { total: rows[0]?.total ?? 0, nodes: rows.map(({ total: _total, ...pause }) => pause) };
}
