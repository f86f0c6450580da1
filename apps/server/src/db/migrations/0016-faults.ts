export const statements = [
  // What DataAnalysis has to do, oldest interval first.
  `create index data_file_to_analyse on data_file (ts, serial_number)
     where processed and data_analysis_processed is null and kind in ('D', 'S')`,
  // What a node's newest data point says of the machine: births leave the configuration out.
  `create table node_nameplate (
    serial_number integer primary key references node (serial_number) on delete cascade,
    np_voltage double precision,
    np_current double precision,
    np_frequency double precision
  )`,
  // What is wrong with a node's data points now, told once; a row goes when it is over.
  `create table data_point_alert (
    serial_number integer not null references node (serial_number) on delete cascade,
    kind text not null check (kind in ('late', 'incomplete', 'implausible', 'deadChannel')),
    raised_at timestamptz not null,
    detail text not null,
    primary key (serial_number, kind)
  )`,
];
