export const statements = [
  // How people look at the console's lists; query is what a list's address has after the question mark.
  `create table saved_view (
    id integer generated always as identity primary key,
    list text not null,
    name text not null,
    owner_id integer references app_user (id) on delete set null,
    is_shared boolean not null,
    query text not null,
    revision integer not null default 1
  )`,
  `create unique index saved_view_name on saved_view (owner_id, list, lower(name))`,
  `create table default_view (
    user_id integer not null references app_user (id) on delete cascade,
    list text not null,
    view_id integer not null references saved_view (id) on delete cascade,
    primary key (user_id, list)
  )`,
  `create index default_view_of on default_view (view_id)`,
];
