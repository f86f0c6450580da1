/** Of the files of one event; the names of parts that it may have let them be found by the key, however many events a second has. */
const parts = `array(select lpad(num::text, 4, '0') || '.' || e from unnest(array['cfg', 'dat', 'cff', 'cev', 'eve', 'txt', 'csv', 'hdr', 'inf', 'zip']) e)`;

export const statements = [
  // Deleting an ask, or a user, looks for what refers to it.
  `create index file_request_ask on file_request (ask_id) where ask_id is not null`,
  `create index incident_owner on incident (owner_id) where owner_id is not null`,
  `create index incident_acknowledged_by on incident (acknowledged_by) where acknowledged_by is not null`,
  `create index incident_note_author on incident_note (author_id) where author_id is not null`,
  `create index mute_user on mute (user_id) where user_id is not null`,

  `create or replace function refresh_recorded_event(own integer, at timestamptz, num smallint) returns void language plpgsql as $$
    declare
      files record;
    begin
      -- Held before the files are looked at: who waited for another sees what that one wrote.
      -- Whoever held it may have deleted it: then it is inserted again.
      for attempt in 1..10 loop
        insert into recorded_event (serial_number, ts, number) values (own, at, num) on conflict do nothing;
        perform from recorded_event where serial_number = own and ts = at and number = num for update;
        exit when found;
      end loop;
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
];
