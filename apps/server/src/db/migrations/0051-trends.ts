// Aggregates of what nodes measure: of scalars by the minute, of all quantities by the quarter of an hour and by the day of the place. A row
// holds the points of one quantity for an hour, a day of UTC, or a month of days at one place, packed: see packed-points.ts. Hours, days
// and months are counted from 1970. Points are compressed in their row, which stays in one place.
export const statements = [
  `create table trend_minute (
    serial_number integer not null,
    hour integer not null,
    quantity smallint not null,
    points bytea not null,
    primary key (serial_number, quantity, hour)
  ) partition by range (hour)`,
  // In the create statement only since PostgreSQL 16.
  `alter table trend_minute alter column points set storage main`,
  `create table trend_quarter (
    serial_number integer not null,
    day integer not null,
    quantity smallint not null,
    points bytea not null,
    primary key (serial_number, quantity, day)
  ) partition by range (day)`,
  `alter table trend_quarter alter column points set storage main`,
  `create table trend_day (
    serial_number integer not null,
    month integer not null,
    location_id integer not null,
    quantity smallint not null,
    points bytea not null,
    primary key (serial_number, quantity, month, location_id)
  ) with (toast_tuple_target = 128)`,
  `alter table trend_day alter column points set storage main`,

  // What is to be made anew: an hour (h), a day of UTC (d) or a month (m) of a node. A mark that grew meanwhile stays for another time.
  `create table trend_dirty (
    kind "char" not null check (kind in ('h', 'd', 'm')),
    at integer not null,
    serial_number integer not null,
    mark integer not null default 1,
    primary key (kind, at, serial_number)
  )`,
  `create index trend_dirty_node on trend_dirty (serial_number, kind, at)`,
  // Hours up to this one are closed: who adds to them marks them. What was closed and is not queued yet is queued by the service.
  `create table trend_state (
    is_only boolean primary key default true check (is_only),
    closed_hour integer not null,
    queued_hour integer not null,
    queued_day integer not null,
    queued_month integer not null
  )`,
  // Days before are still to be made of what came before this version.
  `create table trend_fill (serial_number integer primary key, before_day integer not null)`,
  `insert into trend_fill select serial_number, floor(extract(epoch from now()) / 86400)::int4 from node`,
  `insert into trend_state select true, day * 24 - 1, coalesce(scalars_from, day) * 24 - 1, day - 1, extract(year from now() at time zone 'UTC') * 12
     + extract(month from now() at time zone 'UTC') - 1 - 1970 * 12 - 1
   from (select floor(extract(epoch from now()) / 86400)::int4 as day,
     (select min(to_date(right(relname, 8), 'YYYYMMDD')) - '1970-01-01'::date from pg_inherits join pg_class c on c.oid = inhrelid
      where inhparent = 'scalar'::regclass and relname ~ '^scalar_\\d{8}$') as scalars_from) d`,

  // Marks what is added to closed hours, in the transaction that adds it. Its lock is shared by all who add; who closes hours takes it alone:
  // so whatever was added without a mark is committed before, and seen by, the first look at the closed hour.
  `create function mark_trends(kinds text, serials integer[], times integer[]) returns void language plpgsql volatile as $$
    declare closed integer;
    begin
      perform pg_advisory_xact_lock_shared(5116);
      select closed_hour into closed from trend_state;
      insert into trend_dirty as d (kind, at, serial_number)
      select kinds::"char", t, s from (select distinct s, t from unnest(serials, times) u (s, t)
        where t <= case kinds when 'h' then closed else (closed + 1) / 24 - 1 end) u order by t, s
      on conflict (kind, at, serial_number) do update set mark = d.mark + 1;
    end $$`,
];
