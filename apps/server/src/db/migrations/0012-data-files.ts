export const statements = [
  // One row per file of a node. Its bytes lie in the file store under content_hash; `part` tells apart files of one kind and time:
  // number and extension of event and external files, empty for the others, of which there is one per time.
  `create table data_file (
    serial_number integer not null,
    ts timestamptz not null,
    kind text not null check (kind in ('D', 'S', 'H', 'E', 'X')),
    part text not null default '',
    file_name text not null,
    interval_seconds integer not null,
    content_hash bytea not null,
    md5 bytea not null,
    stored_bytes integer not null,
    is_gzip boolean not null,
    received_at timestamptz not null,
    source text not null check (source in ('node', 'upload')),
    processed boolean,
    failed_reason text,
    extracted_at timestamptz,
    data_analysis_processed boolean,
    primary key (serial_number, ts, kind, part)
  )`,
  // What extraction has to do, in the order of arrival. Event files stay pending for their own parser; extracted_at says that they were counted.
  `create index data_file_pending on data_file (received_at) where processed is null and extracted_at is null`,

  `create table sensor_data (
    serial_number integer not null,
    ts timestamptz not null,
    interval_seconds integer not null,
    voltage_avg real,
    voltage1_avg real,
    voltage2_avg real,
    voltage3_avg real,
    current_avg real,
    current1_avg real,
    current2_avg real,
    current3_avg real,
    power_kw_avg real,
    power_kva_avg real,
    power_factor_avg real,
    line_frequency_avg real,
    voltage_imbalance real,
    current_imbalance real,
    voltage_thd1 real,
    voltage_thd2 real,
    voltage_thd3 real,
    current_thd1 real,
    current_thd2 real,
    current_thd3 real,
    running_seconds real,
    amp_hours double precision,
    kwh double precision,
    data jsonb not null,
    primary key (serial_number, ts)
  ) partition by range (ts)`,

  // Local day that missing_datafile_count counts, as missing_scalar_day for scalars, and the newest data file of whatever state.
  `alter table node_live add column missing_datafile_day date, add column newest_datafile_at timestamptz`,

  /* ---- what is asked of nodes ---- */
  // Written by any process, sent by the one that holds the node's connection.
  `create table file_request (
    id bigint generated always as identity primary key,
    serial_number integer not null,
    request jsonb not null,
    requested_at timestamptz not null
  )`,

  /* ---- downloads ---- */
  `create table download_job (
    id uuid primary key,
    user_id integer not null references app_user on delete cascade,
    kind text not null check (kind in ('files', 'harmonics')),
    serial_number integer not null,
    from_at timestamptz,
    to_at timestamptz,
    status text not null check (status in ('Waiting', 'Packing', 'Ready', 'Failed', 'Expired')),
    file_count integer not null default 0,
    packed_count integer not null default 0,
    size bigint,
    failed_reason text,
    address text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    ready_at timestamptz
  )`,
  `create index download_job_of_user on download_job (user_id, created_at desc)`,
];
