// A node's thresholds and ratings are of the place where it is: a stay that ends keeps those it had, which the node's next place changes.
// The view tells them as they are now. A node that has left its last stay and gone nowhere since has them still; of earlier ones nothing is known.
const rating = (column: string) => `coalesce(
    case when c.config_values ->> '${column}' ~ '^\\d{1,6}(\\.\\d{1,6})?$' then (c.config_values ->> '${column}')::float8 end,
    k.${column}, case when p.slot = 1 then l.${column} end)`;

export const statements = [
  `create view node_trend_settings as
   select n.serial_number as serial, n.scalar_interval_seconds as "scalarInterval", n.data_point_interval_seconds as "dataInterval",
     array[n.active_va, n.active_vb, n.active_vc] as "activeVoltages", array[n.active_ia, n.active_ib, n.active_ic] as "activeCurrents",
     coalesce(c.config_values ->> 'eq_type' = 'dc', k.np_frequency = 0, l.equipment_type = 'DCMotor', false) as "isDirect",
     c.config_values ->> 'v_noise' as "vNoise", c.config_values ->> 'i_noise' as "iNoise",
     ${rating("np_voltage")} as "npVoltage", ${rating("np_current")} as "npCurrent", case when p.slot = 1 then l.np_hp end as "npHp",
     json_build_object('voltageImbalance', n.voltage_imbalance_threshold, 'currentImbalance', n.current_imbalance_threshold,
       'voltageThd', n.voltage_thd_threshold, 'currentThd', n.current_thd_threshold,
       'overVoltage', n.over_voltage_threshold, 'underVoltage', n.under_voltage_threshold,
       'shortTermOverCurrent', n.short_term_over_current_threshold, 'longTermOverCurrent', n.long_term_over_current_threshold) as thresholds
   from node n left join node_placement p on p.serial_number = n.serial_number and p.ended_at is null left join location l on l.id = p.location_id
     left join node_config c on c.serial_number = n.serial_number left join node_nameplate k on k.serial_number = n.serial_number`,
  `alter table node_placement add column settings json`,
  `create function keep_settings_of_stay() returns trigger language plpgsql as $$
    begin
      select to_json(s) into new.settings from node_trend_settings s where s.serial = new.serial_number;
      return new;
    end $$`,
  `create trigger keep_settings before update of ended_at on node_placement for each row
    when (old.ended_at is null and new.ended_at is not null) execute function keep_settings_of_stay()`,
  `update node_placement p set settings = to_json(s) from node_trend_settings s
   where s.serial = p.serial_number and not exists (select from node_placement later where later.serial_number = p.serial_number and later.id > p.id)
     and p.ended_at is not null`,
];
