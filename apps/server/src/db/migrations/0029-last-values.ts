export const statements = [
  // A node may send only what changed: each of the last values has a time of its own (epoch milliseconds, in the order of the values).
  `alter table node_live add column last_scalar_times text not null default ''`,
  `alter table node_live add column oldest_value_at timestamptz`,
];
