export const statements = [
  // How often a row was saved: who edits sends it back, so that nobody overwrites what somebody else saved meanwhile.
  `alter table customer add column revision integer not null default 1`,
  `alter table facility add column revision integer not null default 1`,

  // Users of the facility's customer. When user or facility goes to another customer, the trigger ends the office.
  `create table facility_manager (
    facility_id integer not null references facility on delete cascade,
    user_id integer not null references app_user on delete cascade,
    primary key (facility_id, user_id)
  )`,
  `create index facility_manager_user on facility_manager (user_id)`,
  `create function end_foreign_managers() returns trigger language plpgsql as $$
    begin
      if tg_table_name = 'app_user' then
        delete from facility_manager m using facility f where m.user_id = new.id and f.id = m.facility_id and f.customer_id is distinct from new.customer_id;
      else
        delete from facility_manager m using app_user u where m.facility_id = new.id and u.id = m.user_id and u.customer_id is distinct from new.customer_id;
      end if;
      return null;
    end $$`,
  `create trigger end_foreign_managers after update of customer_id on app_user for each row
    when (old.customer_id is distinct from new.customer_id) execute function end_foreign_managers()`,
  `create trigger end_foreign_managers after update of customer_id on facility for each row
    when (old.customer_id is distinct from new.customer_id) execute function end_foreign_managers()`,

  // Where a retired node was last, as it was called then.
  `alter table decommissioned_node add column retired_customer text not null default '',
    add column retired_facility text not null default '', add column retired_location text not null default ''`,
  `create index decommissioned_node_customer on decommissioned_node (customer_id)`,

  // A node is at a location or retired, never both, whoever comes first: the node's row is the lock between the two.
  `create function refuse_retired_at_location() returns trigger language plpgsql as $$
    begin
      perform from node where serial_number = new.serial_number for no key update;
      if tg_table_name = 'node_assignment' and exists (select from decommissioned_node where serial_number = new.serial_number) then
        raise exception 'Node % is decommissioned', new.serial_number using errcode = 'BB409';
      elsif tg_table_name = 'decommissioned_node' and exists (select from node_assignment where serial_number = new.serial_number) then
        raise exception 'Node % is at a location', new.serial_number using errcode = 'BB409';
      end if;
      return new;
    end $$`,
  ...["node_assignment", "decommissioned_node"].map(
    (table) =>
      `create trigger refuse_retired_at_location before insert or update of serial_number on ${table} for each row execute function refuse_retired_at_location()`,
  ),

  // What the customer tree shows besides what the dashboard does.
  `create trigger directory_change after insert or update or delete on facility_manager for each statement execute function note_directory_change()`,
  `create trigger tree_change after update of container, deployment_task_type, monitor_data_point_alerts, monitor_daily_progress, monitor_missing_data
    on node for each statement execute function note_directory_change()`,

  // Who changed a thing since a revision of it: read from what was recorded.
  `create index activity_object on activity (object, id desc) where object <> ''`,
];
