import type { Pool, PoolClient } from "pg";
import type { HostSessionSnapshot } from "@busbar/sparkplug/session-types.ts";
import { plannedCount, prepared } from "#db/statement.ts";
import type { LiveState, LiveStateRow } from "#features/telemetry/scalars/live-state.ts";
import { readStoredBirth, storedBirth, type StoredBirth } from "./stored-birth.ts";

/** `restart`: the broker that held its connection began anew, and it has not come back. */
export type DisconnectReason = "no-answer" | "restart";

/** A birth or death of a node or sub node. */
export interface ConnectionChange {
  isConnected: boolean;
  endedDevices: readonly LiveState[];
  /** Why it counts as disconnected, when it has not said so itself. */
  reason?: DisconnectReason;
  /** What a birth reported, to go on with after a restart; undefined for a death. */
  birth: { bdSeq: number | undefined; snapshot: HostSessionSnapshot } | undefined;
}

export interface NewNodeActivity {
  serial: number;
  action: "NODE_BIRTH" | "NODE_DEATH" | "NODE_REBIRTH_REQUESTED";
  description: string;
  atMs: number;
}

/** A node as ingest meets it. */
export interface NodeRow extends LiveStateRow {
  /** Its parent when it is a sub node. */
  parentSerial: number | null;
  snapshot: HostSessionSnapshot | undefined;
}

export type RefreshedNode = Pick<NodeRow, "serial" | "parentSerial" | "timezone" | "scalarIntervalSeconds" | "activePower">;
type LoadedNode = Omit<NodeRow, "snapshot"> & {
  isConnected: boolean;
  lastSeq: number | null;
  bdSeq: number;
  metrics: StoredBirth | null;
};

export interface StoredBirthRow {
  serial: number;
  bdSeq: number | undefined;
  bornAtMs: number;
  snapshot: HostSessionSnapshot;
}

const nodeColumns = `n.serial_number as serial, n.parent_serial_number as "parentSerial", l.timezone, n.scalar_interval_seconds as "scalarIntervalSeconds",
  n.mac_address as "macAddress", n.ip_address as "ipAddress", n.node_hardware_version as "nodeHardwareVersion",
  n.vi_module_hardware_version as "viModuleHardwareVersion", n.poe_enabled as "isPoeEnabled",
  array[n.active_pa, n.active_pb, n.active_pc] as "activePower"`;
const nodePlace = "left join node_assignment a on a.serial_number = n.serial_number left join location l on l.id = a.location_id";

export type ConnectivityStore = ReturnType<typeof createConnectivityStore>;

export function createConnectivityStore(pool: Pool) {
  return {
    /** The nodes of these serials with their sub nodes; serials that are no node are left out. */
    async loadNodes(serials: readonly number[]): Promise<NodeRow[]> {
      const rows = await prepared<LoadedNode>(pool, "load-ingest-nodes", [serials])`
        select ${nodeColumns}, (extract(epoch from v.last_scalar_at) * 1000)::float8 as "lastScalarAtMs",
          v.last_scalar_data as "lastScalarData", v.last_scalar_times as "lastScalarTimes",
          v.missing_scalar_day::text as "missingDay", v.missing_scalar_count as "missingCount", v.platform_missed_scalar_count as "platformMissedCount",
          (extract(epoch from v.demand_at) * 1000)::float8 as "demandAtMs", v.demand_kw_seconds as "demandKwSeconds",
          v.demand_covered_seconds as "demandCoveredSeconds", v.is_connected as "isConnected",
          v.last_seq as "lastSeq", b.bd_seq as "bdSeq", b.metrics
        from node n join node_live v using (serial_number) left join node_birth b using (serial_number) ${nodePlace}
        where n.serial_number = any($1::int4[]) or n.parent_serial_number = any($1::int4[])`;
      const connected = new Set(rows.filter(({ isConnected }) => isConnected).map(({ serial }) => String(serial)));
      return rows.map(({ lastSeq, bdSeq, metrics, ...row }) => ({
        ...row,
        snapshot: metrics === null ? undefined : readStoredBirth({ serial: row.serial, connected, lastSeq, bdSeq, metrics }),
      }));
    },

    /** Settings that people may have changed since. */
    async refreshNodes(serials: readonly number[]): Promise<RefreshedNode[]> {
      return await prepared<RefreshedNode>(pool, "refresh-ingest-nodes", [serials])`
        select ${nodeColumns} from node n ${nodePlace} where n.serial_number = any($1::int4[])`;
    },

    /** Inside the caller's transaction. */
    async writeBirths(client: PoolClient, births: readonly StoredBirthRow[]): Promise<void> {
      await prepared(client, "store-births", [
        births.map(({ serial }) => serial),
        births.map(({ bdSeq }) => bdSeq ?? -1),
        births.map(({ bornAtMs }) => bornAtMs),
        births.map(({ snapshot }) => storedBirth(snapshot)),
      ])`
        insert into node_birth as b (serial_number, bd_seq, born_at, metrics)
        select s, q, to_timestamp(t / 1000.0), m from unnest($1::int4[], $2::int4[], $3::float8[], $4::jsonb[]) as u (s, q, t, m) order by s
        on conflict (serial_number) do update set bd_seq = excluded.bd_seq, born_at = excluded.born_at, metrics = excluded.metrics`;
    },

    /** Inside the caller's transaction. */
    async writeActivities(client: PoolClient, activities: readonly NewNodeActivity[]): Promise<void> {
      await prepared(client, "record-node-activities", [
        activities.map(({ atMs }) => atMs),
        activities.map(({ serial }) => String(serial)),
        activities.map(({ action }) => action),
        activities.map(({ description }) => description),
      ])`
        insert into activity (ts, actor_type, actor, action, object, description)
        select to_timestamp(t / 1000.0), 'Node', s, a, s, d from unnest($1::float8[], $2::text[], $3::text[], $4::text[]) as u (t, s, a, d)`;
    },

    /** Edge nodes of these groups that count as connected; a group is the remainder of its serials by 64. */
    async findConnected(remainders: readonly number[]): Promise<number[]> {
      const rows = await prepared<{ serial: number }>(pool, "find-connected-nodes", [remainders])`
        select serial_number as serial from node_live join node n using (serial_number)
        where is_connected and n.parent_serial_number is null and serial_number % 64 = any($1::int4[])`;
      return rows.map(({ serial }) => serial);
    },

    /** All connections ended with the broker that held them. */
    async markAllDisconnected(): Promise<number> {
      return await plannedCount(pool, "mark-all-disconnected")`
        update node_live set is_connected = false, connection_changed_at = now(), disconnect_reason = 'restart',
        changed_xid = pg_current_xact_id() where is_connected`;
    },
  };
}
