// Photos of deployment tasks. The name stays when the person is gone. A photo that was sent twice is one; a JPEG gets no smaller by compression.
export const statements = [
  `create table node_task_photo (
    id integer generated always as identity primary key,
    serial_number integer not null references node (serial_number) on delete cascade,
    task_template_id integer not null,
    added_at timestamptz not null default now(),
    added_by text not null,
    sha256 bytea not null,
    size integer not null,
    bytes bytea not null,
    unique (serial_number, task_template_id, sha256)
  )`,
  `alter table node_task_photo alter column bytes set storage external`,
];
