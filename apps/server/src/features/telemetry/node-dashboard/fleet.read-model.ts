import { DashboardNode, liveDashboardFields } from "@busbar/contract/telemetry/node-dashboard.ts";
import type { NodeVerdict } from "@busbar/contract/telemetry/node-verdicts.ts";
import type { Pool } from "pg";
import { epochSeconds, exactEpoch } from "#db/epoch-sql.ts";
import { selectList, without } from "#db/select-list.ts";
import { planned, prepared } from "#db/statement.ts";
import { listOfNode, placeOfNode } from "#shared/node-place-sql.ts";
import { timelineSql } from "#db/timeline-sql.ts";
import { createIngestPresenceStore } from "#shared/ingest-presence.store.ts";

/** What seldom changes of a node: its names, place and settings. */
export type DirectoryRow = Omit<DashboardNode, (typeof liveDashboardFields)[number] | "verdict">;

/** What is wrong with a node. */
export interface VerdictRow {
  serialNumber: number;
  verdict: NodeVerdict;
  changedXid: number;
}

/** What telemetry moves. Timestamps are epoch seconds. */
export interface LiveRow {
  serialNumber: number;
  isConnected: boolean;
  hasConnected: boolean;
  lastScalarAt: number | null;
  lastScalarData: string;
  oldestValueAt: number | null;
  lastMeterAt: number | null;
  /** Local day that `missingScalarCount` counts, `yyyy-mm-dd`. */
  missingScalarDay: string | null;
  missingScalarCount: number;
  /** Scalars of the same day that could not come because the platform was away. */
  platformMissedScalarCount: number;
  isSensorOk: boolean | null;
  lastOneSecondFileAt: number | null;
  lastDatafileAt: number | null;
  /** Local day that `missingDatafileCount` counts, and the newest data file, extracted or not. */
  missingDatafileDay: string | null;
  missingDatafileCount: number;
  newestDatafileAt: number | null;
  lastExternalFileAt: number | null;
  eventCount: number;
  changedXid: number;
}

export interface Watermark {
  /** All transactions below have ended: the revision. */
  xid: number;
  /** Null on a read-only replica; numbers of another one say nothing. */
  timeline: string | null;
  /** Epoch seconds by the database's clock. */
  at: number;
  /** Visible transactions at or above the asked one that changed the directory. */
  directoryChanges: number;
}

const directoryColumns = selectList(without(DashboardNode, ...liveDashboardFields, "verdict"), "n", {
  serialNumber: "n.serial_number::text",
  customerCode: "coalesce(c.code, rc.code, '')",
  customerName: "coalesce(c.name, rc.name, n.unassigned_customer)",
  facilityName: "coalesce(f.name, d.facility_name, n.unassigned_facility)",
  locationName: "coalesce(l.name, n.unassigned_location)",
  locationId: "l.id",
  timezone: "l.timezone",
  dataInterval: "n.data_point_interval_seconds",
  scalarInterval: "n.scalar_interval_seconds",
});

export function createFleetReadModel(pool: Pool) {
  return {
    presence: () => createIngestPresenceStore(pool).periods(),

    /** Read before the rows: what is read afterwards is at least as new (decision 0002). */
    async watermark(sinceXid: number): Promise<Watermark> {
      const rows = await prepared<Omit<Watermark, "xid"> & { xid: string }>(pool, "fleet-watermark", [String(sinceXid)])`
        select pg_snapshot_xmin(pg_current_snapshot())::text as xid, ${timelineSql} as timeline, ${exactEpoch("clock_timestamp()")} as "at",
        (select count(*)::int from directory_change where xid >= $1::text::xid8) as "directoryChanges"`;
      const row = rows[0];
      if (!row) throw new Error("The database gave no watermark");
      return { ...row, xid: Number(row.xid) };
    },

    /** Uses the numbers of so many transactions. */
    async skipXids(count: number): Promise<void> {
      for (let skipped = 0; skipped < count; skipped++) await planned(pool, "skip-xid")`select pg_current_xact_id()`;
    },

    async liveRows(sinceXid: number): Promise<LiveRow[]> {
      return await prepared<LiveRow>(pool, "fleet-live-rows", [String(sinceXid)])`
        select serial_number as "serialNumber", is_connected as "isConnected",
          is_connected or connection_changed_at is not null as "hasConnected", ${exactEpoch("last_scalar_at")} as "lastScalarAt",
          last_scalar_data as "lastScalarData", ${exactEpoch("oldest_value_at")} as "oldestValueAt", ${exactEpoch("last_meter_at")} as "lastMeterAt", missing_scalar_day::text as "missingScalarDay",
          missing_scalar_count as "missingScalarCount", platform_missed_scalar_count as "platformMissedScalarCount", is_sensor_ok as "isSensorOk", ${exactEpoch("last_one_second_file_at")} as "lastOneSecondFileAt",
          ${exactEpoch("last_datafile_at")} as "lastDatafileAt", missing_datafile_day::text as "missingDatafileDay", missing_datafile_count as "missingDatafileCount",
          ${exactEpoch("newest_datafile_at")} as "newestDatafileAt",
          ${exactEpoch("last_external_file_at")} as "lastExternalFileAt", event_count as "eventCount", changed_xid::text::float8 as "changedXid"
        from node_live where changed_xid >= $1::text::xid8`;
    },

    async verdicts(sinceXid: number): Promise<VerdictRow[]> {
      const rows = await prepared<NodeVerdict & Omit<VerdictRow, "verdict">>(pool, "fleet-verdicts", [String(sinceXid)])`
        select serial_number as "serialNumber", kind, gravity, sentence, ${epochSeconds("since")} as since, changed_xid::text::float8 as "changedXid"
        from node_verdict where changed_xid >= $1::text::xid8`;
      return rows.map(({ serialNumber, changedXid, ...verdict }) => ({ serialNumber, changedXid, verdict }));
    },

    /** The newest change of the directory that is visible now; read after the rows, it is no older than what they show. */
    async newestDirectoryChange(): Promise<number> {
      // A bare name would sort by the text that is selected: 99 after 100.
      const rows = await prepared<{ xid: string | null }>(pool, "fleet-newest-directory-change")`
        select c.xid::text from directory_change c order by c.xid desc limit 1`;
      return Number(rows[0]?.xid ?? 0);
    },

    async directory(): Promise<DirectoryRow[]> {
      return await prepared<DirectoryRow>(pool, "fleet-directory")`select ${directoryColumns}
        from node n
        ${placeOfNode} ${listOfNode}
        order by n.serial_number`;
    },
  };
}
export type FleetReadModel = ReturnType<typeof createFleetReadModel>;
