// A row per task that somebody touched; the templates are the program's. Names stay when the person is gone.
export const statements = [
  `create table node_task (
    serial_number integer not null references node (serial_number) on delete cascade,
    task_template_id integer not null,
    status text not null check (status in ('NOT_COMPLETED', 'COMPLETED')),
    notes text not null,
    updated_by_user_id integer references app_user on delete set null,
    updated_by_username text not null,
    updated_by_full_name text not null,
    updated_at timestamptz not null default now(),
    revision integer not null default 1,
    primary key (serial_number, task_template_id)
  )`,
];
