export const statements = [
  // Up to where each person has looked at the messages of a kind: what has a higher number is new to them, on whatever device.
  `create table system_message_seen (
    user_id integer not null references app_user (id) on delete cascade,
    kind text not null,
    message_id bigint not null,
    primary key (user_id, kind)
  )`,
  `alter table system_message add column muted_by text`,
  `create index system_message_muted on system_message (muted_until) where muted_until is not null`,
];
