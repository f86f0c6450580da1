// The schema of the domain's core. Serial numbers are integers (5 digits); every telemetry key starts with the node.
export const statements = [
  /* ---- customers, facilities, locations ---- */
  `create table customer (
    id integer generated always as identity primary key,
    code text not null unique,
    name text not null,
    type text not null default 'Revenue' check (type in ('Revenue', 'Internal')),
    enable_data_transfer boolean not null default false,
    require_division_facility_location boolean not null default false,
    email_domains text[] not null default '{}'
  )`,
  `create table facility (
    id integer generated always as identity primary key,
    customer_id integer not null references customer on delete restrict,
    name text not null,
    site_name text not null,
    customer_x_ref_id text not null default '',
    division text not null default '',
    type text not null default 'Inherit from Customer' check (type in ('Inherit from Customer', 'Revenue', 'Internal')),
    grounding_type text not null default '',
    facility_location text not null default '',
    unique (customer_id, name)
  )`,
  `create table location (
    id integer generated always as identity primary key,
    facility_id integer not null references facility on delete restrict,
    name text not null,
    asset_location_number text not null default '',
    customer_x_ref_id text not null default '',
    equipment_type text not null default 'InductionMotor',
    timezone text not null,
    equipment_start_at timestamptz not null default now(),
    billing_start_date date,
    billing_end_date date,
    paid_thru_date date,
    notify_missed_data boolean not null default true,
    starter text not null default '',
    load_application text not null default '',
    voltage_tap_location text not null default '',
    ct_location text not null default '',
    channels text,
    np_voltage double precision,
    np_current double precision,
    np_hp double precision,
    np_rpm double precision,
    np_poles double precision,
    np_rotor_bars double precision,
    np_service_factor double precision,
    fault_library_alert_flags jsonb not null default '{}',
    harmonic_signatures jsonb not null default '{}'
  )`,
  `create index location_facility on location (facility_id)`,

  /* ---- nodes ---- */
  `create table node (
    id integer generated always as identity primary key,
    serial_number integer not null unique check (serial_number between 10000 and 99999),
    type text not null default 'Node',
    parent_serial_number integer references node (serial_number),
    container text not null default '',
    unassigned_customer text not null default '',
    unassigned_facility text not null default '',
    unassigned_location text not null default '',
    data_point_interval_seconds integer not null default 900,
    scalar_interval_seconds integer not null default 10,
    mac_address text,
    ip_address text,
    poe_enabled boolean not null default false,
    deployment_task_type text,
    nameplate_valid boolean not null default false,
    node_hardware_version text,
    vi_module_hardware_version text,
    new_deployment_status text not null default 'Pre-Deployment',
    current_deployment_status text not null default 'Pre-Deployment',
    current_deployment_status_updated_at timestamptz not null default now(),
    new_deployment_status_updated_at timestamptz not null default now(),
    notify_on_connect boolean not null default false,
    notify_on_current_above_noise boolean not null default false,
    disable_monitoring boolean not null default false,
    monitor_data_point_alerts boolean not null default true,
    monitor_daily_progress boolean not null default true,
    monitor_missing_data boolean not null default true,
    pause_notifications boolean not null default false,
    pause_connectivity_notifications boolean not null default false,
    pause_connectivity_notifications_reason text not null default '',
    pause_connectivity_notifications_url text not null default '',
    show_raw_power boolean not null default false,
    events_report_scan boolean not null default true,
    trending_report_scan boolean not null default true,
    voltage_hat_report_scan boolean not null default true,
    current_hat_report_scan boolean not null default true,
    deployment_issue boolean not null default false,
    deployment_issue_details text not null default '',
    active_va boolean not null default true,
    active_vb boolean not null default true,
    active_vc boolean not null default true,
    active_ia boolean not null default true,
    active_ib boolean not null default true,
    active_ic boolean not null default true,
    active_pa boolean not null default true,
    active_pb boolean not null default true,
    active_pc boolean not null default true,
    voltage_imbalance_threshold double precision not null default 10,
    voltage_thd_threshold double precision not null default 10,
    current_imbalance_threshold double precision not null default 10,
    current_thd_threshold double precision not null default 10,
    over_voltage_threshold double precision not null default 8,
    short_term_over_current_threshold double precision not null default 15,
    short_term_over_current_averaging_period double precision not null default 5,
    long_term_over_current_threshold double precision not null default 15,
    long_term_over_current_averaging_period double precision not null default 5,
    under_voltage_threshold double precision not null default 10,
    loss_of_phase_transient_threshold double precision not null default 500,
    stop_event_of_interest_threshold double precision not null default 72,
    vi_minimum_voltage_threshold double precision not null default 0
  )`,
  // A node is at one place only, also under concurrent requests: its row here is its place.
  `create table node_assignment (
    serial_number integer primary key references node (serial_number) on delete cascade,
    location_id integer not null references location on delete cascade,
    slot smallint not null check (slot in (1, 2)),
    unique (location_id, slot)
  )`,
  `create table decommissioned_node (
    serial_number integer primary key references node (serial_number) on delete cascade,
    customer_id integer not null references customer on delete cascade,
    facility_name text not null,
    site_name text not null,
    decommissioned_at timestamptz not null default now()
  )`,
  `create table node_credential (
    serial_number integer primary key references node (serial_number) on delete cascade,
    secret_hash bytea not null,
    created_at timestamptz not null default now(),
    revoked_at timestamptz
  )`,

  /* ---- users and sessions ---- */
  `create table app_user (
    id integer generated always as identity primary key,
    username text not null unique,
    email text not null,
    first_name text not null default '',
    last_name text not null default '',
    customer_id integer references customer on delete restrict,
    password_hash text,
    is_administrator boolean not null default false,
    roles text[] not null default '{}',
    active_status text not null default 'ACTIVE' check (active_status in ('ACTIVE', 'SUSPENDED')),
    receive_daily_report boolean not null default false,
    access_analytics boolean not null default false,
    analytics_early_access boolean not null default false,
    demo_user boolean not null default false,
    internal_user boolean not null default false,
    receive_connectivity_notifications boolean not null default true,
    receive_fault_library_notifications boolean not null default true,
    auto_subscribe_all_facilities boolean not null default false,
    created_at timestamptz not null default now()
  )`,
  `create unique index app_user_email on app_user (lower(email))`,
  `create table user_totp (
    user_id integer primary key references app_user on delete cascade,
    secret text not null,
    enrolled_at timestamptz not null default now(),
    last_used_step bigint not null default 0,
    failed_count integer not null default 0,
    locked_until timestamptz
  )`,
  `create table session (
    id uuid primary key,
    user_id integer not null references app_user on delete cascade,
    roles text[] not null,
    is_administrator boolean not null,
    signed_in_at timestamptz not null,
    issued_at timestamptz not null,
    expires_at timestamptz not null,
    last_used_at timestamptz not null,
    ends_at timestamptz,
    end_reason text,
    replaced_by uuid,
    remote_address text not null default '',
    user_agent text not null default ''
  )`,
  `create index session_of_user on session (user_id, signed_in_at desc)`,
  `create index session_by_expiry on session (expires_at)`,
  `create table login_attempt (
    account text primary key,
    failed_count integer not null,
    window_started_at timestamptz not null,
    consecutive_failures integer not null
  )`,
  `create table system_secret (name text primary key, value bytea not null)`,

  /* ---- telemetry ---- */
  `create table scalar (
    serial_number integer not null,
    ts timestamptz not null,
    version smallint,
    flag smallint,
    line_frequency real,
    current1 real,
    current2 real,
    current3 real,
    voltage1 real,
    voltage2 real,
    voltage3 real,
    primary key (serial_number, ts)
  ) partition by range (ts)`,
  // One hot row per node; changed_xid lets every api instance follow it without missing late commits.
  `create table node_live (
    serial_number integer primary key references node (serial_number) on delete cascade,
    is_connected boolean not null default false,
    connection_changed_at timestamptz,
    last_seen_at timestamptz,
    last_scalar_at timestamptz,
    last_scalar_data text not null default '',
    last_meter_at timestamptz,
    missing_scalar_day date,
    missing_scalar_count integer not null default 0,
    is_sensor_ok boolean,
    last_one_second_file_at timestamptz,
    last_datafile_at timestamptz,
    missing_datafile_count integer not null default 0,
    last_external_file_at timestamptz,
    event_count integer not null default 0,
    clock_skew_ms double precision,
    last_seq smallint,
    changed_xid xid8 not null default pg_current_xact_id()
  ) with (fillfactor = 50)`,
  `create table node_birth (
    serial_number integer primary key references node (serial_number) on delete cascade,
    bd_seq integer not null,
    born_at timestamptz not null,
    metrics jsonb not null
  )`,
  `create table node_event (
    serial_number integer not null,
    ts timestamptz not null,
    kind text not null,
    body jsonb not null,
    primary key (serial_number, ts, kind)
  )`,
  // serial_number 0: a sender that is no known node
  `create table quarantine (
    serial_number integer not null,
    reason text not null,
    count bigint not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    topic text not null,
    sample bytea not null,
    primary key (serial_number, reason)
  )`,

  /* ---- what happened ---- */
  `create table activity (
    id bigint generated always as identity primary key,
    ts timestamptz not null default now(),
    actor_type text not null,
    actor text not null,
    action text not null,
    object text not null default '',
    description text not null,
    before jsonb,
    after jsonb
  )`,
  `create index activity_action on activity (action, id desc)`,

  /* ---- what the fleet cache follows besides node_live ---- */
  // One row per transaction that changed names, places or statuses: insert-only, so that writers never wait for each other.
  `create table directory_change (xid xid8 primary key default pg_current_xact_id(), at timestamptz not null default now())`,
  `create function note_directory_change() returns trigger language plpgsql as $$
    begin insert into directory_change default values on conflict do nothing; return null; end $$`,
  ...["customer", "facility", "location", "node_assignment", "decommissioned_node"].map(
    (table) =>
      `create trigger directory_change after insert or update or delete on ${table} for each statement execute function note_directory_change()`,
  ),
  `create trigger directory_change after insert or delete or update of serial_number, type, unassigned_customer, unassigned_facility,
     unassigned_location, data_point_interval_seconds, scalar_interval_seconds, new_deployment_status, current_deployment_status,
     notify_on_connect on node for each statement execute function note_directory_change()`,
  // Every node has its live row from the start.
  `create function add_node_live() returns trigger language plpgsql as $$
    begin insert into node_live (serial_number) values (new.serial_number); return null; end $$`,
  `create trigger node_live after insert on node for each row execute function add_node_live()`,
];
