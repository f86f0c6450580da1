export const statements = [
  // location_id: where the node was then; the place may be gone.
  `create table alarm (
    id bigint generated always as identity primary key,
    serial_number integer not null references node (serial_number) on delete cascade,
    location_id integer,
    kind text not null,
    raised_at timestamptz not null,
    cleared_at timestamptz,
    value double precision,
    threshold double precision not null,
    unique (serial_number, kind, raised_at)
  )`,
  `create unique index alarm_open on alarm (serial_number, kind) where cleared_at is null`,
  `create index alarm_by_time on alarm (raised_at desc)`,
  // Up to when scalars were judged: one row.
  `create table alarm_evaluation (is_only boolean primary key default true check (is_only), evaluated_until timestamptz not null)`,
];
