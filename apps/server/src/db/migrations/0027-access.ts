export const statements = [
  // Decision 0021: wrong tries are counted by who guesses, and fade away.
  `create table sign_in_tries (
    name text primary key,
    burst double precision not null,
    total double precision not null,
    counted_at timestamptz not null
  )`,
  `create index sign_in_tries_by_time on sign_in_tries (counted_at)`,
  `drop table login_attempt`,
  // A browser in which somebody has signed in before: it knows a token whose hash stands here.
  `create table known_device (
    id bigint generated always as identity primary key,
    user_id integer not null references app_user on delete cascade,
    token_hash bytea not null,
    last_used_at timestamptz not null,
    unique (token_hash, user_id)
  )`,
  `create index known_device_of_user on known_device (user_id)`,

  // What somebody may type to sign in, in small letters: a username is nobody else's e-mail.
  `create table login_name (name text primary key, user_id integer not null references app_user on delete cascade)`,
  `create index login_name_of_user on login_name (user_id)`,
  `insert into login_name select username, id from app_user`,
  // Names that two shared before stay with the username until one of the two changes.
  `insert into login_name select lower(email), id from app_user order by is_administrator desc on conflict do nothing`,
  `create function claim_login_names() returns trigger language plpgsql as $$
   begin
     delete from login_name where user_id = new.id and name not in (new.username, lower(new.email));
     if tg_op = 'INSERT' or new.username <> old.username then
       insert into login_name values (new.username, new.id) on conflict do nothing;
       if (select user_id from login_name where name = new.username) <> new.id then
         raise exception 'This username is the e-mail of another user' using errcode = 'BB409';
       end if;
     end if;
     if tg_op = 'INSERT' or lower(new.email) <> lower(old.email) then
       insert into login_name values (lower(new.email), new.id) on conflict do nothing;
       if (select user_id from login_name where name = lower(new.email)) <> new.id then
         raise exception 'This e-mail is the username of another user' using errcode = 'BB409';
       end if;
     end if;
     return null;
   end $$`,
  `create trigger claim_login_names after insert or update of username, email on app_user
   for each row execute function claim_login_names()`,
];
