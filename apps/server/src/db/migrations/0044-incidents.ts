export const statements = [
  // What belongs together of what happened. cause says what with what: see packages/alarms/src/incidents.
  `create table incident (
    id integer generated always as identity primary key,
    cause text not null,
    kind text not null,
    alarm_kind text not null,
    facility_id integer references facility (id) on delete set null,
    began_at timestamptz not null,
    calm_since timestamptz,
    ended_at timestamptz,
    owner_id integer references app_user (id) on delete set null,
    acknowledged_by integer references app_user (id) on delete set null,
    acknowledged_at timestamptz,
    revision integer not null default 1
  )`,
  // Two processes cannot open one of a cause both.
  `create unique index incident_open on incident (cause) where ended_at is null`,
  `create index incident_by_cause on incident (cause, id desc)`,
  `create index incident_by_facility on incident (facility_id, id desc)`,
  `create index incident_by_end on incident (ended_at)`,
  `create table incident_member (
    incident_id integer not null references incident (id) on delete cascade,
    serial_number integer not null references node (serial_number) on delete cascade,
    began_at timestamptz not null,
    last_began_at timestamptz not null,
    ended_at timestamptz,
    count integer not null,
    primary key (incident_id, serial_number)
  )`,
  `create index incident_member_by_node on incident_member (serial_number, incident_id desc)`,
  `create table incident_note (
    id integer generated always as identity primary key,
    incident_id integer not null references incident (id) on delete cascade,
    author_id integer references app_user (id) on delete set null,
    at timestamptz not null,
    note text not null
  )`,
  `create index incident_note_by_incident on incident_note (incident_id, id)`,

  // Of what a message was made: a loss or a return ('link'), or an alarm of a kind, at its moment.
  `create table notification_subject (
    notification_id bigint not null references notification (id) on delete cascade,
    serial_number integer not null references node (serial_number) on delete cascade,
    topic text not null,
    at timestamptz not null,
    primary key (notification_id, serial_number, topic)
  )`,
  `create index notification_subject_by_node on notification_subject (serial_number, topic, at)`,

  // Lets whoever follows alarms read what is new or over since.
  `alter table alarm add column changed_xid xid8 not null default pg_current_xact_id()`,
  `create index alarm_changed on alarm (changed_xid)`,
];
