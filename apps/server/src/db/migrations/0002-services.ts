// What the scheduler knows of each background service; whether it runs is told by its advisory lock, which cannot outlive its holder.
export const statements = [
  `create table service (
    name text primary key,
    is_enabled boolean not null default true,
    interval_seconds integer not null,
    is_run_requested boolean not null default false,
    next_run_at timestamptz not null,
    last_finished_at timestamptz,
    last_duration_seconds double precision,
    average_duration_seconds double precision,
    run_count bigint not null default 0,
    last_processed_count integer not null default 0,
    lifetime_processed_count bigint not null default 0,
    log_entry text not null default ''
  )`,
];
