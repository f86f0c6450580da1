export const statements = [
  // Changes to many nodes that are rolled out together. What holds values of configuration is sealed (decision 0041).
  `create table config_batch (
    id integer generated always as identity primary key,
    kind text not null check (kind in ('change', 'retry', 'putBack')),
    source_id integer references config_batch (id) on delete set null,
    state text not null default 'reading' check (state in ('reading', 'ready', 'running', 'paused', 'stopped', 'done', 'cancelled')),
    made_by text not null,
    made_at timestamptz not null,
    keys text[] not null,
    sealed_values text not null,
    read_at timestamptz,
    hash text not null default '',
    started_by text not null default '',
    started_at timestamptz,
    start_local text not null default '',
    at_once integer not null default 20,
    per_minute integer,
    first_wave integer not null default 3,
    stop_percent integer not null default 10,
    is_first_wave_over boolean not null default false,
    forgiven_settled integer not null default 0,
    forgiven_failed integer not null default 0,
    next_claim_at timestamptz,
    stop_reason text not null default '',
    ended_at timestamptz
  )`,
  `create index config_batch_active on config_batch (id) where state in ('reading', 'running', 'paused', 'stopped')`,
  // A serial number stays when its node is gone: the row says what became of it.
  `create table config_batch_node (
    batch_id integer not null references config_batch (id) on delete cascade,
    serial_number integer not null,
    state text not null default 'unread'
      check (state in ('unread', 'reading', 'left', 'waiting', 'sending', 'confirmed', 'refused', 'unknown', 'dropped')),
    left_for text not null default '',
    sealed text not null,
    confirmed_count integer not null default 0,
    command_id uuid,
    audit_id bigint,
    not_before timestamptz,
    settled_at timestamptz,
    primary key (batch_id, serial_number)
  )`,
  `create index config_batch_node_open on config_batch_node (serial_number) where state in ('waiting', 'sending')`,
  `alter table audit_log add column batch_id integer`,
];
