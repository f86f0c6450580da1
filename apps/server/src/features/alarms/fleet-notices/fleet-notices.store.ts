import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { planned } from "#db/statement.ts";
import { muteReasonSql } from "#shared/mutes-sql.ts";
import { subscribersSql } from "#shared/subscribers-sql.ts";

/** A node with its place, as a message names it. Times in epoch seconds. */
export interface NodePlace {
  serialNumber: number;
  facilityId: number;
  facilityName: string;
  customerName: string;
  locationName: string;
  timezone: string;
}

export interface ChangedConnection extends NodePlace {
  at: number;
  /** Why it counts as disconnected, when it has not said so itself. */
  disconnectReason: string | null;
  /** Why no one is to hear of it now: a pause, or a mute, with its reason; null where people are. */
  heldReason: string | null;
  deploymentIssue: boolean;
}

export interface FacilityRecipients {
  to: string[];
  bcc: string[];
}

const place = `n.serial_number as "serialNumber", f.id as "facilityId", f.name as "facilityName", c.name as "customerName",
  l.name as "locationName", l.timezone`;
const placed = `node n join node_live v using (serial_number) join node_assignment a using (serial_number) join location l on l.id = a.location_id
  join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id`;
const watched = "n.current_deployment_status = 'Deployed' and not n.disable_monitoring and n.type in ('Node', 'subNode')";
const heldReason = `case when n.pause_connectivity_notifications then 'Paused: ' || coalesce(nullif(n.pause_connectivity_notifications_reason, ''), 'no reason given')
  else 'Muted: ' || ${muteReasonSql("to_timestamp($2)")} end`;
const change = `${heldReason} as "heldReason",
  n.deployment_issue as "deploymentIssue", v.disconnect_reason as "disconnectReason"`;

/**
 * Nodes that lost their connection and were not reported, or only while they were paused. Once one of a facility is away for the whole time, all that are away go with
 * it: a facility's outage is one message. After a restart the whole fleet is away for a moment, which no statistics know: the facilities
 * are found once and not for each node.
 */
export async function findLostConnections(pool: Pool, awaySince: number, now: number): Promise<ChangedConnection[]> {
  return await planned<ChangedConnection>(pool, "lost-connections", [awaySince, now])`with lost as (
      select ${place}, ${change}, ${exactEpoch("v.connection_changed_at")} as at, reported.is_held from ${placed}
      left join connection_loss reported on reported.serial_number = n.serial_number
      where not v.is_connected and v.connection_changed_at is not null and ${watched}
        and (reported.serial_number is null or reported.is_held)),
    due as (select * from lost where is_held is null or "heldReason" is null),
    overdue as materialized (select distinct "facilityId" from due where at <= $1)
    select due.* from due join overdue using ("facilityId") order by "facilityId", "serialNumber"`;
}

export interface RestoredConnection extends ChangedConnection {
  /** No one heard of the loss. */
  isHeld: boolean;
}

/** Nodes with a loss that have been connected for the whole time. */
export async function findRestoredConnections(pool: Pool, backSince: number, now: number): Promise<RestoredConnection[]> {
  return await planned<RestoredConnection>(pool, "restored-connections", [backSince, now])`
    select ${place}, ${change}, reported.is_held as "isHeld", ${exactEpoch("v.connection_changed_at")} as at
    from ${placed} join connection_loss reported using (serial_number)
    where v.is_connected and v.connection_changed_at <= to_timestamp($1) order by f.id, n.serial_number`;
}

export async function findRecipients(client: PoolClient, facilityId: number): Promise<FacilityRecipients> {
  const rows = await planned<FacilityRecipients>(client, "connectivity-recipients", [facilityId])`
    select ${subscribersSql("receive_connectivity_notifications", false)} as "to",
    ${subscribersSql("receive_connectivity_notifications", true)} as bcc from facility f where f.id = $1`;
  return rows[0] ?? { to: [], bcc: [] };
}

export async function markLossReported(client: PoolClient, lost: readonly ChangedConnection[], now: number): Promise<void> {
  await planned(client, "mark-loss-reported", [
    lost.map(({ serialNumber }) => serialNumber),
    lost.map(({ at }) => at),
    lost.map(({ heldReason: reason }) => reason !== null),
    now,
  ])`
    insert into connection_loss (serial_number, lost_at, told_at, is_held)
    select serial, to_timestamp(at), to_timestamp($4), held from unnest($1::int4[], $2::float8[], $3::boolean[]) as u (serial, at, held)
    on conflict (serial_number) do update set told_at = excluded.told_at, is_held = excluded.is_held`;
}

export async function forgetLosses(client: PoolClient, serials: readonly number[]): Promise<void> {
  await planned(client, "forget-losses", [serials])`delete from connection_loss where serial_number = any ($1::int4[])`;
}

/** Losses of nodes that no one watches any more are forgotten without a message. */
export async function forgetUnwatchedLosses(pool: Pool): Promise<void> {
  await planned(pool, "forget-unwatched-losses")`delete from connection_loss reported where not exists (
    select from ${placed} where n.serial_number = reported.serial_number and ${watched})`;
}

export interface WaitedFor extends Omit<NodePlace, "facilityId" | "facilityName" | "customerName" | "locationName" | "timezone"> {
  locationName: string | null;
  facilityName: string | null;
}

const maybePlaced = `node n join node_live v using (serial_number) left join node_assignment a using (serial_number)
  left join location l on l.id = a.location_id left join facility f on f.id = l.facility_id`;
const maybePlace = `n.serial_number as "serialNumber", l.name as "locationName", f.name as "facilityName"`;

/** Connected nodes that someone may be waiting for. */
export async function findAwaitingNodes(pool: Pool): Promise<number[]> {
  const rows = await planned<{ serial: number }>(pool, "awaiting-nodes")`
    select n.serial_number as serial from node n join node_live v using (serial_number)
    where (n.notify_on_connect or n.notify_on_current_above_noise) and v.is_connected order by 1`;
  return rows.map(({ serial }) => serial);
}

/** Those of the nodes that are connected and that someone waits for; the request is deleted with it, so that it is reported once. */
export async function takeAwaitedConnections(client: PoolClient, serials: readonly number[]): Promise<WaitedFor[]> {
  return await planned<WaitedFor>(client, "take-awaited-connections", [serials])`with met as (
      select ${maybePlace} from ${maybePlaced} where n.serial_number = any ($1::int4[]) and n.notify_on_connect and v.is_connected order by n.serial_number for update of n skip locked),
    taken as (update node set notify_on_connect = false where serial_number in (select "serialNumber" from met))
    select * from met`;
}

/** Those of them with a current above their noise that someone waits for; likewise reported once. */
export async function takeAwaitedCurrents(client: PoolClient, serials: readonly number[]): Promise<WaitedFor[]> {
  return await planned<WaitedFor>(client, "take-awaited-currents", [serials])`with met as (
      select ${maybePlace} from ${maybePlaced} left join node_config k using (serial_number)
      cross join lateral (select current1, current2, current3 from scalar s where s.serial_number = n.serial_number
        and s.ts >= v.last_scalar_at - interval '1 second' order by ts desc limit 1) s
      where n.serial_number = any ($1::int4[]) and n.notify_on_current_above_noise and v.is_connected and (s.current1 + s.current2 + s.current3) / 3
        > coalesce(case when k.config_values ->> 'i_noise' ~ '^\\d{1,6}(\\.\\d{1,6})?$' then (k.config_values ->> 'i_noise')::float8 end, 1)
      order by n.serial_number for update of n skip locked),
    taken as (update node set notify_on_current_above_noise = false where serial_number in (select "serialNumber" from met))
    select * from met`;
}

export interface MissedData extends NodePlace {
  /** Of the last data file, or since when one is due; epoch seconds. */
  lastAt: number;
  hasFile: boolean;
}

/** SYS-07: deployed nodes without a data file since then, where the location wants to hear of it and has not heard of it yet. */
export async function findMissedData(pool: Pool, before: number, now: number): Promise<MissedData[]> {
  return await planned<MissedData>(pool, "missed-data", [before, now])`
    select ${place}, v.last_datafile_at is not null as "hasFile", ${exactEpoch("last.at")} as "lastAt"
    from ${placed} cross join lateral (select greatest(v.last_datafile_at, n.current_deployment_status_updated_at) as at) last
    where ${watched} and n.monitor_missing_data and l.notify_missed_data and last.at < to_timestamp($1) and ${muteReasonSql("to_timestamp($2)")} is null
      and not exists (select from notice_told t where t.kind = 'MISSED_DATA' and t.object_id = n.serial_number and t.period = last.at)
    order by f.id, n.serial_number`;
}

export interface DriftingClock extends NodePlace {
  skewMs: number;
}

export async function findDriftingClocks(pool: Pool, limitMs: number, now: number): Promise<DriftingClock[]> {
  return await planned<DriftingClock>(pool, "drifting-clocks", [limitMs, now])`
    select ${place}, v.clock_skew_ms as "skewMs" from ${placed}
    where ${watched} and v.is_connected and abs(v.clock_skew_ms) > $1 and ${muteReasonSql("to_timestamp($2)")} is null order by n.serial_number`;
}
