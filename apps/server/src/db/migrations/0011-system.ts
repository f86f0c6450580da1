export const statements = [
  // A continuous service is no task of the scheduler: it runs as long as the process that has it.
  `alter table service add column is_scheduled boolean not null default true`,

  /* ---- errors, warnings, debug messages ---- */
  `create table system_message (
    id bigint generated always as identity primary key,
    kind text not null check (kind in ('error', 'warning', 'debug')),
    ts timestamptz not null,
    source text not null,
    message text not null
  )`,
  `create index system_message_kind on system_message (kind, id)`,
  `create table system_message_count (
    kind text primary key,
    lifetime bigint not null default 0,
    since_notice bigint not null default 0,
    overflow bigint not null default 0,
    last_at timestamptz
  )`,
  `insert into system_message_count (kind) values ('error'), ('warning'), ('debug')`,

  /* ---- feeds ---- */
  `create index activity_actor on activity (actor, action, id desc)`,
  // How many activities stand in each block of 4,096 ids, by action and (action '') in all: a page far down is found without counting rows.
  // Blocks below settled_block are counted; seen_* is what the next round may settle.
  `create table activity_tally (
    action text not null,
    block bigint not null,
    count integer not null,
    primary key (action, block)
  )`,
  `create table activity_tally_state (
    id boolean primary key default true check (id),
    settled_block bigint not null default 0,
    seen_block bigint not null default 0,
    seen_xid xid8 not null default '0'
  )`,
  `insert into activity_tally_state default values`,
];
