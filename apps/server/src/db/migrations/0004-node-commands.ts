export const statements = [
  // What goes to nodes: any process asks, an ingest process sends, the node's answer comes back through ingest.
  `create table node_command (
    id uuid primary key,
    serial_number integer not null references node (serial_number) on delete cascade,
    metrics jsonb not null,
    awaits_answer boolean not null,
    is_exclusive boolean not null,
    state text not null default 'pending' check (state in ('pending', 'sent', 'answered', 'failed')),
    failure text,
    answer jsonb,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    sent_at timestamptz,
    answered_at timestamptz
  )`,
  `create index node_command_pending on node_command (created_at) where state = 'pending'`,
  `create index node_command_by_age on node_command (created_at)`,
  // One write in flight per node, also when two processes ask at the same moment.
  `create unique index node_command_in_flight on node_command (serial_number) where is_exclusive and state in ('pending', 'sent')`,

  // The values that a node last told of its configuration.
  `create table node_config (
    serial_number integer primary key references node (serial_number) on delete cascade,
    told_at timestamptz not null,
    config_values jsonb not null
  )`,

  // Names as they were then: a row stays true when the node moves or the person is gone.
  `create table audit_log (
    id bigint generated always as identity primary key,
    ts timestamptz not null default now(),
    username text not null,
    serial_number integer not null,
    location_id integer,
    location_name text not null,
    timezone text not null,
    key text not null,
    old_value text not null,
    new_value text not null,
    result text not null,
    detail text not null default ''
  )`,
];
