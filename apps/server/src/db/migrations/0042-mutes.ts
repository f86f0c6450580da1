export const statements = [
  // Of what no one is notified for a time. It ends by its time: nothing has to run.
  `create table mute (
    id integer generated always as identity primary key,
    serial_number integer references node (serial_number) on delete cascade,
    location_id integer references location (id) on delete cascade,
    facility_id integer references facility (id) on delete cascade,
    reason text not null,
    user_id integer references app_user (id) on delete set null,
    username text not null,
    from_at timestamptz not null,
    until_at timestamptz not null,
    check (num_nonnulls(serial_number, location_id, facility_id) = 1)
  )`,
  `create index mute_until on mute (until_at)`,
  `create index mute_of_node on mute (serial_number) where serial_number is not null`,
  `create index mute_of_location on mute (location_id) where location_id is not null`,
  `create index mute_of_facility on mute (facility_id) where facility_id is not null`,
  // Mutes are part of what a node is judged by.
  `create trigger directory_change after insert or update or delete on mute for each statement execute function note_directory_change()`,
];
