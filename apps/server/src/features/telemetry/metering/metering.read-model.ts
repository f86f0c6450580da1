import type { Pool } from "pg";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared } from "#db/statement.ts";
import { dailyFigureDays, type DemandBlock, type CompleteDay } from "@busbar/metering/demand.ts";
import type { ActivePhases } from "@busbar/metering/phases.ts";
import { nameplateOf } from "#shared/nameplate-sql.ts";

/** What seldom changes of a location. */
export interface MeteredLocation {
  id: number;
  name: string;
  siteName: string;
  facilityName: string;
  equipmentType: string;
  timezone: string;
  npHp: number | null;
  primary: MeteredNode | null;
  secondary: MeteredNode | null;
}

export interface MeteredNode {
  serial: number;
  type: string;
  scalarInterval: number;
  activeVoltages: ActivePhases;
  activeCurrents: ActivePhases;
  activePowers: ActivePhases;
  npCurrent: number | null;
  npVoltage: number | null;
  /** As the node last reported it. */
  iNoise: string | null;
  /** Percent above and below the nameplate. */
  overVoltage: number;
  underVoltage: number;
  overCurrent: number;
}

/** What a node last reported. Times are epoch seconds. */
export interface MeterRow {
  serial: number;
  type: string;
  isConnected: boolean;
  connectionChangedAt: number | null;
  clearedAt: number | null;
  clearedScalarAt: number | null;
  lastScalarAt: number | null;
  lastScalarData: string;
  lastScalarTimes: string;
  meteredAt: number | null;
  kw: number | null;
  kva: number | null;
  kvar: number | null;
  powerFactor: number | null;
  runningSeconds: number | null;
  ampHours: number | null;
  kilowattHours: number | null;
  kilovarHours: number | null;
  fieldVoltage: number | null;
  fieldCurrent: number | null;
}

const nodeOf = (
  slot: 1 | 2,
) => `(select json_build_object('serial', n.serial_number, 'type', n.type, 'scalarInterval', n.scalar_interval_seconds,
      'activeVoltages', array[n.active_va, n.active_vb, n.active_vc], 'activeCurrents', array[n.active_ia, n.active_ib, n.active_ic],
      'activePowers', array[n.active_pa, n.active_pb, n.active_pc],
      'npCurrent', ${nameplateOf("np_current")}, 'npVoltage', ${nameplateOf("np_voltage")}, 'iNoise', c.config_values ->> 'i_noise',
      'overVoltage', n.over_voltage_threshold, 'underVoltage', n.under_voltage_threshold, 'overCurrent', n.long_term_over_current_threshold)
    from node_assignment a join node n using (serial_number) left join node_config c on c.serial_number = n.serial_number
      left join node_nameplate k on k.serial_number = n.serial_number where a.location_id = l.id and a.slot = ${slot})`;

export function createMeteringReadModel(pool: Pool) {
  return {
    async location(id: number): Promise<MeteredLocation | undefined> {
      const rows = await prepared<MeteredLocation>(pool, "metered-location", [id])`
        select l.id, l.name, f.site_name as "siteName", f.name as "facilityName", l.equipment_type as "equipmentType",
          l.timezone, l.np_hp as "npHp", ${nodeOf(1)} as primary, ${nodeOf(2)} as secondary
        from location l join facility f on f.id = l.facility_id where l.id = $1`;
      return rows[0];
    },

    async meters(serials: readonly number[]): Promise<MeterRow[]> {
      return await prepared<MeterRow>(pool, "read-meters", [serials])`
        select m.serial_number as serial, n.type, v.is_connected as "isConnected", ${exactEpoch("v.connection_changed_at")} as "connectionChangedAt",
          ${exactEpoch("m.cleared_at")} as "clearedAt", ${exactEpoch("m.cleared_scalar_at")} as "clearedScalarAt",
          ${exactEpoch("v.last_scalar_at")} as "lastScalarAt", v.last_scalar_data as "lastScalarData", v.last_scalar_times as "lastScalarTimes", ${exactEpoch("m.metered_at")} as "meteredAt",
          m.kw, m.kva, m.kvar, m.power_factor as "powerFactor", m.running_seconds as "runningSeconds", m.amp_hours as "ampHours",
          m.kilowatt_hours as "kilowattHours", m.kilovar_hours as "kilovarHours", m.field_voltage as "fieldVoltage", m.field_current as "fieldCurrent"
        from node_meter m join node_live v using (serial_number) join node n using (serial_number) where m.serial_number = any($1::int4[])`;
    },

    /** Blocks of a node since a time, such as local midnight. */
    async blocksSince(serial: number, sinceSeconds: number): Promise<DemandBlock[]> {
      return await prepared<DemandBlock>(pool, "demand-blocks-since", [serial, sinceSeconds])`
        select (extract(epoch from block_at) * 1000)::float8 as "startMs", kw_seconds as "kwSeconds", covered_seconds as "coveredSeconds"
        from node_demand_block where serial_number = $1 and block_at >= to_timestamp($2) order by block_at`;
    },

    /** Complete days before a local date, the newest first. */
    async daysBefore(serial: number, date: string): Promise<CompleteDay[]> {
      return await prepared<CompleteDay>(pool, "demand-days-before", [serial, date])`
        select average_kw as "averageKw", peak_kw as "peakKw", covered_seconds as "coveredSeconds", length_seconds as "lengthSeconds"
        from node_demand_day where serial_number = $1 and day < $2::date and day >= $2::date - ${dailyFigureDays} order by day desc`;
    },
  };
}
export type MeteringReadModel = ReturnType<typeof createMeteringReadModel>;
