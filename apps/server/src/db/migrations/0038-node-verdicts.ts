export const statements = [
  // What is wrong with each node, as it was last judged. changed_xid lets every api process follow it.
  `create table node_verdict (
    serial_number integer primary key references node (serial_number) on delete cascade,
    kind text not null,
    gravity text not null,
    sentence text not null,
    since timestamptz,
    evidence jsonb not null,
    changed_xid xid8 not null default pg_current_xact_id()
  )`,
  `create index node_verdict_changed on node_verdict (changed_xid)`,
  // What was wrong with each node, from begin to the begin of the next; one that did not last has no row.
  `create table node_verdict_history (
    serial_number integer not null references node (serial_number) on delete cascade,
    began_at timestamptz not null,
    kind text not null,
    gravity text not null,
    sentence text not null,
    primary key (serial_number, began_at)
  )`,
  `create index node_verdict_history_by_time on node_verdict_history (began_at)`,

  // Tries to connect that the broker refused, by the node that they claimed to be.
  `create table node_refusal (
    serial_number integer not null references node (serial_number) on delete cascade,
    reason text not null,
    count bigint not null,
    last_at timestamptz not null,
    primary key (serial_number, reason)
  )`,

  // What a node last confirmed of each value.
  `create index audit_log_by_key on audit_log (serial_number, key, id desc) where result in ('confirmed', 'unchanged')`,

  // Pauses are part of what a node is judged by.
  `create trigger node_pause_change after update of disable_monitoring, pause_notifications, pause_connectivity_notifications on node
     for each statement execute function note_directory_change()`,
];
