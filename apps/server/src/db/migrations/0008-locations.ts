export const statements = [
  `alter table location add column revision integer not null default 1`,
  // Pairs in the order in which they were entered: [["Bearing", [29.5, 59]]]
  `alter table location alter column harmonic_signatures set default '[]'`,
  `update location set harmonic_signatures = '[]' where jsonb_typeof(harmonic_signatures) = 'object'`,

  `create table location_note (
    id integer generated always as identity primary key,
    location_id integer not null references location on delete cascade,
    ts timestamptz not null,
    note text not null,
    details text not null default '',
    author_user_id integer references app_user on delete set null,
    updated_by integer references app_user on delete set null,
    updated_at timestamptz not null default now(),
    is_archived boolean not null default false,
    show_in_voltage_plot boolean not null default true,
    show_in_current_plot boolean not null default true,
    show_in_accumulated_amp_hours_plot boolean not null default true,
    revision integer not null default 1
  )`,
  `create index location_note_location on location_note (location_id, is_archived, ts desc)`,
  `create index location_note_author on location_note (author_user_id)`,
  `create index location_note_updater on location_note (updated_by)`,

  `create table system_config (
    key text primary key,
    value jsonb not null,
    updated_at timestamptz not null default now(),
    updated_by text not null default ''
  )`,

  // Which node was where and when, kept when the place is gone. Names as they were when the node came.
  `create table node_placement (
    id bigint generated always as identity primary key,
    serial_number integer not null references node (serial_number) on delete cascade,
    location_id integer not null,
    slot smallint not null,
    customer_name text not null,
    facility_name text not null,
    location_name text not null,
    started_at timestamptz not null default now(),
    ended_at timestamptz
  )`,
  `create unique index node_placement_present on node_placement (serial_number) where ended_at is null`,
  `create index node_placement_location on node_placement (location_id, started_at desc)`,
  // Whoever places or takes away a node, the history follows.
  `create function follow_node_placement() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then
        update node_placement set ended_at = now() where serial_number = old.serial_number and ended_at is null;
      end if;
      if tg_op <> 'DELETE' then
        insert into node_placement (serial_number, location_id, slot, customer_name, facility_name, location_name)
        select new.serial_number, new.location_id, new.slot, c.name, f.name, l.name
        from location l join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id where l.id = new.location_id;
      end if;
      return null;
    end $$`,
  `create trigger node_placement after insert or update or delete on node_assignment for each row execute function follow_node_placement()`,
  // A place that moves is another place: its nodes' stay begins anew under the new names.
  `create function follow_moved_place() returns trigger language plpgsql as $$
    declare moved integer[];
    begin
      if tg_table_name = 'location' then moved := array[new.id];
      else moved := array(select id from location where facility_id = new.id);
      end if;
      update node_placement set ended_at = now() where location_id = any (moved) and ended_at is null;
      insert into node_placement (serial_number, location_id, slot, customer_name, facility_name, location_name)
      select a.serial_number, l.id, a.slot, c.name, f.name, l.name
      from node_assignment a join location l on l.id = a.location_id join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id
      where l.id = any (moved);
      return null;
    end $$`,
  `create trigger node_placement after update of facility_id on location for each row
    when (old.facility_id is distinct from new.facility_id) execute function follow_moved_place()`,
  `create trigger node_placement after update of customer_id on facility for each row
    when (old.customer_id is distinct from new.customer_id) execute function follow_moved_place()`,
  `insert into node_placement (serial_number, location_id, slot, customer_name, facility_name, location_name)
   select a.serial_number, l.id, a.slot, c.name, f.name, l.name
   from node_assignment a join location l on l.id = a.location_id join facility f on f.id = l.facility_id join customer c on c.id = f.customer_id`,
];
