export const statements = [
  // Processes that ingest from an external broker, as long as they say that they live.
  `create table ingest_worker (
    id uuid primary key,
    host text not null,
    expires_at timestamptz not null,
    can_listen boolean not null
  )`,
  // Who listens to which group of nodes; "host" is who says STATE. A new epoch for each holder: what an earlier one has begun is not committed.
  `create table node_group (
    name text primary key,
    worker uuid,
    expires_at timestamptz not null default now(),
    epoch bigint not null default 0,
    is_listening boolean not null default false,
    stated_at timestamptz
  )`,
  `insert into node_group (name) select 'n' || to_char(i, 'FM00') from generate_series(0, 63) i union all select 'host'`,
  // The last statement of a transaction that stores what groups sent. Its lock keeps others from taking them over before the COMMIT.
  `create function hold_node_groups(names text[], epochs bigint[]) returns void language plpgsql as $$
    declare lost text;
    begin
      perform pg_advisory_xact_lock_shared(hashtext('busbar-node-group'), hashtext(n)) from unnest(names) n;
      select string_agg(g.name, ',') into lost from unnest(names, epochs) u (n, e) join node_group g on g.name = u.n where g.epoch <> u.e;
      if lost is not null then
        raise exception 'another worker listens to these groups now: %', lost using errcode = 'BB001', detail = lost;
      end if;
    end $$`,
  // Why a node counts as disconnected, when it has not said so itself.
  `alter table node_live add column disconnect_reason text`,
];
