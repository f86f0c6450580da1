// What a change of many objects did to each, so that it is undone as one.
export const statements = [
  `create table bulk_change (
    id integer generated always as identity primary key,
    kind text not null,
    undoes integer references bulk_change (id),
    made_by text not null,
    made_at timestamptz not null default now(),
    objects jsonb not null
  )`,
  `create index bulk_change_undoes on bulk_change (undoes) where undoes is not null`,
];
