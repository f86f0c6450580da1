/** Whose sessions, account or second factor changed, by transaction: api processes that know sessions forget those (decision 0055). */
export const statements = [
  `create table session_change (
    xid xid8 not null default pg_current_xact_id(),
    user_id integer not null,
    at timestamptz not null default now(),
    primary key (xid, user_id)
  )`,
  `create function note_session_change() returns trigger language plpgsql as $$
    begin
      insert into session_change (user_id) values ((to_jsonb(coalesce(new, old)) ->> tg_argv[0])::integer) on conflict do nothing;
      return null;
    end $$`,
  // That a session was used is no change, and a new one is known to no process.
  `create trigger session_change after delete or update of user_id, roles, signed_in_at, issued_at, expires_at, ends_at, end_reason, replaced_by
    on session for each row execute function note_session_change('user_id')`,
  `create trigger session_change after update or delete on app_user for each row execute function note_session_change('id')`,
  `create trigger session_change after insert or delete on user_totp for each row execute function note_session_change('user_id')`,
];
