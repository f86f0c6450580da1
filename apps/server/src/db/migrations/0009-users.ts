export const statements = [
  `alter table app_user
    add column revision integer not null default 1,
    add column must_change_password boolean not null default false`,
  `create index app_user_customer on app_user (customer_id)`,

  /* ---- second factor ---- */
  // Secrets are sealed with a key of system_secret; a row here counts for nothing until it is confirmed.
  `create table user_totp_enrolment (
    user_id integer primary key references app_user on delete cascade,
    secret text not null,
    created_at timestamptz not null
  )`,
  `create table recovery_code (
    user_id integer not null references app_user on delete cascade,
    code_hash bytea not null,
    used_at timestamptz,
    primary key (user_id, code_hash)
  )`,

  /* ---- keys of customers' programs ---- */
  // key is the public part; of the secret only its SHA-256 is kept, which 256 random bits make safe.
  `create table user_key (
    id integer generated always as identity primary key,
    user_id integer not null references app_user on delete cascade,
    kind text not null check (kind in ('api', 'access')),
    name text not null,
    key text not null unique,
    secret_hash bytea not null,
    scopes text[] not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    last_used_at timestamptz,
    revoked_at timestamptz
  )`,
  `create unique index user_key_name on user_key (user_id, kind, name) where revoked_at is null`,

  /* ---- mail ---- */
  // An outbox: written with what it tells of, sent afterwards at least once under one Message-ID.
  // next_attempt_at is null once it was sent or given up; dedupe_key lets one event make one row only.
  `create table notification (
    id bigint generated always as identity primary key,
    kind text not null,
    subject text not null,
    recipients_to text[] not null default '{}',
    recipients_cc text[] not null default '{}',
    recipients_bcc text[] not null default '{}',
    body text not null,
    created_at timestamptz not null default now(),
    sent_at timestamptz,
    sent_success boolean not null default false,
    sent_failed_reason text,
    attempts integer not null default 0,
    next_attempt_at timestamptz,
    message_id text not null unique,
    dedupe_key text unique
  )`,
  `create index notification_due on notification (next_attempt_at) where next_attempt_at is not null`,
];
