import type { Pool } from "pg";
import { timelineSql } from "#db/timeline-sql.ts";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";
import { createIngestPresenceStore } from "#shared/ingest-presence.store.ts";

/** What seldom changes of a node and bears on its verdict. */
export interface SettingsRow {
  serial: number;
  type: string;
  timezone: string | null;
  facilityId: number | null;
  parentSerial: number | null;
  status: string;
  nextStatus: string;
  isMonitored: boolean;
  isPaused: boolean;
  isConnectivityPaused: boolean;
  /** Epoch seconds. */
  mutedUntil: number | null;
  scalarIntervalSeconds: number;
  dataIntervalSeconds: number;
}

/** What telemetry moves. Times are epoch seconds. */
export interface LiveSignalsRow {
  serial: number;
  isConnected: boolean;
  connectionChangedAt: number | null;
  endReason: string | null;
  lastScalarAt: number | null;
  oldestValueAt: number | null;
  lastMeterAt: number | null;
  clockAheadSeconds: number | null;
  isSensorOk: boolean | null;
  lastDataFileAt: number | null;
  lastSecondFileAt: number | null;
}

export interface CountedRow {
  serial: number;
  reason: string;
  count: number;
  lastAt: number;
}

export interface FailedFilesRow {
  serial: number;
  count: number;
  since: number;
  reason: string;
}

export interface ConfirmedValueRow {
  serial: number;
  key: string;
  confirmed: string;
  actual: string;
}

/** Of one node more ends in a day are not counted apart. */
const mostDrops = 200;
/** Files that failed in a day are counted among so many of the newest. */
const mostFailedFiles = 20_000;

/** SQL: until when the objects of a kind are muted; what is over is left out a day later. */
const mutesBy = (alias: string, column: string): string =>
  `left join (select ${column}, max(until_at) as until_at from mute where ${column} is not null and until_at > now() - interval '1 day' group by 1) ${alias}`;

interface SignalsWatermark {
  xid: number;
  /** Numbers of another one say nothing. */
  timeline: string | null;
  directoryChanges: number;
}

/** Reads what nodes are judged by: everything, or what changed since. */
export function createNodeSignalsStore(pool: Pool) {
  const read = async <Row extends object>(name: string, text: string, values: unknown[] = []): Promise<Row[]> =>
    await prepared<Row>(pool, name, values)`${text}`;

  return {
    presence: () => createIngestPresenceStore(pool).periods(),

    /** Read before the rows: what is read afterwards is at least as new (decision 0002). */
    async watermark(sinceXid: number): Promise<SignalsWatermark> {
      const [row] = await read<SignalsWatermark>(
        "verdict-watermark",
        `select pg_snapshot_xmin(pg_current_snapshot())::text::float8 as xid, ${timelineSql} as timeline,
           (select count(*)::int from directory_change where xid >= $1::text::xid8) as "directoryChanges"`,
        [String(sinceXid)],
      );
      if (!row) throw new Error("The database gave no watermark");
      return row;
    },

    settings: () =>
      read<SettingsRow>(
        "verdict-settings",
        `select n.serial_number as serial, n.type, l.timezone, l.facility_id as "facilityId", n.parent_serial_number as "parentSerial",
           n.current_deployment_status as status, n.new_deployment_status as "nextStatus", not n.disable_monitoring as "isMonitored",
           n.pause_notifications as "isPaused", n.pause_connectivity_notifications as "isConnectivityPaused",
           ${exactEpoch("greatest(mn.until_at, ml.until_at, mf.until_at)")} as "mutedUntil",
           n.scalar_interval_seconds as "scalarIntervalSeconds", n.data_point_interval_seconds as "dataIntervalSeconds"
         from node n left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
           ${mutesBy("mn", "serial_number")} on mn.serial_number = n.serial_number
           ${mutesBy("ml", "location_id")} on ml.location_id = l.id
           ${mutesBy("mf", "facility_id")} on mf.facility_id = l.facility_id`,
      ),

    live: (sinceXid: number) =>
      read<LiveSignalsRow>(
        "verdict-live",
        `select serial_number as serial, is_connected as "isConnected", ${exactEpoch("connection_changed_at")} as "connectionChangedAt",
           disconnect_reason as "endReason", ${exactEpoch("last_scalar_at")} as "lastScalarAt", ${exactEpoch("oldest_value_at")} as "oldestValueAt",
           ${exactEpoch("last_meter_at")} as "lastMeterAt", clock_skew_ms / 1000 as "clockAheadSeconds", is_sensor_ok as "isSensorOk",
           ${exactEpoch("newest_datafile_at")} as "lastDataFileAt", ${exactEpoch("last_one_second_file_at")} as "lastSecondFileAt"
         from node_live where changed_xid >= $1::text::xid8`,
        [String(sinceXid)],
      ),

    /** When connections ended since a moment, oldest first. */
    drops: (since: number) =>
      read<{ serial: number; times: number[] }>(
        "verdict-drops",
        `select actor::int4 as serial, (array_agg(${exactEpoch("ts")} order by ts desc))[1:${mostDrops}] as times from activity
         where action = 'NODE_DEATH' and actor_type = 'Node' and ts > to_timestamp($1) group by actor`,
        [since],
      ),

    /** A new one, or one that ended, changes it. */
    async alarmsMark(): Promise<string> {
      const [row] = await read<{ mark: string }>(
        "verdict-alarms-mark",
        "select count(*) || ' ' || coalesce(max(id), 0) || ' ' || coalesce(sum(id), 0) as mark from alarm where cleared_at is null",
      );
      return row?.mark ?? "";
    },
    alarms: () =>
      read<{ serial: number; kind: string; raisedAt: number }>(
        "verdict-alarms",
        `select serial_number as serial, kind, ${exactEpoch("raised_at")} as "raisedAt" from alarm where cleared_at is null order by raised_at, id`,
      ),

    quarantine: (since: number) =>
      read<CountedRow>(
        "verdict-quarantine",
        `select serial_number as serial, reason, count::float8 as count, ${exactEpoch("last_at")} as "lastAt" from quarantine where last_at > to_timestamp($1)`,
        [since],
      ),

    refusals: (since: number) =>
      read<CountedRow>(
        "verdict-refusals",
        `select serial_number as serial, reason, count::float8 as count, ${exactEpoch("last_at")} as "lastAt" from node_refusal where last_at > to_timestamp($1)`,
        [since],
      ),

    failedFiles: (since: number) =>
      read<FailedFilesRow>(
        "verdict-failed-files",
        `select serial_number as serial, count(*)::float8 as count, ${exactEpoch("min(extracted_at)")} as since,
           (array_agg(coalesce(failed_reason, '') order by extracted_at desc, file_name desc))[1] as reason
         from (select serial_number, extracted_at, file_name, failed_reason from data_file where processed = false and extracted_at > to_timestamp($1)
           order by extracted_at desc limit ${mostFailedFiles}) f group by serial_number`,
        [since],
      ),

    /** Of nodes that reported their configuration since: values that differ by their spelling from what they last confirmed. */
    changedConfigurations: (since: number) =>
      read<{ serial: number; values: Omit<ConfirmedValueRow, "serial">[] | null }>(
        "verdict-configurations",
        `select c.serial_number as serial, d.values from node_config c cross join lateral (
           select jsonb_agg(jsonb_build_object('key', key, 'confirmed', new_value, 'actual', config_values ->> key) order by key) as values from (
             select distinct on (key) key, new_value from audit_log
             where serial_number = c.serial_number and result in ('confirmed', 'unchanged') order by key, id desc) a
           where c.config_values ? key and c.config_values ->> key <> new_value) d
         where c.told_at > to_timestamp($1)`,
        [since],
      ),
  };
}
export type NodeSignalsStore = ReturnType<typeof createNodeSignalsStore>;
