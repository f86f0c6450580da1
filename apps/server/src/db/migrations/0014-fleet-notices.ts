// Nodes whose loss of connection was told and whose return was not yet.
export const statements = [
  `create table connection_loss (
    serial_number integer primary key references node (serial_number) on delete cascade,
    lost_at timestamptz not null,
    told_at timestamptz not null
  )`,
];
