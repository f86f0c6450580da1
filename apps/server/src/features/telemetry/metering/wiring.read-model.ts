import type { PhaseValues } from "@busbar/metering/phases.ts";
import { exactEpoch } from "#db/epoch-sql.ts";
import { prepared, type Db } from "#db/statement.ts";
import { nameplateOf } from "#shared/nameplate-sql.ts";

/** What bears on a node's wiring: its last values, and what is known of the machine. Times are epoch seconds. */
export interface WiredNode {
  serial: number;
  /** Null for a node at no location, 2 for one at a field winding. */
  slot: number | null;
  timezone: string | null;
  equipmentType: string | null;
  starter: string | null;
  npVoltage: number | null;
  npCurrent: number | null;
  npHp: number | null;
  npPoles: number | null;
  /** As the node last reported them. */
  vNoise: string | null;
  iNoise: string | null;
  scalarInterval: number;
  /** All voltages, currents and powers are wired. */
  active: boolean;
  /** The newest scalar since the meter was cleared. */
  scalarAt: number | null;
  lastScalarData: string;
  /** Of the newest data point, where it is of about the same time; percent. */
  currentThd: PhaseValues | null;
}

/** So much older than the scalar a data point may be to speak for it. */
const thdSeconds = 3_600;

export async function findWiredNode(db: Db, serial: number): Promise<WiredNode | undefined> {
  const rows = await prepared<WiredNode>(db, "find-wired-node", [serial])`
    select n.serial_number as serial, a.slot, l.timezone, l.equipment_type as "equipmentType", l.starter,
      ${nameplateOf("np_voltage")} as "npVoltage", ${nameplateOf("np_current")} as "npCurrent", l.np_hp as "npHp", l.np_poles as "npPoles",
      c.config_values ->> 'v_noise' as "vNoise", c.config_values ->> 'i_noise' as "iNoise", n.scalar_interval_seconds as "scalarInterval",
      (n.active_va and n.active_vb and n.active_vc and n.active_ia and n.active_ib and n.active_ic and n.active_pa and n.active_pb and n.active_pc) as active,
      case when v.last_scalar_data <> '' and (m.cleared_scalar_at is null or v.last_scalar_at > m.cleared_scalar_at)
        then ${exactEpoch("v.last_scalar_at")} end as "scalarAt",
      v.last_scalar_data as "lastScalarData",
      (select array[d.current_thd1, d.current_thd2, d.current_thd3] from sensor_data d
        where d.serial_number = n.serial_number and d.ts > v.last_scalar_at - make_interval(secs => ${thdSeconds}) and d.current_thd1 is not null
          and d.current_thd2 is not null and d.current_thd3 is not null order by d.ts desc limit 1) as "currentThd"
    from node n join node_live v using (serial_number) left join node_meter m using (serial_number)
      left join node_config c using (serial_number) left join node_nameplate k using (serial_number)
      left join node_assignment a using (serial_number) left join location l on l.id = a.location_id
    where n.serial_number = $1`;
  return rows[0];
}
