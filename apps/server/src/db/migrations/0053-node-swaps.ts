// Which node took whose place, and what of the old one's configuration the new one has confirmed. Names as they were then.
export const statements = [
  `create table node_swap (
    id integer generated always as identity primary key,
    old_serial_number integer not null references node (serial_number) on delete cascade,
    new_serial_number integer not null references node (serial_number) on delete cascade,
    location_id integer references location (id) on delete set null,
    slot smallint not null,
    customer_name text not null,
    facility_name text not null,
    location_name text not null,
    swapped_at timestamptz not null default now(),
    swapped_by text not null,
    reason text not null,
    old_node_status text not null,
    copying_until timestamptz,
    copying_by text not null default '',
    pause_reason text not null default ''
  )`,
  `create index node_swap_old on node_swap (old_serial_number, id desc)`,
  `create index node_swap_new on node_swap (new_serial_number, id desc)`,
  `create index node_swap_location on node_swap (location_id) where location_id is not null`,
  `create table node_swap_value (
    swap_id integer not null references node_swap (id) on delete cascade,
    key text not null,
    value text not null,
    state text not null default 'waiting',
    detail text not null default '',
    primary key (swap_id, key)
  )`,
];
