export const statements = [
  // The newest totals of a node's meter, one hot row per node. Phase values come with each scalar and stand in node_live.
  `create table node_meter (
    serial_number integer primary key references node (serial_number) on delete cascade,
    metered_at timestamptz,
    kw real,
    kva real,
    kvar real,
    power_factor real,
    running_seconds double precision,
    amp_hours double precision,
    kilowatt_hours double precision,
    kilovar_hours double precision,
    field_voltage real,
    field_current real,
    cleared_at timestamptz,
    cleared_scalar_at timestamptz,
    lease_renewed_at timestamptz
  ) with (fillfactor = 50)`,
  `insert into node_meter (serial_number) select serial_number from node`,
  `create function add_node_meter() returns trigger language plpgsql as $$
    begin insert into node_meter (serial_number) values (new.serial_number); return null; end $$`,
  `create trigger node_meter after insert on node for each row execute function add_node_meter()`,
  // Block demand of the days that are not over yet: the time integral of power, and the seconds that it covers.
  `create table node_demand_block (
    serial_number integer not null,
    block_at timestamptz not null,
    kw_seconds double precision not null,
    covered_seconds double precision not null,
    last_at timestamptz not null,
    primary key (serial_number, block_at)
  )`,
  `create table node_demand_day (
    serial_number integer not null references node (serial_number) on delete cascade,
    day date not null,
    average_kw double precision,
    peak_kw double precision,
    covered_seconds double precision not null,
    length_seconds double precision not null,
    primary key (serial_number, day)
  )`,
];
