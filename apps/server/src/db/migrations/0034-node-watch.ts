export const statements = [
  // Nodes that `check-node` watches, and what they send meanwhile. Unlogged: a crash ends the check, not more.
  `create unlogged table node_watch (
    serial_number integer primary key,
    expires_at timestamptz not null,
    taken_at timestamptz
  )`,
  `create unlogged table node_watch_event (
    id bigint generated always as identity primary key,
    serial_number integer not null,
    at_ms float8 not null,
    kind text not null,
    topic text not null,
    qos smallint not null,
    detail text not null,
    payload bytea
  )`,
  `create index node_watch_event_by_node on node_watch_event (serial_number, id)`,
];
