// What task B2 took as evidence: the last verdict on a node's wiring at a location, with the values that it was judged from.
export const statements = [
  `create table wiring_evidence (
    serial_number integer primary key references node (serial_number) on delete cascade,
    location_id integer not null references location on delete cascade,
    taken_at timestamptz not null default now(),
    taken_by text not null,
    measured_at timestamptz,
    outcome text not null check (outcome in ('right', 'wrong', 'open', 'old', 'none')),
    sentence text not null,
    snapshot jsonb not null
  )`,
  `create index wiring_evidence_location on wiring_evidence (location_id)`,
];
