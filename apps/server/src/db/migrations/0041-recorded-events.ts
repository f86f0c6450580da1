/** Of the files of one event; the names of parts that it may have let them be found by the key, however many events a second has. */
const parts = `array(select lpad(num::text, 4, '0') || '.' || e from unnest(array['cfg', 'dat', 'cff', 'cev', 'eve', 'txt', 'csv', 'hdr', 'inf', 'zip']) e)`;

// One row for an event: the files of one recording together. Rows follow the files by themselves, whoever stores, reads or forgets them;
// what was measured comes with the reading.
export const statements = [
  `create table recorded_event (
    serial_number integer not null,
    ts timestamptz not null,
    number smallint not null,
    status text not null default 'pending' check (status in ('pending', 'incomplete', 'failed', 'read')),
    reason text,
    kind text check (kind in ('trip', 'alarm', 'event')),
    words text not null default '',
    waveform_file text,
    duration_seconds real,
    largest_current real,
    largest_current_phase text,
    lowest_voltage real,
    lowest_voltage_phase text,
    picture bytea,
    placement_id bigint,
    location_id integer,
    facility_id integer,
    customer_id integer,
    is_unmeasured boolean not null default false,
    primary key (serial_number, ts, number)
  )`,
  // The stay that holds the time; of a time before the first known one, that.
  `create function place_recorded_event() returns trigger language plpgsql as $$
    begin
      select p.id, p.location_id, l.facility_id, f.customer_id into new.placement_id, new.location_id, new.facility_id, new.customer_id
      from (select * from node_placement where serial_number = new.serial_number
        order by (started_at <= new.ts) desc, abs(extract(epoch from new.ts - started_at)), id desc limit 1) p
      left join location l on l.id = p.location_id left join facility f on f.id = l.facility_id
      where p.started_at > new.ts or p.ended_at is null or p.ended_at > new.ts;
      return new;
    end $$`,
  `create trigger place_recorded_event before insert on recorded_event for each row execute function place_recorded_event()`,

  `create function refresh_recorded_event(own integer, at timestamptz, num smallint) returns void language plpgsql as $$
    declare
      files record;
    begin
      -- Held before the files are looked at: who waited for another sees what that one wrote.
      insert into recorded_event (serial_number, ts, number) values (own, at, num) on conflict do nothing;
      perform from recorded_event where serial_number = own and ts = at and number = num for update;
      select count(*) as total, bool_or(processed) as is_read, bool_or(processed is null) as is_waiting,
        bool_and(processed is not null or awaited is not null) as is_incomplete,
        min(awaited) as awaited,
        (array_agg(failed_reason order by extracted_at desc) filter (where not processed))[1] as failure
      into files from (
        select f.processed, f.failed_reason, f.extracted_at,
          case when f.processed is null and f.part ~ '[.](cfg|dat)$' and not exists (select from data_file o
            where o.serial_number = own and o.ts = at and o.kind = 'E' and o.part = left(f.part, 5) || translate(right(f.part, 3), 'cfgdat', 'datcfg'))
          then left(f.file_name, -3) || translate(right(f.part, 3), 'cfgdat', 'datcfg') end as awaited
        from data_file f where f.serial_number = own and f.ts = at and f.kind = 'E' and f.part = any (${parts})) each;
      if files.total = 0 then
        delete from recorded_event where serial_number = own and ts = at and number = num;
        return;
      end if;
      update recorded_event set
        status = case when files.is_read then 'read' when not files.is_waiting then 'failed' when files.is_incomplete then 'incomplete' else 'pending' end,
        reason = coalesce(files.failure, 'Waits for ' || files.awaited)
      where serial_number = own and ts = at and number = num;
    end $$`,
  `create function follow_event_file() returns trigger language plpgsql as $$
    begin
      perform refresh_recorded_event(coalesce(new.serial_number, old.serial_number), coalesce(new.ts, old.ts),
        left(coalesce(new.part, old.part), 4)::smallint);
      return null;
    end $$`,
  `create trigger follow_event_file after insert or update of processed, failed_reason, file_name on data_file
    for each row when (new.kind = 'E') execute function follow_event_file()`,
  `create trigger follow_gone_event_file after delete on data_file for each row when (old.kind = 'E') execute function follow_event_file()`,

  `select count(refresh_recorded_event(serial_number, ts, number)) from (
    select distinct serial_number, ts, left(part, 4)::smallint as number from data_file where kind = 'E') e`,
  // They were read before there was anything to measure them for.
  `update recorded_event set is_unmeasured = true where status in ('read', 'failed')`,

  `create index recorded_event_time on recorded_event (ts desc, serial_number desc, number desc)`,
  `create index recorded_event_location on recorded_event (location_id, ts desc, serial_number desc, number desc)`,
  `create index recorded_event_facility on recorded_event (facility_id, ts desc, serial_number desc, number desc)`,
  `create index recorded_event_customer on recorded_event (customer_id, ts desc, serial_number desc, number desc)`,
  `create index recorded_event_kind on recorded_event (kind, ts desc, serial_number desc, number desc)`,
  `create index recorded_event_current on recorded_event (largest_current)`,
  `create index recorded_event_unread on recorded_event (ts desc, serial_number desc, number desc) where status <> 'read'`,
  `create index recorded_event_unmeasured on recorded_event (ts desc) where is_unmeasured`,
];
