export const statements = [
  // Who is billed: an organisation pays for the locations of its customers. A customer has one payer at most.
  `create table billing_organization (
    id integer generated always as identity primary key,
    name text not null unique
  )`,
  `create table billing_organization_customer (
    customer_id integer primary key references customer on delete cascade,
    organization_id integer not null references billing_organization on delete cascade
  )`,
  `create index billing_organization_customer_organization on billing_organization_customer (organization_id)`,

  // A file made for one person, fetched once by an address that nobody can guess; only the address's hash is kept.
  `create table download_token (
    token_hash bytea primary key,
    user_id integer not null references app_user on delete cascade,
    file_name text not null,
    content_type text not null,
    content bytea not null,
    expires_at timestamptz not null
  )`,
  `create index download_token_user on download_token (user_id)`,
  `create index download_token_expiry on download_token (expires_at)`,

  // Which facilities' messages a user gets, and how often. Who subscribes to all facilities needs no row.
  `create table facility_subscription (
    user_id integer not null references app_user on delete cascade,
    facility_id integer not null references facility on delete cascade,
    frequency text not null default 'Immediate' check (frequency in ('Immediate', 'Daily', 'Weekly')),
    primary key (user_id, facility_id)
  )`,
  `create index facility_subscription_facility on facility_subscription (facility_id)`,
];
