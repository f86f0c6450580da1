export const statements = [
  // What of a node's data came, a bit for each quarter of an hour of a month of UTC, first to last (31 days have 2976): every zone's days
  // begin at one of them. 'scalars', or the letter of a kind of files. A node that is deleted keeps its rows, as it keeps its files.
  `create table coverage (
    kind text not null check (kind in ('scalars', 'D', 'S')),
    month date not null,
    serial_number integer not null,
    received bit(2976) not null,
    partly bit(2976),
    late bit(2976),
    backfilled bit(2976),
    failed bit(2976),
    primary key (kind, month, serial_number)
  ) with (fillfactor = 70)`,
  // Nodes of which what came before this version is still to be put in.
  `create table coverage_fill (serial_number integer primary key)`,
  `insert into coverage_fill select serial_number from node`,

  // What a person asked a node for again, in parts of a few names.
  `create table file_ask (
    id bigint generated always as identity primary key,
    serial_number integer not null references node (serial_number) on delete cascade,
    kind text not null check (kind in ('D', 'S')),
    from_at timestamptz not null,
    to_at timestamptz not null,
    file_count integer not null,
    sent_at timestamptz,
    asked_by text not null,
    asked_at timestamptz not null
  )`,
  `create index file_ask_node on file_ask (serial_number, id desc)`,
  `alter table file_request add column ask_id bigint references file_ask (id) on delete cascade`,
  `create index file_request_node on file_request (serial_number, id)`,
];
