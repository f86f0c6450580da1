import type { Pool, PoolClient } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";
import type { PlatformOutage } from "#lib/platform-outages.ts";
import { everySubscriberSql } from "#shared/subscribers-sql.ts";

export interface ReportedFacility {
  facilityId: number;
  facilityName: string;
  customerName: string;
  /** Of its locations with nodes to report of. */
  timezones: string[];
  /** Customers who subscribe. */
  to: string[];
  /** Internal users who subscribe. */
  bcc: string[];
}

// What customers are not notified of has no place in their report either.
const reported = `n.current_deployment_status = 'Deployed' and n.monitor_daily_progress and not n.disable_monitoring and not n.pause_notifications
  and not n.deployment_issue and n.type in ('Node', 'subNode')`;

/** Facilities with nodes to report of. */
export async function findReportedFacilities(pool: Pool): Promise<ReportedFacility[]> {
  return await prepared<ReportedFacility>(pool, "reported-facilities")`
    select f.id as "facilityId", f.name as "facilityName", c.name as "customerName", z.timezones,
      ${everySubscriberSql("receive_daily_report", false)} as "to", ${everySubscriberSql("receive_daily_report", true)} as bcc
    from (select l.facility_id, array_agg(distinct l.timezone) as timezones
      from node n join node_assignment a using (serial_number) join location l on l.id = a.location_id where ${reported} group by l.facility_id) z
    join facility f on f.id = z.facility_id join customer c on c.id = f.customer_id order by f.id`;
}

export interface ReportedNode {
  serialNumber: number;
  locationName: string;
  timezone: string;
  intervalSeconds: number;
  /** Epoch seconds. */
  deployedAt: number;
}

/** By location, its primary node first. */
export async function findReportedNodes(client: PoolClient, facilityId: number): Promise<ReportedNode[]> {
  return await prepared<ReportedNode>(client, "reported-nodes", [facilityId])`
    select n.serial_number as "serialNumber", l.name as "locationName", l.timezone, n.data_point_interval_seconds as "intervalSeconds",
      ${exactEpoch("n.current_deployment_status_updated_at")} as "deployedAt"
    from location l join node_assignment a on a.location_id = l.id join node n using (serial_number)
    where l.facility_id = $1 and ${reported} order by lower(l.name), l.id, a.slot`;
}

/** A node's local day. Null where nothing was measured. */
export interface DayFigures {
  serialNumber: number;
  records: number;
  runningSeconds: number | null;
  kwh: number | null;
  averageCurrent: number | null;
  peakCurrent: number | null;
  averageKw: number | null;
  peakKw: number | null;
  events: number;
  alarms: number;
  connectionLosses: number;
}

export interface NodeDay {
  serialNumber: number;
  date: string;
  start: number;
  end: number;
}

/** @param outages connections that ended in them are no losses of a node */
export async function readDayFigures(
  client: PoolClient,
  days: readonly NodeDay[],
  outages: readonly PlatformOutage[],
): Promise<Map<number, DayFigures>> {
  const within = (column: string) => `${column} >= to_timestamp(w.start) and ${column} < to_timestamp(w.stop)`;
  const rows = await prepared<DayFigures>(client, "day-figures", [
    days.map(({ serialNumber }) => serialNumber),
    days.map(({ date }) => date),
    days.map(({ start }) => start),
    days.map(({ end }) => end),
    outages.map(({ start }) => start),
    outages.map(({ end }) => end),
  ])`
    select w.serial as "serialNumber", r.records, r.running as "runningSeconds",
      coalesce(r.kwh, d.average_kw * d.covered_seconds / 3600) as kwh, r.average_current as "averageCurrent", r.peak_current as "peakCurrent",
      coalesce(d.average_kw, r.average_kw) as "averageKw", coalesce(d.peak_kw, r.peak_kw) as "peakKw",
      e.count as events, a.count as alarms, c.count as "connectionLosses"
    from unnest($1::int4[], $2::date[], $3::float8[], $4::float8[]) as w (serial, day, start, stop)
    cross join lateral (select count(*)::int4 as records, sum(running_seconds)::float8 as running, sum(kwh) as kwh, avg(current_avg)::float8 as average_current,
        max(coalesce(case jsonb_typeof(data->'currentMax') when 'number' then (data->>'currentMax')::float8 end, current_avg)) as peak_current, avg(power_kw_avg)::float8 as average_kw, max(power_kw_avg)::float8 as peak_kw
      from sensor_data where serial_number = w.serial and ${within("ts")}) r
    left join node_demand_day d on d.serial_number = w.serial and d.day = w.day
    cross join lateral (select count(*)::int4 from node_event where serial_number = w.serial and ${within("ts")}) e
    cross join lateral (select count(*)::int4 from alarm where serial_number = w.serial and ${within("raised_at")}) a
    cross join lateral (select count(*)::int4 from activity where actor = w.serial::text and action = 'NODE_DEATH' and ${within("ts")}
      and not exists (select from unnest($5::float8[], $6::float8[]) o (start, stop) where ts between to_timestamp(o.start) and to_timestamp(o.stop))) c`;
  return new Map(rows.map((row) => [row.serialNumber, row]));
}
