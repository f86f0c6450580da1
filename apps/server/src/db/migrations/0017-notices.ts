export const statements = [
  // What was told of which object for which period: each at most once, whoever asks and however often.
  `create table notice_told (
    kind text not null,
    object_id bigint not null,
    period timestamptz not null,
    told_at timestamptz not null,
    primary key (kind, object_id, period)
  )`,

  // What a subscriber hears of later, with others: written with what it tells of, taken out with the message that says it.
  `create table digest_item (
    id bigint generated always as identity primary key,
    user_id integer not null references app_user on delete cascade,
    facility_id integer not null references facility on delete cascade,
    frequency text not null check (frequency in ('Daily', 'Weekly')),
    happened_at timestamptz not null,
    added_at timestamptz not null,
    line text not null
  )`,
  `create index digest_item_user on digest_item (user_id, frequency, added_at)`,
  `create index digest_item_facility on digest_item (facility_id)`,

  // A service that fails: since when, how often in a row, and whether people were told.
  `alter table service
    add column failure_count integer not null default 0,
    add column failing_since timestamptz,
    add column last_failed_at timestamptz,
    add column trouble_told_at timestamptz`,

  `create index data_file_failed on data_file (serial_number, extracted_at) where processed = false`,
];
