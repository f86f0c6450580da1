import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { planned, prepared } from "#db/statement.ts";
import { muteReasonSql } from "#shared/mutes-sql.ts";

/** What is wrong with a node's data points. */
export interface FoundAlert {
  serialNumber: number;
  kind: "late" | "incomplete" | "implausible" | "deadChannel";
  /** Epoch seconds. */
  at: number;
  detail: string;
}

const watched = `n.current_deployment_status = 'Deployed' and not n.disable_monitoring and n.monitor_data_point_alerts and n.type in ('Node', 'subNode')`;

/** Of the nodes whose data points are watched, those alerts that were not there; in the caller's transaction. */
export async function raiseAlerts(client: PoolClient, found: readonly FoundAlert[]): Promise<FoundAlert[]> {
  return await prepared<FoundAlert>(client, "raise-data-point-alerts", [
    found.map(({ serialNumber }) => serialNumber),
    found.map(({ kind }) => kind),
    found.map(({ at }) => at),
    found.map(({ detail }) => detail),
  ])`
    insert into data_point_alert (serial_number, kind, raised_at, detail)
    select u.serial, u.kind, to_timestamp(u.at), u.detail from unnest($1::int4[], $2::text[], $3::float8[], $4::text[]) as u (serial, kind, at, detail)
    join node n on n.serial_number = u.serial where ${watched}
    order by u.serial, u.kind on conflict do nothing
    returning serial_number as "serialNumber", kind, ${exactEpoch("raised_at")} as at, detail`;
}

/** What these data points no longer show is over. */
export async function clearAlerts(
  client: PoolClient,
  reviewed: readonly { serialNumber: number; kinds: readonly string[] }[],
): Promise<void> {
  await prepared(client, "clear-data-point-alerts", [
    JSON.stringify(reviewed.map(({ serialNumber, kinds }) => ({ serial: serialNumber, kinds }))),
  ])`
    delete from data_point_alert a using jsonb_to_recordset($1) as u (serial integer, kinds jsonb)
    where a.serial_number = u.serial and a.kind <> 'late' and not u.kinds ? a.kind`;
}

/** Intervals of silence after which a connected node's data points are late, and those of the interval itself. */
const lateIntervals = 3;
const due = `greatest(v.last_datafile_at + n.data_point_interval_seconds * interval '1 second', n.current_deployment_status_updated_at)`;
const lateAfter = `n.data_point_interval_seconds * interval '${lateIntervals} seconds'`;

/** Watched nodes whose connection is up and whose data points stay away. */
export async function findLate(pool: Pool, now: number): Promise<FoundAlert[]> {
  const rows = await planned<{ serialNumber: number; lastAt: number }>(pool, "late-data-points", [now])`
    select n.serial_number as "serialNumber", ${exactEpoch(due)} as "lastAt"
    from node n join node_live v using (serial_number) left join data_point_alert a on a.serial_number = n.serial_number and a.kind = 'late'
    where ${watched} and a.kind is null and v.is_connected and v.connection_changed_at < to_timestamp($1) - ${lateAfter}
      and ${due} < to_timestamp($1) - ${lateAfter} order by n.serial_number`;
  return rows.map(({ serialNumber, lastAt }) => ({
    serialNumber,
    kind: "late",
    at: lastAt,
    detail: "the node is connected and no data point comes",
  }));
}

/** Alerts of nodes that no one watches any more, and lateness that is over. */
export async function forgetAlerts(pool: Pool, now: number): Promise<void> {
  await planned(pool, "forget-data-point-alerts", [now])`delete from data_point_alert a using node n join node_live v using (serial_number)
    where n.serial_number = a.serial_number and (not (${watched}) or (a.kind = 'late' and not ${due} < to_timestamp($1) - ${lateAfter}))`;
}

export interface AlertPlace {
  serialNumber: number;
  locationName: string | null;
  facilityName: string | null;
  timezone: string;
  /** Why no one is to hear of it now; null where people are. */
  heldReason: string | null;
}

export async function findAlertPlaces(client: PoolClient, serials: readonly number[], now: number): Promise<Map<number, AlertPlace>> {
  const rows = await planned<AlertPlace>(client, "data-point-alert-places", [serials, now])`
    select n.serial_number as "serialNumber", l.name as "locationName", f.name as "facilityName",
      coalesce(l.timezone, 'UTC') as timezone, case when n.pause_notifications then 'Paused: notifications of this node are paused'
        else 'Muted: ' || ${muteReasonSql("to_timestamp($2)")} end as "heldReason"
    from node n left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
    left join facility f on f.id = l.facility_id where n.serial_number = any ($1::int4[])`;
  return new Map(rows.map((row) => [row.serialNumber, row]));
}
